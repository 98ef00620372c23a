"""Families of games, each with sizes: `mnk:4,4,3`, `hex:7`, `nim:3,4,5`.

Each module has a function `game(*sizes)`, made from rules on integers by `fmcts.games.from_rules`,
so every game of a family can be used like a game's module, in compiled code too. `find_member`
finds a game by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.games.families._shared import Family
from fmcts.games.from_rules import Game

# `FAMILIES` has them in this order.
# isort: off
from fmcts.games.families import mnk as mnk
from fmcts.games.families import connect as connect
from fmcts.games.families import othello as othello
from fmcts.games.families import hex as hex  # noqa: A004 - the game's name
from fmcts.games.families import breakthrough as breakthrough
from fmcts.games.families import nim as nim

__all__ = ['FAMILIES', 'Family', 'find_member']

DIGITS: Final = 4  # of a size; no accepted size has more than two

FAMILIES: Final[Mapping[str, Family]] = MappingProxyType(
    {it.FAMILY.name: it.FAMILY for it in tuple(globals().values()) if hasattr(it, 'FAMILY')}
)


def find_member(text: str) -> Result[Game, str]:
    """Return the game that `text` names: a family, a colon and sizes.

    >>> find_member('mnk:4,4,3').unwrap()
    <game mnk:4,4,3>
    >>> find_member('mnk:4,4').failure()
    "game 'mnk:4,4': expected mnk:COLUMNS,ROWS,LENGTH, such as mnk:4,4,3"
    >>> find_member('othello:5').failure()
    "game 'othello:5': a side of the board: expected an even number, not 5"
    """
    name, _, rest = text.strip().partition(':')
    if name not in FAMILIES:
        return Failure(f'unknown family {shown(name)}: expected {", ".join(FAMILIES)}')
    family = FAMILIES[name]
    words = [word.strip() for word in rest.split(',')]
    numbers = all(w.isascii() and w.isdecimal() and len(w) <= DIGITS for w in words)
    if not numbers or not (family.several or len(words) == len(family.sizes)):
        return Failure(
            f'game {shown(text.strip())}: expected {family.pattern}, such as {family.example}'
        )
    try:
        return Success(family.make(*map(int, words)))
    except ValueError as error:
        return Failure(f'game {shown(text.strip())}: {error}')
