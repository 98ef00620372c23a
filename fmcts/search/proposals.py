"""Moves that are proposed: for states whose moves, or outcomes of chance, cannot be listed.

A node has the moves that were proposed there so far. With more visits it gets more: another is due
as long as there are fewer than `c * t**alpha` at visit t (progressive widening), and so with the
outcomes where chance moves (double progressive widening).

A. Couëtoux, J.-B. Hoock, N. Sokolovska, O. Teytaud and N. Bonnard, "Continuous upper confidence
trees", 2011; D. Auger, A. Couëtoux and O. Teytaud, "Continuous upper confidence trees with
polynomial exploration - consistency", 2013 (whose schedule of moves is the same where `1/alpha` is
a whole number).

Departs from both: a proposal that equals an earlier one of the node counts as one, so that a small
set of moves is soon complete; and the descent follows it.
"""

from __future__ import annotations

import functools
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import optional

from fmcts._validators import a_function, as_float, finite, must_be, one_of

__all__ = ['Proposals', 'Propose', 'Width']

Propose: TypeAlias = Callable[[Any, Any], tuple[Any, Any]]
"""`propose(state, rng)`: a move, and the generator to use next."""

FINEST: Final = 100
"""The largest denominator of an exponent."""


@functools.lru_cache(maxsize=256)
def _exact(number: float) -> tuple[int, int]:
    """Return a number as it is written, as a ratio: 0.1 is one tenth."""
    return Fraction(repr(number)).as_integer_ratio()


_exponent: Final = must_be(
    'a number from 0 to 1 with at most two decimals',
    lambda value: isinstance(value, float) and 0 <= value <= 1 and _exact(value)[1] <= FINEST,
)


@frozen
class Width:
    """The number of moves of a node at its visit t: `c * t**alpha`, rounded up, at least one.

    It is computed in whole numbers, with `alpha` as it is written: at most two decimals.

    >>> [Width(1.0, 0.5).made(visits) for visits in (1, 2, 4, 5, 9, 10)]
    [1, 2, 2, 3, 3, 4]
    """

    c: float = field(default=1.0, converter=as_float, validator=finite)
    alpha: float = field(default=0.5, converter=as_float, validator=_exponent)

    def due(self, visits: int) -> int:
        """Return the index of the proposal due after this many visits; 0 if none is.

        The first, of index 0, is made together with the node.
        """
        made = self.made(visits)
        return made if self.made(visits + 1) > made else 0

    def made(self, visits: int) -> int:
        """Return how many proposals a node has after this many visits: one a visit, while due."""
        # By powers of two, so that few tables are made.
        return bisect_right(_visits(self, max(visits, 64).bit_length()), visits)

    def has_room(self, made: int, visits: int) -> bool:
        """Return whether `made < c * visits**alpha`."""
        (c, per), (p, q) = _exact(self.c), _exact(self.alpha)
        # In whole numbers: a power of floats differs between machines.
        return bool((made * per) ** q < c**q * visits**p)


@functools.lru_cache(maxsize=256)
def _visits(width: Width, bits: int) -> tuple[int, ...]:
    """Return the visits, of at most `bits` bits, at which the proposals 0, 1, 2... are made."""
    end, found = 1 << bits, [1]
    while True:
        made, visits = len(found), found[-1] + 1
        if not width.has_room(made, visits):
            fits = functools.partial(width.has_room, made)
            visits = bisect_left(range(end), 1, min(visits, end), key=fits)
        if visits >= end:
            return tuple(found)
        found.append(visits)


_width: Final = must_be('a Width', lambda value: isinstance(value, Width))


@frozen
class Proposals:
    """Where a search gets the moves of a node from, one by one.

    - `propose`: `propose(state, rng)` returns a move and the generator to use next. With `None` the
      moves are those that the states list, and only outcomes are drawn one by one.
    - `moves`: how many a node gets.
    - `outcomes`: how many a node gets where chance moves; `None`: all that the state lists.
    - `revisits`: where a descent goes once a node has them: to one `drawn`, in proportion to its
      visits, as in 2011, or to the `least-visited`, as in 2013.

    Each node has a generator of its own: the proposal of index k is made with its child 2k, and the
    node of the move at index k has its child 2k + 1.
    """

    propose: Propose | None = field(default=None, validator=optional(a_function))
    moves: Width = field(factory=Width, validator=_width)
    outcomes: Width | None = field(default=None, validator=optional(_width))
    revisits: Literal['drawn', 'least-visited'] = field(
        default='drawn', validator=one_of('drawn', 'least-visited')
    )


def proposals_of(given: Any) -> Any:
    """Return a function as `Proposals`, as an attrs converter; any other value unchanged."""
    return Proposals(given) if callable(given) and not isinstance(given, type) else given


are_proposals: Final = must_be(
    'Proposals, a Width or a function (state, rng) -> (move, rng)',
    lambda value: value is None or isinstance(value, Proposals | Width),
)
