"""The games: tic-tac-toe, Connect Four and Othello, and families of boards with sizes.

The three are modules of the same shape: members of their families, with states written by hand for
Python's speed; `test_the_library_s_games_keep_all_laws` compares these with the rules. All others
are made in one step from rules on integers (`from_rules`), which is also how to make your own game.

>>> find_game('connect4').map(lambda game: game.start.moves)
<Success: (0, 1, 2, 3, 4, 5, 6)>
>>> find_game('nim:1,2').map(lambda game: game.start.moves)
<Success: (0, 2, 3)>
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol

from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.game import GameState
from fmcts.games import connect4, othello, tictactoe
from fmcts.games._cells import (
    Cells as Cells,
    Place as Place,
    moved as moved,
    read_cells as read_cells,
    winning_line as winning_line,
)
from fmcts.games._printing import Unwritten as Unwritten, written as written
from fmcts.games.chance import CHANCE_GAMES, find_chance_game
from fmcts.games.families import FAMILIES, find_member
from fmcts.games.from_rules import Game

__all__ = [
    'CHANCE_GAMES',
    'FAMILIES',
    'GAMES',
    'GameModule',
    'connect4',
    'find_game',
    'game_of',
    'game_of_class',
    'othello',
    'tictactoe',
]


class GameModule(Protocol):
    """The interface of a game's module: its name, its start, and text in both directions."""

    @property
    def name(self) -> str:
        """The game's name, as the command line takes it."""

    @property
    def start(self) -> GameState[int]:
        """The position in which the game starts."""

    def parse(self, text: str) -> Result[GameState[int], str]:
        """Return the position written in `text`, or one line about what is wrong with it."""

    # Each module's function takes its own state class, which no common annotation can name.
    def format(self, state: Any) -> str:
        """Return the position as lines of text, which `parse` reads back."""

    def parse_move(self, text: str) -> Result[int, str]:
        """Return the move written in `text`, legal or not, or one line about what was expected."""

    def format_move(self, move: int) -> str:
        """Return the move as text, which `parse_move` reads back.

        :raises ValueError: the game has no such move.
        """


GAMES: Final[Mapping[str, GameModule]] = MappingProxyType(
    {game.name: game for game in (tictactoe, connect4, othello)}
)


def game_of(state: GameState[Any]) -> GameModule | None:
    """Return the game of a state: of this library, or made by `make_game`; else `None`.

    >>> game_of(connect4.start.play(3)).name
    'connect4'
    """
    return game_of_class(type(state))


def game_of_class(kind: type) -> GameModule | None:
    """Return the game of a class of states; see `game_of`."""
    made = getattr(kind, 'game', None)
    if isinstance(made, Game):
        return made
    return next((game for game in GAMES.values() if issubclass(kind, type(game.start))), None)


def find_game(name: str) -> Result[GameModule, str]:
    """Return the game called `name`, or a family's game with sizes; a failure lists the names.

    >>> find_game('hexx').failure().partition(', or sizes ')[0]
    "unknown game 'hexx': expected tictactoe, connect4 or othello"
    >>> find_game('hex').failure()
    "game 'hex': expected hex:SIZE, such as hex:7"
    """
    if name in GAMES:
        return Success(GAMES[name])
    if name.strip().partition(':')[0] in FAMILIES:
        return find_member(name)
    if name.strip().partition(':')[0] in CHANCE_GAMES:
        return find_chance_game(name)
    names = (*GAMES, *FAMILIES, *CHANCE_GAMES)
    close = difflib.get_close_matches(name.lower().partition(':')[0], names, n=1, cutoff=0.5)
    hint = f'; did you mean {close[0]}?' if close else ''
    families = _either(f'{family}:' for family in FAMILIES)
    return Failure(
        f'unknown game {shown(name)}: expected {_either(GAMES)}, or sizes after {families}; '
        f'with dice or for one or three players: {_either(CHANCE_GAMES)}{hint}'
    )


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f'{", ".join(others)} or {last}'
