"""Make the bitcode of the rules of this library's games again: `python -m fmcts._linked.ship`.

With the argument `pages` it makes the WebAssembly files of their searches, from that bitcode.

The files are named by the keys of the rules, which have the names of this library's functions and
not their code: run this after every change of them, with the oldest numba that pyproject.toml
allows, as LLVM may read no bitcode of later versions. They are for any processor: numba is told to
know none in particular.
"""

from __future__ import annotations

import os
import subprocess
import sys

if __name__ == '__main__':  # numba reads its settings when it is loaded
    os.environ |= {'NUMBA_CPU_NAME': 'generic', 'NUMBA_CPU_FEATURES': ''}

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import llvmlite.binding as llvm

from fmcts._linked import codes, link
from fmcts._linked.keys import SHIPPED
from fmcts._linked.numbas import rules_code
from fmcts._linked.pages import LINKERS, OFFERED, linked, linker, name_of, pieces_of
from fmcts.games import CHANCE_GAMES, GAMES, find_game
from fmcts.rules import rules_of

OLDEST = 20  # LLVM of the oldest numba allowed
NAMES = (*GAMES, *CHANCE_GAMES)

File: TypeAlias = tuple[str, str, bytes]
"""What to say of a file, its name, and what is in it."""


def games() -> Iterator[tuple[str, Any]]:
    """Yield the name and the start of each game."""
    for name in NAMES:
        yield name, find_game(name).unwrap().start


def rules() -> Iterator[File]:
    """Yield the files of rules."""
    if link.LLVM_VERSION > OLDEST:
        raise SystemExit(f'LLVM {OLDEST} makes what later ones read: pip install numba==0.62.0')
    for name, start in games():
        found = rules_of(start)
        if found is not None:
            given = found, found.pack(start)
            yield f'{name:12}', codes.name_of(*given), link.joined(rules_code(*given))


def pages() -> Iterator[File]:
    """Yield the WebAssembly files of searches in pages."""
    found = linker()
    if found is None:
        raise SystemExit(f'there is no linker for WebAssembly, such as {LINKERS[0]}')
    for name, game in GAMES.items():
        for options, search in OFFERED.items():
            _, parts = pieces_of(game.start, search, stdgen=False)
            yield f'{name:12} {options:22}', name_of(parts), linked(parts, found)


def write(files: Iterable[File], ending: str) -> int:
    """Write files, remove others with that ending, and return how many there are."""
    SHIPPED.mkdir(exist_ok=True)
    written = set()
    for what, name, content in files:
        (SHIPPED / name).write_bytes(content)
        print(f'{what} {name} {len(content):,} bytes')
        written.add(name)
    for path in SHIPPED.glob(f'*{ending}'):
        if path.name not in written:
            path.unlink()
    return len(written)


def versions() -> str:
    """Return the versions of what links for pages here, as in `pages.MADE_BY`."""
    said = subprocess.run([linker() or '', '--version'], capture_output=True, check=True, text=True)  # noqa: S603 - found above
    return f'LLVM {".".join(map(str, llvm.llvm_version_info))}, {said.stdout.strip()}'


if __name__ == '__main__':
    if sys.argv[1:] == ['pages']:
        print(f'{write(pages(), ".wasm")} files by {versions()}')
    else:
        write(rules(), '.bc')
