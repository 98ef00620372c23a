"""What a game is: two players, and a frozen state with five members.

Read this first. A game is any immutable value with the five members of `GameState`; there is
nothing to register and nothing to inherit. Everything else in the library is written against them.
"""

from __future__ import annotations

import enum
from typing import Any, Protocol, Self, TypeVar

from returns.maybe import Maybe
from returns.result import Failure, Result, Success

__all__ = [
    'FinishedGameError',
    'GameState',
    'IllegalMoveError',
    'Player',
    'checked_play',
    'illegal',
    'reward',
    'winner_of',
]


class Player(enum.Enum):
    """One of the two players; `X` begins in every game of this library.

    >>> Player.X.other
    <Player.O: 'O'>
    """

    X = 'X'
    O = 'O'  # noqa: E741 - the player's name, as every board prints it

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player.O if self is Player.X else Player.X

    def __str__(self) -> str:
        """The letter that stands on the boards."""
        return self.name


M = TypeVar('M')


class GameState(Protocol[M]):
    """A position of a two-player game: an immutable, hashable value with five members.

    `moves` stands in a fixed (canonical) order and is empty exactly when the game is `over`.
    A forced pass is a move, so the same player may be on turn twice in a row: nothing may be
    inferred from the number of plies.
    """

    @property
    def player(self) -> Player:
        """The side to move (in a finished game, the side whose turn it would be)."""

    @property
    def moves(self) -> tuple[M, ...]:
        """The legal moves in canonical order; `()` exactly when the game is over."""

    @property
    def over(self) -> bool:
        """Whether the game is finished."""

    @property
    def winner(self) -> Player | None:
        """The winner of a finished game; `None` for a draw and while the game goes on."""

    def play(self, move: M, /) -> Self:
        """The state after `move`; this state stays as it is.

        :raises IllegalMoveError: `move` is not one of `moves`.
        """


S = TypeVar('S', bound=GameState[Any])


class IllegalMoveError(ValueError):
    """A move that is not legal in the state it was to be played in."""


class FinishedGameError(ValueError):
    """A move or a search was asked for in a game that is over."""


def illegal(state: GameState[Any], move: object) -> IllegalMoveError:
    """The error that names an illegal `move` and the legal ones; the caller raises it."""
    if state.over:
        return IllegalMoveError(f'illegal move {move!s}: the game is over')
    legal = ', '.join(map(str, state.moves))
    return IllegalMoveError(f'illegal move {move!s}: the legal moves are {legal}')


def checked_play(state: S, move: object) -> Result[S, IllegalMoveError]:
    """The state after `move`, or why it may not be played. Never raises.

    >>> from fmcts.games import tictactoe
    >>> checked_play(tictactoe.start, 9).failure()
    IllegalMoveError('illegal move 9: the legal moves are 0, 1, 2, 3, 4, 5, 6, 7, 8')
    """
    if move not in state.moves:
        return Failure(illegal(state, move))
    return Success(state.play(move))


def winner_of(state: GameState[Any]) -> Maybe[Player]:
    """`Some(player)` when `state` is a finished game that somebody won, else `Nothing`."""
    return Maybe.from_optional(state.winner if state.over else None)


def reward(winner: Player | None, player: Player) -> float:
    """What the end of a game is worth to `player`: 1 for a win, 1/2 for a draw, 0 for a loss.

    The rewards of the two players add to 1, and sums of halves are exact in binary.

    >>> reward(Player.O, Player.X), reward(None, Player.X), reward(Player.X, Player.X)
    (0.0, 0.5, 1.0)
    """
    if winner is None:
        return 0.5
    return 1.0 if winner is player else 0.0
