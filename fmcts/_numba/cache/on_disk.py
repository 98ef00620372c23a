"""Find out which searches have machine code on disk, without loading numba.

For each search there is a small index file, found by a name of the search; it lists the files with
the search's code. The name is only a hint: if it is out of date, for instance because a rule has
changed, the engine notices when it looks for the code itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from fmcts._numba.cache import files
from fmcts._numba.cache.place import folder, untrusted


class NotOnDiskError(BaseException):
    """Raised when machine code is not on disk and must not be compiled now.

    It is a `BaseException` so that handlers for errors in rules do not catch it.
    """


_only_from_disk: Final[ContextVar[bool]] = ContextVar('_only_from_disk', default=False)
_used: Final[ContextVar[list[Path | None] | None]] = ContextVar('_used', default=None)


@contextmanager
def from_disk_only() -> Iterator[None]:
    """Compile nothing within the block: code that is not on disk raises `NotOnDiskError`."""
    token = _only_from_disk.set(True)
    try:
        yield
    finally:
        _only_from_disk.reset(token)


def check_compiling(about: str) -> None:
    """Raise `NotOnDiskError` if nothing may be compiled now."""
    if _only_from_disk.get():
        raise NotOnDiskError(about)


@contextmanager
def gathering() -> Iterator[list[Path | None]]:
    """Collect in the list the files of all code that is loaded or compiled within the block.

    `None` represents code that is not cached on disk.
    """
    found: list[Path | None] = []
    token = _used.set(found)
    try:
        yield found
    finally:
        _used.reset(token)


def used(file: Path | None) -> None:
    """Record the file of code that is loaded or compiled."""
    found = _used.get()
    if found is not None:
        found.append(file)


def place() -> Path | None:
    """Return the folder for machine code, or `None` if code cannot be cached."""
    found = folder()
    return None if found is None or untrusted(found) else found


def record(name: str, code: list[Path | None]) -> bool:
    """Record the files with the code of the search of that name; return whether all are on disk.

    Nothing is written if some of the code is not on disk. If `code` is empty, all of the code was
    in this process before, and the existing record is kept.
    """
    here = place()
    if not code:
        return is_complete(name)
    if here is None or not all(file is not None and file.is_file() for file in code):
        return False
    files.write(here / name, '\n'.join(file.name for file in code if file).encode())
    return True


def is_complete(name: str) -> bool:
    """Return whether the code of the search was on disk when it was last compiled, and is now."""
    here = place()
    contents = None if here is None else files.read(here / name)
    if here is None or contents is None:
        return False
    return all((here / file).is_file() for file in contents.decode().split())
