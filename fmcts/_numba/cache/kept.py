"""Which searches have machine code on disk, as can be known without loading numba.

Beside the code of a search there is a small file that names it: it is found by a name of the
search, and holds the names of the files with the code. The name is only a hint. Where it misleads,
as after a rule has changed, the engine finds out when it looks for the code itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from fmcts._numba.cache import files
from fmcts._numba.cache.place import folder, untrusted

__all__ = [
    'NotKeptError',
    'check_compiling',
    'from_disk_only',
    'gathering',
    'is_kept',
    'keep',
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
    """Return whether the code of the search was on disk when it was last compiled, and is now."""
    here = place()
    contents = None if here is None else files.read(here / name)
    if here is None or contents is None:
        return False
    return all((here / file).is_file() for file in contents.decode().split())
