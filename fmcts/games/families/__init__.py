"""Families of games, each with sizes: `mnk:4,4,3`, `hex:7`, `nim:3,4,5`.

Each module has a function `game(*sizes)`, made from rules on integers by `fmcts.games.from_rules`,
so every game of a family can be used like a game's module, in compiled code too. `find_member`
finds a game by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.games.families import breakthrough, connect, hex as hex_boards, mnk, nim, othello
from fmcts.games.from_rules import Game

__all__ = ['FAMILIES', 'Family', 'find_member']

DIGITS: Final = 4  # of a size; no accepted size has more than two


@frozen
class Family:
    """A family of games: its name, the names of its sizes, and `make(*sizes)`.

    `make` raises `ValueError` for sizes that are not accepted. With `several`, any number of sizes
    may be given.
    """

    name: str
    sizes: tuple[str, ...]
    example: str
    about: str
    make: Callable[..., Game]
    several: bool = False

    @property
    def pattern(self) -> str:
        """The form of a game's name.

        >>> FAMILIES['mnk'].pattern, FAMILIES['nim'].pattern
        ('mnk:COLUMNS,ROWS,LENGTH', 'nim:PILE,...')
        """
        return f'{self.name}:{",".join(self.sizes)}{",..." if self.several else ""}'


FAMILIES: Final[Mapping[str, Family]] = MappingProxyType(
    {
        family.name: family
        for family in (
            Family(
                'mnk',
                ('COLUMNS', 'ROWS', 'LENGTH'),
                'mnk:4,4,3',
                'LENGTH in a row on a board',
                mnk.game,
            ),
            Family(
                'connect',
                ('COLUMNS', 'ROWS', 'LENGTH'),
                'connect:5,4,4',
                'LENGTH in a row, with gravity',
                connect.game,
            ),
            Family('othello', ('SIZE',), 'othello:6', 'Othello on other sizes', othello.game),
            Family(
                'hex',
                ('SIZE',),
                'hex:7',
                'X joins top and bottom, O the sides',
                hex_boards.game,
            ),
            Family(
                'breakthrough',
                ('ROWS', 'COLUMNS'),
                'breakthrough:6,6',
                "reach the opponent's last row",
                breakthrough.game,
            ),
            Family(
                'nim',
                ('PILE',),
                'nim:3,4,5',
                'take the last counter',
                nim.game,
                several=True,
            ),
        )
    }
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
