"""Files in a private folder: each complete or absent, and eventually removed.

A file is a checksum of its name and contents, then the contents. A file that is not a plain file,
belongs to others, is damaged or has another name than it was written for counts as absent.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fmcts._numba.cache.place import make, owner_only

DIGEST: Final = 32  # bytes of the checksum
NAME: Final = re.compile(r'[0-9a-f]{64}')
UNFINISHED: Final = re.compile(r'new-\w{8}')

MOST_BYTES: Final = 256 << 20  # of all files together; one game's code takes about 256 KiB
MOST_AGE: Final = 180 * 86_400.0  # seconds since a file was last used
MOST_WRITING: Final = 3_600.0  # seconds; an older unfinished file belongs to a process that ended


def _sum(name: str, contents: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b'\0' + contents).digest()


def read(file: Path) -> bytes | None:
    """Return the contents, or `None` if absent; never block, not even on a pipe."""
    flags = os.O_RDONLY
    for one in ('O_BINARY', 'O_CLOEXEC', 'O_NOFOLLOW', 'O_NONBLOCK'):  # those that the system has
        flags |= getattr(os, one, 0)
    try:
        handle = os.open(file, flags)
        try:
            if not owner_only(os.fstat(handle)):
                return None
            with open(handle, 'rb', closefd=False) as stream:
                whole = stream.read()
        finally:
            os.close(handle)
    except OSError:
        return None
    contents = whole[DIGEST:]
    if whole[:DIGEST] != _sum(file.name, contents):
        return None
    with contextlib.suppress(OSError):  # the folder may be read-only
        os.utime(file)  # `prune` keeps files that are used
    return contents


def write(file: Path, contents: bytes) -> str | None:
    """Write the file atomically and prune the folder; return why if it cannot be written."""
    temporary = ''
    try:
        make(file.parent)
        handle, temporary = tempfile.mkstemp(dir=file.parent, prefix='new-')  # for the user alone
        with os.fdopen(handle, 'wb') as stream:
            stream.write(_sum(file.name, contents) + contents)
        Path(temporary).replace(file)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        return error.strerror or str(error)
    with contextlib.suppress(OSError):  # the file is there all the same
        prune(file.parent, file.name, time.time())
    return None


def prune(place: Path, kept: str, now: float) -> None:
    """Remove files that are too old at the time `now`, then the oldest until the limit is met.

    The file named `kept` stays, and so do files that `write` has not written. Any number of
    processes may prune at once.

    :raises OSError: the folder cannot be read.
    """
    total = 0
    for name, used, size in sorted(_own(place, now), key=lambda one: (-one[1], one[0])):
        if name != kept:
            total += size
            if now - used > MOST_AGE or total > MOST_BYTES:
                _remove(place / name)


def _own(place: Path, now: float) -> Iterator[tuple[str, float, int]]:
    """Yield name, time of last use and size of each file; remove files left unfinished."""
    for entry in os.scandir(place):
        try:
            found = entry.stat(follow_symlinks=False)
        except OSError:  # another process was quicker
            continue
        if not owner_only(found):
            continue
        if NAME.fullmatch(entry.name):
            yield entry.name, found.st_mtime, found.st_size
        elif UNFINISHED.fullmatch(entry.name) and now - found.st_mtime > MOST_WRITING:
            _remove(place / entry.name)


def _remove(file: Path) -> None:
    with contextlib.suppress(OSError):  # in use, on Windows
        file.unlink(missing_ok=True)
