"""The compiled engine linked for pages: a search of one game in some kilobytes of WebAssembly.

Of some searches of the library's games the files are shipped beside the rules (`ship`); others are
linked where a linker for WebAssembly is installed, and kept in the cache folder. `pages` names
them, without LLVM.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import llvmlite.binding as llvm

from fmcts._linked import link
from fmcts._linked.build import LOOP_OF_PAGES
from fmcts._linked.codes import cached, rules_of, write
from fmcts._linked.keys import SHIPPED
from fmcts._linked.pages import EXPORTED, OPTIONS, name_of, pieces_of
from fmcts.search import Search

LINKERS: Final = ('wasm-ld-15', 'wasm-ld')
MADE_BY: Final = 'LLVM 22.1.0, Debian LLD 15.0.6'
"""The versions that made the shipped files; others may give other bytes, which do the same."""


def linker() -> str | None:
    """Return the path of a linker for WebAssembly; `None` if there is none."""
    return next(filter(None, map(shutil.which, LINKERS)), None)


def versions() -> str:
    """Return the versions of what links here, as in `MADE_BY`."""
    said = subprocess.run([linker() or '', '--version'], capture_output=True, check=True, text=True)  # noqa: S603 - found above
    return f'LLVM {".".join(map(str, llvm.llvm_version_info))}, {said.stdout.strip()}'


def linked(parts: Sequence[str | bytes]) -> bytes:
    """Return the loop and these parts as a WebAssembly file.

    :raises OSError: there is no linker.
    """
    module = link.linked(LOOP_OF_PAGES, parts, EXPORTED)
    with tempfile.TemporaryDirectory() as folder:
        made, out = Path(folder, 'search.o'), Path(folder, 'search.wasm')
        made.write_bytes(link.machine(LOOP_OF_PAGES).emit_object(module))
        command = [linker() or LINKERS[0], *OPTIONS, *(f'--export={name}' for name in EXPORTED)]
        subprocess.run([*command, '-o', out, made], check=True)  # noqa: S603 - fixed arguments
        return out.read_bytes()


def file_of(state: Any, search: Search, *, stdgen: bool = False, anew: bool = False) -> Path | None:
    """Return the path of the WebAssembly file of such searches, which is made if need be.

    `anew`: make it in the folder of the shipped files. `None` if there is no linker.
    """
    _, parts = pieces_of(state, search, stdgen=stdgen)
    name = name_of(parts)
    path = SHIPPED / name if anew else cached(name)
    if path.exists() and not anew:
        return path
    if linker() is None:
        return None
    write(path, linked([rules_of(parts.rules, parts.position), *parts.all()]))
    return path if path.exists() else None
