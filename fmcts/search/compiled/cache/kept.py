"""Which searches have machine code on disk, as can be known without loading numba.

Beside the code of a search there is a small file that names it: it is found by a name of the
search, and holds the names of the files with the code. The name is only a hint. Where it misleads,
as after a rule has changed, the engine finds out when it looks for the code itself.
"""

from __future__ import annotations

import hashlib
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final

from attrs import fields, has

from fmcts.game import GameState
from fmcts.rng import Rng
from fmcts.rules import IntegerRules, rules_of
from fmcts.search.compiled.cache import files
from fmcts.search.compiled.cache.place import folder, untrusted
from fmcts.search.compiled.structure import structure_of
from fmcts.search.description import Search

__all__ = [
    'NotKeptError',
    'check_compiling',
    'from_disk_only',
    'gathering',
    'is_kept',
    'keep',
    'name_of',
    'place',
    'used',
]


class NotKeptError(BaseException):
    """Machine code is not on disk, and must not be compiled now.

    It is a `BaseException`, as it is not a fault of the rules, by which handlers would take it.
    """


_only_from_disk: Final[ContextVar[bool]] = ContextVar('_only_from_disk', default=False)
_used: Final[ContextVar[list[Path | None] | None]] = ContextVar('_used', default=None)


@contextmanager
def from_disk_only() -> Iterator[None]:
    """Within the block nothing is compiled; what is not on disk raises `NotKeptError`."""
    token = _only_from_disk.set(True)
    try:
        yield
    finally:
        _only_from_disk.reset(token)


def check_compiling(about: str) -> None:
    """Raise `NotKeptError` if nothing may be compiled now."""
    if _only_from_disk.get():
        raise NotKeptError(about)


@contextmanager
def gathering() -> Iterator[list[Path | None]]:
    """Within the block the files of code that is loaded or compiled are gathered in the list.

    `None` stands for code that is not kept on disk.
    """
    found: list[Path | None] = []
    token = _used.set(found)
    try:
        yield found
    finally:
        _used.reset(token)


def used(file: Path | None) -> None:
    """Note the file of code that is loaded or compiled."""
    found = _used.get()
    if found is not None:
        found.append(file)


def place() -> Path | None:
    """Return the folder for machine code, or `None` if code cannot be kept."""
    found = folder()
    return None if found is None or untrusted(found) else found


def keep(name: str, code: list[Path | None]) -> bool:
    """Write down that the search of that name has its code in these files.

    Return whether it has: nothing is written if some of the code is not on disk. Without files,
    as all of the code was in this process before, nothing new is known.
    """
    here = place()
    if not code:
        return is_kept(name)
    if here is None or not all(file is not None and file.is_file() for file in code):
        return False
    files.write(here / name, '\n'.join(file.name for file in code if file).encode())
    return True


def is_kept(name: str) -> bool:
    """Whether the code of the search of that name was on disk when it was last made, and is now."""
    here = place()
    contents = None if here is None else files.read(here / name)
    if here is None or contents is None:
        return False
    return all((here / file).is_file() for file in contents.decode().split())


def name_of(state: GameState[Any], rng: Rng, search: Search) -> str:
    """Return a name for the machine code of a search of such states, by such a generator.

    It is made of names and byte code alone, so that it is found in some 100 microseconds.
    """
    rules = rules_of(state)
    keys = rules.keys if isinstance(rules, IntegerRules) else 0
    structure = structure_of(search, keys, unvisited=search.expands in ('full', 'selected'))
    parts = (
        ('search', sys.version, type(state), type(rng), rules),
        structure.parts,
    )
    return hashlib.sha256('\n'.join(_words(parts)).encode()).hexdigest()


def _words(value: Any, seen: tuple[Any, ...] = ()) -> Iterator[str]:
    """The names, numbers and byte code in a value, as far as they are plain."""
    if isinstance(value, types.FunctionType):
        code = value.__code__
        yield f'{value.__module__} {value.__qualname__} {code.co_code.hex()}'
        if value not in seen:
            cells = tuple(cell.cell_contents for cell in value.__closure__ or ())
            yield from _words((code.co_consts, value.__defaults__, cells), (*seen, value))
    elif isinstance(value, type):
        yield f'{value.__module__} {value.__qualname__}'
    elif isinstance(value, tuple):
        yield f'{len(value)} values'
        for each in value:
            yield from _words(each, seen)
    elif value is None or isinstance(value, str | int | float):
        yield repr(value)
    elif has(type(value)):
        yield type(value).__qualname__
        for each in fields(type(value)):
            yield from _words(getattr(value, each.name), seen)
    else:
        yield type(value).__qualname__
