"""States of other libraries' games, identified by the moves that led to them.

Libraries keep other state beside the board, and may or may not compare it. The start and the moves
determine everything, so equality, hashing and pickling use these.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import reduce
from typing import Any, Self

from attrs import field, frozen

from fmcts._arguments import shown
from fmcts.game import Player, illegal, is_legal

__all__ = ['Replayed', 'check_make']


def check_make(library: str, game: object) -> None:
    """Raise `ValueError` unless `game` is a name, or a function that makes an environment."""
    if not isinstance(game, str) and not callable(game):
        raise ValueError(  # noqa: TRY004 - as for any wrong argument
            f'game must be a name in {library}, or a function that makes an environment, not '
            f'{shown(game)}'
        )


@frozen(eq=False)
class Replayed:
    """A state with the moves that led to it.

    `origin` is a function and its argument, which return the first state. A subclass holds the
    other library's state, which it never changes, and defines `after`.
    """

    origin: tuple[Callable[..., Any], Hashable] = field(repr=False)
    history: tuple[Any, ...]
    moves: tuple[Any, ...] = field(repr=False)
    player: Player
    winner: Player | None

    @property
    def over(self) -> bool:
        """True if the game is finished."""
        return not self.moves

    def play(self, move: Any, /) -> Self:
        """Return the state after `move`; this state does not change.

        :raises IllegalMoveError: `move` is not one of `moves`.
        """
        if not is_legal(move, self.moves):
            raise illegal(self, move)
        return self.after(self.moves[self.moves.index(move)])

    def after(self, move: Any) -> Self:
        """Return the state after a legal move."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        """Return whether the same moves led from the same start to both."""
        if not isinstance(other, Replayed) or type(self) is not type(other):
            return NotImplemented
        return self.history == other.history and self.origin == other.origin

    def __hash__(self) -> int:
        """Return the hash of the moves."""
        return hash(self.history)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the start and the moves, to pickle."""
        return replayed, (*self.origin, self.history)


def replayed(begin: Callable[..., Any], given: Any, history: tuple[Any, ...]) -> Any:
    """Return the state after these moves."""
    return reduce(lambda state, move: state.play(move), history, begin(given))
