"""Check the types of the Python examples in the README, as a user's checker would.

    python tests/snippets.py [COMMAND ...]
    python tests/snippets.py basedpyright --level error

`COMMAND` is the checker, `mypy` unless one is given; it gets the names of files, one for each of
`PAGES`, with the page's examples at the lines where the page has them. Examples that show an error
are left out. Exits as the checker does.
"""

import doctest
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parent.parent
PAGES = (ROOT / 'README.md',)
MYPY = (sys.executable, '-m', 'mypy', '--config-file', str(ROOT / 'pyproject.toml'))


def examples(text):
    """Return a page's examples as the text of a module, each line where the page has it."""
    lines = [''] * (text.count('\n') + 1)
    for example in doctest.DocTestParser().get_examples(text):
        if example.exc_msg is None:
            found = example.source.rstrip('\n').split('\n')
            lines[example.lineno : example.lineno + len(found)] = found
    return '\n'.join(lines) + '\n'


def write(folder):
    """Write a module for each page, and return the files."""
    made = []
    for page in PAGES:
        file = pathlib.Path(folder, f'{page.stem.lower()}_examples.py')
        file.write_text(examples(page.read_text(encoding='utf-8')), encoding='utf-8')
        made.append(str(file))
    return made


def main(command):
    """Run the checker; return its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([*command, *write(folder)], cwd=ROOT, check=False).returncode


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:] or MYPY))
