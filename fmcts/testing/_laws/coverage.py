"""Which lines of a user's rules a check has run: by coverage.py, in the module of the states."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from attrs import define

from fmcts._extras import loaded

NEEDED: Final = ('coverage', 'coverage of the rules needs', 'fmcts[testing]', 'coverage')


@define
class Covered:
    """The result: `lines` that never ran, in words, or `why` nothing is known."""

    lines: str = ''
    why: str = ''


@contextmanager
def covering(kind: type[Any], *, wanted: bool) -> Iterator[Covered]:
    """Watch which lines of the functions in the module of a class run within the block.

    :raises MissingLibraryError: coverage is not installed.
    """
    found = Covered()
    if not wanted:
        yield found
        return
    coverage = loaded(*NEEDED)
    file = inspect.getsourcefile(kind) if kind.__module__ != '__main__' else None
    if file is None or sys.gettrace() is not None:
        found.why = 'another tracer is at work' if file else f'{kind.__name__} has no file'
        yield found
        return
    watched = coverage.Coverage(data_file=None, branch=True, include=[file], messages=False)
    watched.start()
    try:
        yield found
    finally:
        watched.stop()
    missing = {*watched.analysis2(file)[3]} & bodies(sys.modules[kind.__module__])
    one_way = {line for line, (ways, gone) in watched.branch_stats(file).items() if gone < ways}
    parts = [in_ranges(missing)] if missing else []
    if one_way - missing:
        parts.append(f'one way only from {in_ranges(one_way - missing)}')
    found.lines = f'{Path(file).name}: {", ".join(parts)}' if parts else ''


def bodies(module: types.ModuleType) -> set[int]:
    """Return the numbers of the lines inside the functions of a module."""
    code = compile(inspect.getsource(module), '<module>', 'exec')
    inner, lines = [each for each in code.co_consts if isinstance(each, types.CodeType)], set()
    while inner:
        each = inner.pop()
        inner += [more for more in each.co_consts if isinstance(more, types.CodeType)]
        if each.co_flags & inspect.CO_NEWLOCALS and each.co_flags & inspect.CO_OPTIMIZED:
            lines |= {line for _, _, line in each.co_lines() if line} - {each.co_firstlineno}
    return lines


def in_ranges(lines: set[int]) -> str:
    """Return numbers of lines as text, those in a row as ranges.

    >>> in_ranges({3, 4, 5, 9}), in_ranges({7})
    ('lines 3-5, 9', 'line 7')
    """
    runs = groupby(enumerate(sorted(lines)), lambda pair: pair[1] - pair[0])
    rows = [[line for _, line in run] for _, run in runs]
    named = ', '.join(f'{row[0]}-{row[-1]}' if len(row) > 1 else f'{row[0]}' for row in rows)
    return f'line{"s" * (len(lines) > 1)} {named}'
