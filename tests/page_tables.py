"""Write the tables in the pages that are made from the code, in place.

python tests/page_tables.py
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
if __name__ == '__main__':
    sys.path[:0] = [str(ROOT)]

from fmcts.games import FAMILIES  # noqa: E402 - found by the line above
from fmcts.search.methods import METHODS  # noqa: E402

INITIALS: Final = r'\b(?:[A-Z]\.[ -]?)+'
CITED: Final = re.compile(rf'({INITIALS}[^";:]*), "[^"]*"[^;"]*?\b(19[5-9]\d|20\d\d)\b')


def methods() -> Iterator[tuple[str, ...]]:
    """Yield a row for each method, or for those of a file with one docstring for all.

    Its first paragraph is the idea, the second the source; one begins with "Departs from".
    """
    by_text: dict[str, list[str]] = {}
    for name, kind in METHODS.items():
        by_text.setdefault(described(kind), []).append(f'`{name}`')
    for text, names in by_text.items():
        idea, source, *others = (it.replace('\n', ' ').strip('.') for it in text.split('\n\n'))
        departs = [it.partition(': ')[2] for it in others if it.startswith('Departs from ')]
        cited = '; '.join(citations(source))
        yield ', '.join(names), f'{idea} ({cited})' if cited else idea, *(departs or [''])


def described(kind: type) -> str:
    """Return the docstring of a method, or that of its file if it begins with the formula."""
    both = kind, sys.modules[kind.__module__]
    text, of_file = (inspect.cleandoc(it.__doc__ or '') for it in both)
    return of_file if text.startswith('`') else text


def citations(source: str) -> Iterator[str]:
    """Yield the authors and the year of each paper that a text cites: the first of four or more.

    >>> list(citations('as in A. B. One-Two and C. Three, "Title", Journal 7, 1991, section 2'))
    ['One-Two and Three 1991']
    """
    for authors, year in CITED.findall(source):
        names = re.sub(INITIALS, '', authors)
        first, *others = re.split(', | and ', names)
        yield f'{first} and others {year}' if len(others) > 2 else f'{names} {year}'


def families() -> Iterator[tuple[str, ...]]:
    """Yield a row for each family of games."""
    for family in FAMILIES.values():
        yield f'`{family.pattern}`', family.limits, family.rules, family.moves


Rows = Callable[[], Iterable[tuple[str, ...]]]
TABLES: Final[tuple[tuple[str, str, Rows], ...]] = (
    ('searches.md', 'method | idea | where it departs from its source', methods),
    ('games.md', 'game | sizes | rules | a move', families),
)
"""The page of each table, its heading, and its rows."""


def page(name: str) -> str:
    """Return the text of a page with its tables as they should be."""
    text = (ROOT / 'docs' / name).read_text('utf-8')
    for where, heading, rows in TABLES:
        if where == name:
            before, _, after = text.partition(f'| {heading} |\n')
            rule, *_ = after.splitlines()
            lines = [f'| {heading} |', rule, *(f'| {" | ".join(row)} |' for row in rows())]
            text = '\n'.join((before + lines[0], *lines[1:], after[after.index('\n\n') + 1 :]))
    return text


if __name__ == '__main__':
    for name in dict.fromkeys(where for where, *_ in TABLES):
        (ROOT / 'docs' / name).write_text(page(name), 'utf-8')
