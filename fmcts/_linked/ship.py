"""Make the bitcode of the rules of this library's games again: `python -m fmcts._linked.ship`.

The files are named by the keys of the rules, which have the names of this library's functions and
not their code: run this after every change of them, with the oldest numba that pyproject.toml
allows, as LLVM may read no bitcode of later versions. They are for any processor: numba is told to
know none in particular.
"""

from __future__ import annotations

import os

if __name__ == '__main__':  # numba reads its settings when it is loaded
    os.environ |= {'NUMBA_CPU_NAME': 'generic', 'NUMBA_CPU_FEATURES': ''}

from collections.abc import Iterator
from typing import Any

from fmcts._linked import link
from fmcts._linked.codes import SHIPPED, name_of, rules_key
from fmcts._linked.numbas import rules_code
from fmcts.games import CHANCE_GAMES, GAMES, find_game
from fmcts.rules import rules_of

OLDEST = 20  # LLVM of the oldest numba allowed
NAMES = (*GAMES, *CHANCE_GAMES)


def games() -> Iterator[tuple[str, Any]]:
    """Yield the name and the start of each game."""
    for name in NAMES:
        yield name, find_game(name).unwrap().start


def main() -> None:
    """Write the files, and remove those of other rules."""
    if link.LLVM_VERSION > OLDEST:
        raise SystemExit(f'LLVM {OLDEST} makes what later ones read: pip install numba==0.62.0')
    written = set()
    for name, start in games():
        rules = rules_of(start)
        if rules is None:
            continue
        position = rules.pack(start)
        menu = rules.menu(position)
        path = SHIPPED / name_of(rules_key(rules, position, menu))
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(link.joined(rules_code(rules, position, menu)))
        written.add(path)
        print(f'{name:12} {path.name} {path.stat().st_size:,} bytes')
    for path in SHIPPED.glob('*.bc'):
        if path not in written:
            path.unlink()


if __name__ == '__main__':
    main()
