"""Check the types of the Python examples in the README and the documentation.

    python tests/snippets.py [CHECKER ...]

`CHECKER` is `mypy`, `basedpyright` or `pyright`; by default the first two run. A checker gets a
file for each page, with the page's examples at the lines where the page has them. Examples that
show an error are left out.

The README is checked strictly, and so is `tests/typed_bots.py`, which composes users' states and
bots. In the pages of `docs` functions need no annotations, and `None` need not be handled: the
settings of mypy are those for `pages.*` in `pyproject.toml`, those of pyright are in `PYRIGHT`.
Exits with 1 if a checker finds an error.
"""

import ast
import doctest
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parent.parent
README = ROOT / 'README.md'
TYPED = ROOT / 'tests/typed_bots.py'
LEFT_OUT = {
    'interop.md': 'the members of a state of OpenSpiel depend on the game',
    'sessions.md': 'imports other functions under names that the page has already',
    'transpositions.md': 'nodes of graphs have an `entry`, which `Node` lacks',
}
DOCS = [
    page
    for page in sorted(ROOT.glob('docs/**/*.md'))
    if page.name not in LEFT_OUT and '>>> ' in page.read_text(encoding='utf-8')
]
STRICT = '# pyright: strict, reportUnusedExpression=false'
PYRIGHT = {
    'extraPaths': [str(ROOT)],
    'typeCheckingMode': 'standard',
    'reportOptionalMemberAccess': False,
    'reportOptionalSubscript': False,
    'reportIncompatibleMethodOverride': False,  # a property without annotations
    'reportRedeclaration': False,  # a page may define a name twice
    'reportUnusedExpression': False,  # an example shows its value
}


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


def write(folder, page, name, first=''):
    """Write the module of a page, and the modules that its examples write; return the file.

    `first`: a comment for its first line, on which no page has an example.
    """
    source = first + examples(page.read_text(encoding='utf-8'))
    for other, text in modules(source):
        pathlib.Path(folder, other).write_text(text, encoding='utf-8')
    file = pathlib.Path(folder, name)
    file.parent.mkdir(exist_ok=True)
    file.write_text(source, encoding='utf-8')
    return str(file)


def command(checker, folder):
    """Return the command line of a checker without its files."""
    if checker == 'mypy':
        return [sys.executable, '-m', 'mypy', '--config-file', str(ROOT / 'pyproject.toml')]
    if checker not in ('basedpyright', 'pyright'):
        raise SystemExit(f'unknown checker {checker}; choose mypy, basedpyright or pyright')
    beside = pathlib.Path(sys.executable).parent
    found = shutil.which(checker, path=f'{beside}{os.pathsep}{os.environ["PATH"]}')
    if found is None:
        raise SystemExit(f'{checker} is not installed: pip install {checker}')
    return [found, '--level', 'error', '--pythonpath', sys.executable, '--project', folder]


def main(checkers):
    """Run the checkers; return 1 if one of them finds an error, otherwise 0."""
    with tempfile.TemporaryDirectory() as folder:
        files = [write(folder, README, 'readme_examples.py', STRICT)]
        files += [write(folder, page, f'pages/page_{page.stem}.py') for page in DOCS]
        files.append(shutil.copy(TYPED, folder))
        pathlib.Path(folder, 'pages/__init__.py').touch()
        pathlib.Path(folder, 'pyrightconfig.json').write_text(json.dumps(PYRIGHT))
        environment = {**os.environ, 'MYPYPATH': f'{ROOT}{os.pathsep}{folder}'}
        runs = [
            [*command(checker, folder), *(files if checker == 'mypy' else [])]
            for checker in checkers or ('mypy', 'basedpyright')
        ]
        done = [subprocess.run(run, cwd=ROOT, env=environment, check=False) for run in runs]
    return int(any(one.returncode for one in done))


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
