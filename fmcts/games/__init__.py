"""The games: tic-tac-toe, Connect Four and Othello, each a module of the same shape.

>>> find_game('connect4').map(lambda game: game.start.moves)
<Success: (0, 1, 2, 3, 4, 5, 6)>
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol

from returns.result import Failure, Result, Success

from fmcts.arguments import shown
from fmcts.game import GameState
from fmcts.games import connect4, othello, tictactoe

__all__ = ['GAMES', 'GameModule', 'connect4', 'find_game', 'othello', 'tictactoe']


class GameModule(Protocol):
    """What a game's module gives beside its state class: a start, and text in both directions."""

    @property
    def name(self) -> str:
        """The game's name, as the command line takes it."""

    @property
    def start(self) -> GameState[int]:
        """The position in which the game begins."""

    def parse(self, text: str) -> Result[GameState[int], str]:
        """The position written in `text`, or one line about what is wrong with it."""

    # A module's function takes its own state class, which no common annotation can name.
    def format(self, state: Any) -> str:
        """The position as lines of text; `parse` gives it back."""

    def parse_move(self, text: str) -> Result[int, str]:
        """The move written in `text`, legal or not, or one line about what was expected."""

    def format_move(self, move: int) -> str:
        """The move as text; `parse_move` gives it back.

        :raises ValueError: the game has no such move.
        """


GAMES: Final[Mapping[str, GameModule]] = MappingProxyType(
    {game.name: game for game in (tictactoe, connect4, othello)}
)


def find_game(name: str) -> Result[GameModule, str]:
    """The game called `name`; the failure says which names there are.

    >>> find_game('conect4').failure()
    "unknown game 'conect4': expected tictactoe, connect4 or othello; did you mean connect4?"
    """
    if name in GAMES:
        return Success(GAMES[name])
    *others, last = GAMES
    close = difflib.get_close_matches(name.lower(), GAMES, n=1, cutoff=0.5)
    hint = f'; did you mean {close[0]}?' if close else ''
    return Failure(f'unknown game {shown(name)}: expected {", ".join(others)} or {last}{hint}')
