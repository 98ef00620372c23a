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

from collections.abc import Iterator
from typing import Any

import llvmlite.binding as llvm

from fmcts._linked import link
from fmcts._linked.codes import name_of
from fmcts._linked.keys import SHIPPED
from fmcts._linked.numbas import rules_code
from fmcts._linked.pages import LINKERS, OFFERED, file_of, linker, pieces_of
from fmcts.games import CHANCE_GAMES, GAMES, find_game
from fmcts.rules import rules_of

OLDEST = 20  # LLVM of the oldest numba allowed
NAMES = (*GAMES, *CHANCE_GAMES)


def games() -> Iterator[tuple[str, Any]]:
    """Yield the name and the start of each game."""
    for name in NAMES:
        yield name, find_game(name).unwrap().start


def main() -> None:
    """Write the files, and remove the files of other rules."""
    if link.LLVM_VERSION > OLDEST:
        raise SystemExit(f'LLVM {OLDEST} makes what later ones read: pip install numba==0.62.0')
    written = set()
    for name, start in games():
        rules = rules_of(start)
        if rules is None:
            continue
        position = rules.pack(start)
        path = SHIPPED / name_of(rules, position)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(link.joined(rules_code(rules, position)))
        written.add(path)
        print(f'{name:12} {path.name} {path.stat().st_size:,} bytes')
    for path in SHIPPED.glob('*.bc'):
        if path not in written:
            path.unlink()


def pages() -> Iterator[Any]:
    """Make the WebAssembly files of searches in pages, and remove others; yield their paths."""
    made = []
    for name, game in GAMES.items():
        for options, search in OFFERED.items():
            path = file_of(pieces_of(game.start, search, stdgen=False)[1], anew=True)
            if path is None:
                raise SystemExit(f'there is no linker for WebAssembly, such as {LINKERS[0]}')
            print(f'{name:12} {options:22} {path.name} {path.stat().st_size:,} bytes')
            made.append(path)
            yield path
    for path in SHIPPED.glob('*.wasm'):
        if path not in made:
            path.unlink()


def versions() -> str:
    """Return the versions of what links for pages here, as in `pages.MADE_BY`."""
    said = subprocess.run([linker() or '', '--version'], capture_output=True, check=True, text=True)  # noqa: S603 - found above
    return f'LLVM {".".join(map(str, llvm.llvm_version_info))}, {said.stdout.strip()}'


if __name__ == '__main__':
    if sys.argv[1:] == ['pages']:
        print(f'{len([*pages()])} files by {versions()}')
    else:
        main()
