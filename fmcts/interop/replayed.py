"""What states made of another library's have in common: they are known by the moves that led there.

Libraries keep what they like beside the board, and compare it or not. The start and the moves say
it all, so equality, hashing and pickles go by these.
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
    """Raise `ValueError` unless `game` is a name, or a function that gives an environment."""
    if not isinstance(game, str) and not callable(game):
        raise ValueError(  # noqa: TRY004 - as for any wrong argument
            f'game must be a name in {library}, or a function that gives an environment, '
            f'not {shown(game)}'
        )


@frozen(eq=False)
class Replayed:
    """A state with the moves that led to it.

    `origin` is a function and what it is called with; it gives the state where the game began.
    A subclass has the other library's own state, which it never changes, and `after`.
    """

    origin: tuple[Callable[..., Any], Hashable] = field(repr=False)
    history: tuple[Any, ...]
    moves: tuple[Any, ...] = field(repr=False)
    player: Player
    winner: Player | None

    @property
    def over(self) -> bool:
        """Whether the game is finished."""
        return not self.moves

    def play(self, move: Any, /) -> Self:
        """The state after `move`; this one stays as it is.

        :raises IllegalMoveError: `move` is not one of `moves`.
        """
        if not is_legal(move, self.moves):
            raise illegal(self, move)
        return self.after(self.moves[self.moves.index(move)])

    def after(self, move: Any) -> Self:
        """The state after a legal move."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        """Whether the same moves led from the same start to both."""
        if not isinstance(other, Replayed) or type(self) is not type(other):
            return NotImplemented
        return self.history == other.history and self.origin == other.origin

    def __hash__(self) -> int:
        """Equal states have equal hashes."""
        return hash(self.history)

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle holds the start and the moves."""
        return replayed, (*self.origin, self.history)


def replayed(begin: Callable[..., Any], given: Any, history: tuple[Any, ...]) -> Any:
    """The state to which these moves lead."""
    return reduce(lambda state, move: state.play(move), history, begin(given))
