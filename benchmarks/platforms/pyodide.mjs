// Runs the check in Pyodide; the folder with all that it needs is the first argument.
import { loadPyodide } from "pyodide";

const python = await loadPyodide();
python.FS.mkdirTree("/check");
python.FS.mount(python.FS.filesystems.NODEFS, { root: process.argv[2] }, "/check");
python.runPython(`
import runpy
import sys

sys.path[:0] = ['/check', '/check/dependencies']
runpy.run_path('/check/benchmarks/platforms/check.py', run_name='__main__')
`);
