// Runs the check in Pyodide; the folder with all that it needs is the first argument.
import { loadPyodide } from "pyodide";

const python = await loadPyodide();
python.FS.mkdirTree("/check");
python.FS.mount(python.FS.filesystems.NODEFS, { root: process.argv[2] }, "/check");
const run = `
import runpy
import sys

sys.path[:0] = ['/check', '/check/dependencies']
runpy.run_path('/check/benchmarks/platforms/check.py', run_name='__main__')
`;
try {
  python.runPython(run);
} catch (error) {
  // The last line of Python's traceback; a check that found something else has printed its line.
  console.error(String(error.message).trim().split("\n").at(-1));
  process.exitCode = 1;
}
