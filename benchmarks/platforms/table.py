"""The check on every platform that can be had here, and one table (Markdown) of all.

    python benchmarks/platforms/table.py > table.md
    python benchmarks/platforms/table.py < lines.json > table.md   (lines that were printed before)

It takes about ten minutes, most of them for emulated processors. What could not be prepared is
named below the table, with the reason.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Any

HERE = pathlib.Path(__file__).parent
ALL = (
    ('installed.py',),
    ('debian.py', 'trixie', 'amd64', 'python3.13'),
    ('debian.py', 'sid', 'amd64', 'python3.14'),
    ('debian.py', 'sid', 'amd64', 'python3.15'),
    ('debian.py', 'trixie', 'amd64', 'pypy3'),
    ('debian.py', 'sid', 'amd64', 'pypy3'),
    ('debian.py', 'trixie', 'i386', 'python3.13'),
    ('debian.py', 'trixie', 's390x', 'python3.13'),
    ('debian.py', 'trixie', 'arm64', 'python3.13'),
    ('pyodide.py',),
)
HEADINGS = ('platform', 'Python', 'processor', 'goldens', 'drawn', 'rounds', 'iterations/s')


def lines() -> list[dict[str, Any]]:
    """What the scripts print, told on standard error as it comes; or what they printed before."""
    if not sys.stdin.isatty() and (given := sys.stdin.read().strip()):
        return [json.loads(line) for line in given.splitlines()]
    found = []
    for script, *words in ALL:
        done = subprocess.run(
            [sys.executable, HERE / script, *words], stdout=subprocess.PIPE, text=True, check=False
        )
        sys.stderr.write(done.stdout)
        found += [json.loads(line) for line in done.stdout.splitlines()]
    return found


def row(line: dict[str, Any]) -> tuple[str, ...]:
    """A platform's cells."""
    return (
        line['platform'],
        line['python'] + (f' ({line["release"]})' if 'PyPy' in line['python'] else ''),
        f'{line["machine"]}, {line["bits"]} bits, {line["byte order"]} endian',
        line['goldens'],
        'same' if line['same'] else 'DIFFERENT',
        'twice' if line['rounds twice'] else 'once',
        f'{line["iterations a second"]:,}',
    )


def main() -> None:
    """Print the table."""
    found = lines()
    checked = [line for line in found if 'missing' not in line]
    rows = [HEADINGS, tuple('---' for _ in HEADINGS)]
    rows += [row(line) for line in checked]
    for cells in rows:
        print('|', ' | '.join(cells), '|')
    for line in found:
        if 'missing' in line:
            print(f'\nNot had: {line["platform"]}: {line["missing"]}')
    if not all(line['same'] for line in checked):
        sys.exit('a platform finds something else')


if __name__ == '__main__':
    main()
