"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from contextlib import suppress
from pathlib import Path


def write_whole(path: str | Path, content: bytes, *, new: bool = False) -> int:
    """Write a file, and return how many bytes it has; what was there before is replaced at once.

    The bytes go to a file beside it that takes its place when it is complete: whoever is
    interrupted leaves the file as it was, and no part of a new one. What is not a regular file,
    such as a pipe, is written to directly.

    :param new: refuse to replace a file.
    :raises FileExistsError: there is such a file, and `new` is asked for.
    :raises OSError: it cannot be written.
    """
    path = Path(path)
    if new and path.exists():
        raise FileExistsError(errno.EEXIST, 'File exists', str(path))
    place = Path(os.path.realpath(path))  # of a link, the file that it names
    if place.is_symlink():  # a link that leads to itself
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    # A pipe or a device is written to; a file beside it could not take its place.
    if place.exists() and not place.is_file():
        return place.write_bytes(content)
    beside = place.with_name(f'.{place.name[:200]}.{secrets.token_hex(4)}')
    try:
        with beside.open('xb') as file:
            file.write(content)
        if place.exists():
            beside.chmod(place.stat().st_mode & 0o7777)
        beside.replace(place)
    except BaseException as error:
        with suppress(OSError):  # a folder that is read-only refuses this too
            beside.unlink()
        if isinstance(error, OSError):
            raise type(error)(error.errno, error.strerror, str(path)) from None
        raise
    return len(content)
