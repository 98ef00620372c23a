"""Machine code on disk, so that later processes need not compile.

The files are stored in the folder returned by `place` and may be deleted at any time. A file that
is damaged, unreadable or from another version counts as absent. If the folder cannot be written to,
the next process compiles again. A folder that others can write to is not used. There is a notice of
both.
"""

from __future__ import annotations

import functools
import hashlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fmcts import notices
from fmcts._content.naming import UnknownValueError
from fmcts._numba.cache import files, on_disk
from fmcts._numba.cache.place import folder, untrusted
from fmcts._numba.private import from_bytes, is_portable, to_bytes


@functools.lru_cache(maxsize=1 << 8)
def _tell_once(notice: str) -> None:
    notices.info(notice)


class DiskCache:
    """A cache with numba's interface for dispatchers: one file for each name and signature.

    `name` returns the name of the code as it would be compiled now; if it raises
    `UnknownValueError`, nothing is cached, and every process compiles the code again. `about`
    describes the code in notices.
    """

    def __init__(self, name: Callable[[], str], about: str) -> None:
        self.name = name
        self.about = about
        self.file: Path | None = None  # of the code that is being compiled

    @property
    def cache_path(self) -> str:
        """The folder, as numba reports it."""
        return str(folder())

    def _file(self, sig: object) -> Path | None:
        """Return the file for the code as it would be compiled now.

        Return `None`, with a notice, if the code cannot be cached. Nothing is remembered here: the
        value of a global name may change before the code is compiled.
        """
        place = folder()
        if place is None:
            return None
        why = untrusted(place)
        if why:
            _tell_once(f'machine code is not cached in {place}: {why}')
            return None
        try:
            name = self.name()
        except UnknownValueError as error:
            _tell_once(f'machine code is not cached, as a change would go unnoticed: {error}')
            return None
        return place / hashlib.sha256(f'{name} {sig}'.encode()).hexdigest()

    def load_overload(self, sig: object, target_context: Any) -> Any:
        """Return the code for the signature; if `None`, numba compiles and saves it."""
        self.file = self._file(sig)
        on_disk.used(self.file)
        contents = None if self.file is None else files.read(self.file)
        try:
            if contents is not None:
                # Our own file in the user's own folder, found by its key.
                return from_bytes(contents, target_context)
        except Exception:  # whatever an unusable file raises: it counts as absent
            logging.getLogger(__name__).debug('unusable file %s', self.file, exc_info=True)
        on_disk.check_compiling(self.about)
        once = 'in every process' if self.file is None else 'once on this machine'
        notices.info(f'compiling {self.about}: a few seconds, {once}')
        return None

    def save_overload(self, sig: object, data: Any) -> None:
        """Save the code, if possible, unless what it was compiled from has changed since."""
        file = self.file
        if file is None or not is_portable(data) or self._file(sig) != file:
            return
        why = files.write(file, to_bytes(data))
        if why:
            _tell_once(f'machine code cannot be kept in {file.parent}: {why}')

    def enable(self) -> None:
        """Do nothing: the cache is always on."""

    def disable(self) -> None:
        """Do nothing: the cache cannot be switched off."""

    def flush(self) -> None:
        """Do nothing: files are named by their content and cannot be out of date."""
