"""Games with dice, and games for one or three players: `pig`, `bearoff`, `2048` and `mnk3`.

Each module has a state class and `start(*sizes)`; a name without sizes takes those that the game is
usually played with.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.games._printing import Unwritten

__all__ = ['CHANCE_GAMES', 'ChanceGame', 'find_chance_game']


@frozen
class ChanceGame:
    """Games of one name: the names of their sizes, and their module."""

    name: str
    sizes: tuple[str, ...]
    module: str

    def start(self, *sizes: int) -> Any:
        """Return the start of the game with these sizes; its module is loaded only now.

        :raises ValueError: the sizes are not accepted.
        """
        return import_module(f'{__name__}.{self.module}').start(*sizes)


CHANCE_GAMES: Final[Mapping[str, ChanceGame]] = MappingProxyType(
    {
        game.name: game
        for game in (
            ChanceGame('pig', ('TARGET',), 'pig'),
            ChanceGame('bearoff', ('CHECKERS',), 'bearoff'),
            ChanceGame('2048', ('SIZE',), 'tiles'),
            ChanceGame('mnk3', ('COLUMNS', 'ROWS', 'LENGTH'), 'mnk3'),
        )
    }
)


def find_chance_game(text: str) -> Result[Unwritten, str]:
    """Return the game of a name, with sizes after a colon or without.

    >>> find_chance_game('pig:50').unwrap().start.target
    50
    >>> find_chance_game('mnk3:4,4').failure()
    "game 'mnk3:4,4': expected mnk3 or mnk3:COLUMNS,ROWS,LENGTH"
    """
    name, colon, rest = text.strip().partition(':')
    if name not in CHANCE_GAMES:
        return Failure(f'unknown game {shown(name)}: expected {", ".join(CHANCE_GAMES)}')
    game = CHANCE_GAMES[name]
    words = [word.strip() for word in rest.split(',')] if colon else []
    numbers = all(word.isascii() and word.isdecimal() and len(word) <= 4 for word in words)
    if not numbers or (colon and len(words) != len(game.sizes)):
        return Failure(
            f'game {shown(text.strip())}: expected {name} or {name}:{",".join(game.sizes)}'
        )
    try:
        return Success(Unwritten(text.strip(), game.start(*map(int, words))))
    except ValueError as error:
        return Failure(f'game {shown(text.strip())}: {error}')
