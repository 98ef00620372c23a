"""Machine code on disk, so that later processes need not compile.

The files lie in the folder `FMCTS_CACHE_DIR` if that is set, else in `fmcts` in the user's cache
folder; all may be deleted at any time. A file that is damaged, of another version or not readable
counts as absent, and a folder that cannot be written to only costs the compilation next time.
Like any cache of code, the folder must not be writable for people who are not trusted.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from fmcts.search import notices

__all__ = ['DiskCache', 'folder']

DIGEST: Final = 32  # bytes before each file's contents


def folder() -> Path | None:
    """Where machine code is kept; `None` when no place is known."""
    chosen = os.environ.get('FMCTS_CACHE_DIR')
    if chosen:
        return Path(chosen)
    try:
        if sys.platform == 'win32':
            base = Path(os.environ.get('LOCALAPPDATA') or Path.home() / 'AppData' / 'Local')
        elif sys.platform == 'darwin':
            base = Path.home() / 'Library' / 'Caches'
        else:
            base = Path(os.environ.get('XDG_CACHE_HOME') or Path.home() / '.cache')
    except RuntimeError:  # a user without a home
        return None
    return base / 'fmcts'


class DiskCache:
    """What numba asks of a dispatcher's cache: one file for each key and signature.

    Without a `key` nothing is kept, and code is compiled afresh in every process. `about` says in
    the notice what is being compiled.
    """

    def __init__(self, key: str | None, about: str) -> None:
        self.key = key
        self.about = about

    @property
    def cache_path(self) -> str:
        """The folder, as numba reports it."""
        return str(folder())

    def _file(self, sig: object) -> Path | None:
        place = folder()
        if place is None or self.key is None:
            return None
        return place / hashlib.sha256(f'{self.key} {sig}'.encode()).hexdigest()

    def load_overload(self, sig: object, target_context: Any) -> Any:
        """The code for the signature; after `None` numba compiles, and calls `save_overload`."""
        # numba's own cache would load every implementation that numba has, which takes longer than
        # all the rest. Finished code needs none of them, but crashes without the array runtime.
        rtsys.initialize(target_context)
        file = self._file(sig)
        try:
            if file is not None:
                contents = file.read_bytes()
                if hashlib.sha256(contents[DIGEST:]).digest() == contents[:DIGEST]:
                    # Our own file in the user's own folder, as named by its key.
                    parts = pickle.loads(contents[DIGEST:])  # noqa: S301
                    return CompileResult._rebuild(target_context, *parts)  # noqa: SLF001
        except OSError:
            pass  # absent, most often
        except Exception:  # whatever a damaged file may raise: it counts as absent
            logging.getLogger(__name__).debug('unusable file %s', file, exc_info=True)
        once = 'in every process' if file is None else 'once on this machine'
        notices.tell(f'compiling {self.about}: a few seconds, {once}')
        return None

    def save_overload(self, sig: object, data: Any) -> None:
        """Keep the code, if possible; readers see a whole file or none."""
        file = self._file(sig)
        # numba puts a global array of more than a megabyte into the code by its address, which is
        # another one in every process.
        if file is None or data.library.has_dynamic_globals:
            return
        contents = dumps(data._reduce())  # noqa: SLF001 - numba has no public way
        temporary = ''
        try:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, temporary = tempfile.mkstemp(dir=file.parent, prefix='new-')
            with os.fdopen(handle, 'wb') as stream:
                stream.write(hashlib.sha256(contents).digest() + contents)
            Path(temporary).replace(file)
        except OSError:
            if temporary:
                Path(temporary).unlink(missing_ok=True)

    def enable(self) -> None:
        """Nothing: it is on."""

    def disable(self) -> None:
        """Nothing: it cannot be switched off."""

    def flush(self) -> None:
        """Nothing: files are named by what is in them, so none is ever out of date."""
