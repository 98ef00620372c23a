"""The folder in which machine code is cached, and whether it can be trusted.

The files hold code, so anybody who can write them can act as the user. A folder that somebody else
could write to, or replace, is therefore not used.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


def folder() -> Path | None:
    """Return the folder for machine code, an absolute path; `None` if there is none.

    It is `FMCTS_CACHE_DIR` if that is set (a relative path starts from the home folder), else
    `fmcts` in the user's cache folder; a relative `XDG_CACHE_HOME` is ignored. The folder never
    depends on the current one, which may belong to somebody else.
    """
    try:
        if chosen := os.environ.get('FMCTS_CACHE_DIR'):
            place = Path(chosen).expanduser()
        else:
            from platformdirs import user_cache_path  # noqa: PLC0415 - only this needs the extra

            place = user_cache_path('fmcts', appauthor=False, opinion=False)
        if not place.is_absolute():
            place = Path.home() / place
    except RuntimeError:  # the user has no home folder
        return None
    return place if place.is_absolute() else None


def untrusted(place: Path) -> str | None:
    """Return why others could write to or replace the folder; `None` if they cannot.

    Folders that do not exist yet will be created for the user alone. Access control lists are not
    checked.
    """
    if not hasattr(os, 'getuid'):
        return None  # Windows has neither owners by number nor these modes; profiles are private
    user = os.getuid()
    if user != os.geteuid():
        return 'the process runs with the rights of another user'
    # The owner of the root folder can do anything anyway.
    able = {user, 0, Path('/').stat().st_uid}
    real = Path(os.path.realpath(place))
    for one in (real, *real.parents):
        try:
            found = one.stat()
        except OSError:  # absent or inaccessible: then nothing can be read from it
            continue
        if found.st_uid not in ({user} if one == real else able):
            return f'{one} belongs to another user'
        # In a sticky folder, such as /tmp, others can add files but not replace any.
        sticky = one != real and found.st_mode & stat.S_ISVTX
        if found.st_mode & OTHERS and not sticky:
            return f'others may write to {one} (chmod go-w {one})'
    return None


def owner_only(found: os.stat_result) -> bool:
    """Return whether this is a plain file that only the user can have written."""
    if not stat.S_ISREG(found.st_mode):
        return False
    return not hasattr(os, 'getuid') or (found.st_uid == os.getuid() and not found.st_mode & OTHERS)


def make(place: Path) -> None:
    """Create the folder and its missing parents, for the user alone.

    :raises OSError: the folder cannot be created.
    """
    for one in (*reversed(place.parents), place):
        if not one.is_dir():
            one.mkdir(mode=0o700, exist_ok=True)
