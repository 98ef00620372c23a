"""States of other libraries' games, identified by the moves that led to them.

Libraries keep other state beside the board, and may or may not compare it. The start and the moves
determine everything, so equality, hashing and pickling use these. If a library says what a state is
by less, such as a text without the moves, a subclass may define `identity` by that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable
from fractions import Fraction
from functools import reduce
from typing import Any, Self

from attrs import field, frozen

from fmcts._arguments import cut, did_you_mean, shown
from fmcts.game import Player, illegal, is_legal, options_of

__all__ = ['Replayed']

DENOMINATOR = 10_000  # the largest of a probability
ROUNDING = 1e-12  # the difference to a probability, as a share of it
RANDOM_START = 'it does not always start in the same state, so there is chance in it'


def environment(
    library: str, game: object, names: Collection[str], make: Callable[[str], Any], member: str
) -> Any:
    """Return the environment that `make` makes of a name of the library, or `game` itself makes.

    :param member: an attribute that all environments of the library have.
    :raises ValueError: `game` is neither of `names` nor a function that makes an environment.
    """
    if isinstance(game, str):
        if game not in names:
            meant = did_you_mean(game, tuple(names))
            raise ValueError(f'{library} has no game {cut(game)!r}{meant}')
        return make(game)
    if not callable(game):
        raise ValueError(  # noqa: TRY004 - as for any wrong argument
            f'game must be a name in {library}, or a function that makes an environment, not '
            f'{shown(game)}'
        )
    made = game()
    if not hasattr(made, member):
        raise ValueError(f'{shown(game)} gives {shown(made)}, which is not an environment')
    return made


def unfit(library: str, name: str, why: str) -> ValueError:
    """Return the error about a game that cannot be searched."""
    return ValueError(
        f"{library}'s game {name} cannot be searched: {why}; expected a board game for two players "
        'in turn, without chance or hidden information'
    )


def whole_weights(chances: tuple[float, ...]) -> tuple[int, ...] | None:
    """Return whole numbers that are as the probabilities; `None` if these are not fractions.

    >>> whole_weights((1 / 3, 1 / 2, 1 / 6)), whole_weights((0.3, 0.3))
    ((2, 3, 1), None)
    """
    found = [Fraction(chance).limit_denominator(DENOMINATOR) for chance in chances]
    whole = math.lcm(*(each.denominator for each in found))
    if (
        sum(found) != 1
        or whole >= 1 << 31
        or any(
            abs(float(each) - chance) > ROUNDING * chance
            for each, chance in zip(found, chances, strict=True)
        )
    ):
        return None
    return tuple(each.numerator * (whole // each.denominator) for each in found)


def alike(one: Any, two: Any) -> bool:
    """Return whether two values are equal, including arrays in them."""
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(alike(one[key], two[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(two) and all(map(alike, one, two))
    same = one == two
    return bool(same.all() if hasattr(same, 'all') else same)


@frozen(eq=False)
class Replayed:
    """A state with the moves that led to it.

    `origin` is a function and its argument, which return the first state. A subclass holds the
    other library's state, which it never changes, and defines `after`.
    """

    origin: tuple[Callable[..., Any], Hashable] = field(repr=False)
    history: tuple[Any, ...]
    moves: tuple[Any, ...] = field(repr=False)
    player: Any
    winner: Player | None

    @property
    def over(self) -> bool:
        """True if the game is finished."""
        return not self.moves

    @property
    def identity(self) -> Any:
        """The key to compare states from the same start by: the moves, unless overridden."""
        return self.history

    def play(self, move: Any, /) -> Self:
        """Return the state after `move`; this state does not change.

        :raises IllegalMoveError: `move` is not one of `moves`.
        """
        moves = self.moves or options_of(self)  # the outcomes, where chance moves
        if not is_legal(move, moves):
            raise illegal(self, move)
        return self.after(moves[moves.index(move)])

    def after(self, move: Any) -> Self:
        """Return the state after a legal move."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same start and `identity`."""
        if not isinstance(other, Replayed) or type(self) is not type(other):
            return NotImplemented
        return self.identity == other.identity and self.origin == other.origin

    def __hash__(self) -> int:
        """Return the hash of the `identity`."""
        return hash(self.identity)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the start and the moves, to pickle."""
        # By its moves, as objects of other libraries may not pickle.
        return replayed, (*self.origin, self.history)


def replayed(begin: Callable[..., Any], given: Any, history: tuple[Any, ...]) -> Any:
    """Return the state after these moves."""
    return reduce(lambda state, move: state.play(move), history, begin(given))
