"""Check the types of the Python examples in the README and the documentation.

    python tests/snippets.py [COMMAND ...]
    python tests/snippets.py basedpyright --level error

`COMMAND` is the checker, `mypy` unless one is given. It gets a file for each page, with the page's
examples at the lines where the page has them. Examples that show an error are left out.

mypy checks the README strictly. It checks the pages in `DOCS` with the settings for `pages.*` in
`pyproject.toml`: functions need no annotations, and `None` need not be handled. Another checker
gets the README only. Exits as the checker does.
"""

import ast
import doctest
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parent.parent
README = ROOT / 'README.md'
NAMES = ('guide', 'your_own_search', 'your_own_playouts', 'matches', 'history', 'testing')
MORE = ('testing_bots', 'api', 'dice', 'networks')
DOCS = (
    *sorted(ROOT.glob('docs/tutorial/*.md')),
    *(ROOT / 'docs' / f'{name}.md' for name in NAMES + MORE),
)
MYPY = (sys.executable, '-m', 'mypy', '--config-file', str(ROOT / 'pyproject.toml'))


def examples(text):
    """Return a page's examples as the text of a module, each line where the page has it."""
    lines = [''] * (text.count('\n') + 1)
    for example in doctest.DocTestParser().get_examples(text):
        if example.exc_msg is None:
            found = example.source.rstrip('\n').split('\n')
            lines[example.lineno : example.lineno + len(found)] = found
    return '\n'.join(lines) + '\n'


def modules(source):
    """Yield the modules that examples write to files: their names and texts."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Call(args=[*_, ast.Constant(value=str(name))]), attr='write_text'
                ),
                args=[ast.Constant(value=str(text))],
            ) if name.endswith('.py'):
                yield name, text


def write(folder, page, name):
    """Write the module of a page, and the modules that its examples write; return the file."""
    source = examples(page.read_text(encoding='utf-8'))
    for other, text in modules(source):
        pathlib.Path(folder, other).write_text(text, encoding='utf-8')
    file = pathlib.Path(folder, name)
    file.parent.mkdir(exist_ok=True)
    file.write_text(source, encoding='utf-8')
    return str(file)


def main(command):
    """Run the checker; return its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        files = [write(folder, README, 'readme_examples.py')]
        if not command:
            files += [write(folder, page, f'pages/page_{page.stem}.py') for page in DOCS]
            pathlib.Path(folder, 'pages/__init__.py').touch()
        environment = {**os.environ, 'MYPYPATH': folder}
        run = [*(command or MYPY), *files]
        return subprocess.run(run, cwd=ROOT, env=environment, check=False).returncode


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
