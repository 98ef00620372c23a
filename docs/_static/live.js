// A button beside each piece of code: it runs in the reader's browser, by Pyodide, once it is pressed.
const here = new URL("live/", import.meta.url);
let starting;

const PROGRAM = `
import ast, contextlib, io, sys, traceback

def run(source, names):
    """What a Python prompt would print, statement by statement."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            for statement in ast.parse(source).body:
                exec(compile(ast.Interactive([statement]), '<example>', 'single'), names)
        except BaseException as error:
            out.write(''.join(traceback.format_exception_only(error)))
    return out.getvalue()
`;

async function start() {
  const { loadPyodide } = await import(new URL("pyodide.mjs", here).href);
  const python = await loadPyodide({ indexURL: here.href });
  const files = await (await fetch(new URL("files.json", here))).json();
  for (const name of files.wheels) {
    const wheel = await (await fetch(new URL(name, here))).arrayBuffer();
    python.unpackArchive(wheel, "wheel");
  }
  python.FS.writeFile("kayles.py", files["kayles.py"]);
  python.runPython(PROGRAM);
  return { run: python.globals.get("run"), names: python.toPy({ __name__: "__main__" }) };
}

// The code of a block without prompts and without what it printed.
function code(text) {
  const lines = text.split("\n").filter((line) => /^(>>>|\.\.\.)( |$)/.test(line));
  return lines.map((line) => line.slice(4)).join("\n");
}

const blocks = [];

function furnish(block) {
  const source = code(block.querySelector("pre").textContent);
  if (!source) return;
  const area = document.createElement("textarea");
  const output = document.createElement("pre");
  const button = document.createElement("button");
  const entry = { area, ran: false };
  area.value = source;
  area.hidden = output.hidden = true;
  area.rows = source.split("\n").length;
  area.spellcheck = false;
  area.setAttribute("aria-label", "Code, which can be changed");
  output.setAttribute("role", "status");
  button.type = "button";
  button.className = "live";
  button.textContent = "Run";
  entry.run = async () => {
    button.disabled = true;
    area.hidden = output.hidden = false;
    block.hidden = true;
    output.textContent = "Loading Python (some 6 MB, once)…";
    try {
      const { run, names } = await (starting ??= start());
      // What stands above on the page comes first, as on paper.
      for (const earlier of blocks.slice(0, blocks.indexOf(entry))) {
        if (!earlier.ran) {
          earlier.ran = true;
          run(earlier.area.value, names);
        }
      }
      entry.ran = true;
      output.textContent = run(area.value, names);
      output.dataset.done = "yes";
    } catch (error) {
      starting = undefined;
      output.textContent = `This browser could not run it: ${error}`;
    }
    button.disabled = false;
  };
  button.addEventListener("click", entry.run);
  block.after(area, button, output);
  blocks.push(entry);
}

if (location.pathname.includes("/tutorial/")) {
  document.querySelectorAll("div.highlight-python").forEach(furnish);
}
if (location.hash === "#run-all") {
  for (const entry of blocks) await entry.run();
  document.body.dataset.ran = blocks.length;
}
