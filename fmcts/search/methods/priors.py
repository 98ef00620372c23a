"""Methods with a number given for each move of a position: a prior, a heuristic.

The numbers are `f(state)`, which returns a number for each of the state's moves, in order, or
`OnPositions(f)` of `f(position, move)`, which returns the number of one move. By default, the moves
are equally likely.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Final, TypeAlias

from attrs import Attribute, field, frozen

from fmcts._arguments import is_row, shown, takes
from fmcts._validators import as_float, finite
from fmcts.errors import MethodError
from fmcts.formulas import maximum, sqrt, where
from fmcts.rules import OnPositions
from fmcts.search.methods.method import Edge, Method, Parent

__all__ = ['PUCT', 'Given', 'ProgressiveBias', 'ReducedPUCT', 'Widening', 'of_moves']

Given: TypeAlias = Callable[[Any], Sequence[float]] | OnPositions | None

FAR: Final = 2.0**1005  # above every score: c is at most 1e300, and ln(1 + N) below 50


def _floats(given: Any, numbers: Any) -> tuple[float, ...]:
    if is_row(numbers):
        values = tuple(numbers)
        with suppress(TypeError, ValueError, OverflowError):
            sum(values)  # refuses texts, of which `float` would read numbers
            return tuple(map(float, values))
    name = getattr(getattr(given, 'function', given), '__name__', 'given')
    raise MethodError(
        f'the function {name} must return a number for each of the moves of a state, '
        f'in their order, not {shown(numbers)}'
    )


def of_moves(_instance: object, attribute: Attribute[Any], value: object) -> None:
    """Accept `None`, a function of a state, and `OnPositions` of one of a position and a move.

    :raises ValueError: anything else.
    """
    on_positions = isinstance(value, OnPositions)
    function = value.function if isinstance(value, OnPositions) else value
    if value is None or (callable(function) and takes(function, 2 if on_positions else 1)):
        return
    wrong = getattr(function, '__name__', None) or shown(value)
    raise ValueError(
        f'{attribute.name} must be a function {attribute.name}(state) that gives a number for each '
        f'of the moves, or OnPositions of a function (position, move) that gives the number of one '
        f'move, not {"OnPositions of " * on_positions}{wrong}'
    )


def uniform(_position: Any, _move: Any, count: Any) -> float:
    return 1.0 / count  # type: ignore[no-any-return]


@frozen
class GivenNumbers(Method):
    """A method with a column of moves whose first numbers are a field `Given`, named by `given`."""

    given: ClassVar[str] = 'prior'

    def first_rows(self, state: Any, moves: Sequence[Any]) -> tuple[Sequence[float], ...]:
        """Return the numbers given for the moves, which are the state's or some of them."""
        given = getattr(self, self.given)
        if given is None:
            return ((1.0 / len(moves),) * len(moves) if moves else (),)
        of_moves = given.of_moves if isinstance(given, OnPositions) else given
        numbers, legal = _floats(given, of_moves(state)), state.moves
        if len(moves) < len(legal) == len(numbers):  # a search that chooses among some
            pairs = zip(legal, numbers, strict=True)
            numbers = tuple(number for move, number in pairs if move in moves)
        return (numbers,)

    def first_numbers(self) -> tuple[Callable[..., float], ...]:
        """Return the number of a move, if it is a function of positions.

        :raises MethodError: it is a function of states.
        """
        given = getattr(self, self.given)
        if given is None:
            return (uniform,)
        if isinstance(given, OnPositions):
            function = given.function
            return (lambda position, move, _count: function(position, move),)
        name = f'{self.given} {getattr(given, "__name__", "given")}'
        raise MethodError(f'the {name}, which is a function of states: see OnPositions')


@frozen
class PUCT(GivenNumbers):
    """PUCT: the mean, and a bonus in proportion to a prior.

    C. D. Rosin, "Multi-armed bandits with episode context", Annals of Mathematics and Artificial
    Intelligence 61, 2011; in the form of D. Silver and others, "Mastering the game of Go without
    human knowledge", Nature 550, 2017.

    `value + c * prior * sqrt(1 + N) / (1 + visits)`, where N is the parent's visits. `prior`: a
    function `prior(state)` that returns a number for each of the state's moves, in order, or
    `OnPositions` of a function `(position, move)` that returns the number of one move; by default,
    the moves are equally likely. `first_play`: the value of an untried move ("first-play urgency");
    1/2 is a draw.

    Departs from AlphaGo Zero: `sqrt(1 + N)`, as the root of 0 would hide the priors at a node's
    first visit; values lie on [0, 1], where AlphaGo Zero has [-1, 1].
    """

    name = 'puct'
    move_columns = ('prior',)
    scores_unvisited = True

    c: float = field(default=1.25, converter=as_float, validator=finite)
    first_play: float = field(default=0.5, converter=as_float, validator=finite)
    prior: Given = field(default=None, validator=of_moves)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus the bonus."""
        value = where(edge.visits > 0.0, edge.value, self.first_play)
        bonus = edge.prior * sqrt(1.0 + parent.visits) / (1.0 + edge.visits)
        return value + self.c * bonus  # type: ignore[no-any-return]


@frozen
class ReducedPUCT(GivenNumbers):
    """PUCT with first-play urgency from the parent: an untried move has its value, reduced.

    The form of Leela Chess Zero (lc0, its option `FpuValue` with the strategy `reduction`): the
    more of the prior has been tried, the less is expected of the rest.

    A move without visits has the value `parent.value - reduction * sqrt(tried)`. `tried` is the sum
    of the priors of the moves that have visits; the parent's value is its mean for the side to
    move. With `reduction` 0 it is that value alone. `prior` and `c` as in `PUCT`.

    Departs from lc0: values lie on [0, 1], where Leela Chess Zero has [-1, 1], so that `reduction`
    counts twice as much.
    """

    name = 'puct-reduced'
    move_columns = ('prior',)
    scores_unvisited = True

    c: float = field(default=1.25, converter=as_float, validator=finite)
    reduction: float = field(default=0.33, converter=as_float, validator=finite)
    prior: Given = field(default=None, validator=of_moves)

    def summed(self, edge: Edge) -> float:
        """Return the prior of a move that was tried, else 0."""
        return where(edge.visits > 0.0, edge.prior, 0.0)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus the bonus."""
        # The more of the prior was tried, the less may be hoped for from the rest.
        first_play = parent.value - self.reduction * sqrt(parent.total)
        value = where(edge.visits > 0.0, edge.value, first_play)
        bonus = edge.prior * sqrt(1.0 + parent.visits) / (1.0 + edge.visits)
        return value + self.c * bonus  # type: ignore[no-any-return]


@frozen
class ProgressiveBias(GivenNumbers):
    """Progressive bias: a heuristic value of a move, whose weight decreases with its visits.

    G. M. J. B. Chaslot, M. H. M. Winands, H. J. van den Herik, J. W. H. M. Uiterwijk and B. Bouzy,
    "Progressive strategies for Monte-Carlo tree search", New Mathematics and Natural Computation 4,
    2008, section 4.1.

    `value + c * sqrt(ln(1 + N) / visits) + weight * heuristic / (1 + visits)`. `heuristic` is given
    like the prior of `PUCT`; by default, it is 1 over the number of moves. With `weight` 0 it is
    UCB1.

    Departs from the article: moves without visits come first all the same.
    """

    name = 'progressive-bias'
    move_columns = ('heuristic',)
    given = 'heuristic'

    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)
    weight: float = field(default=1.0, converter=as_float, validator=finite)
    heuristic: Given = field(default=None, validator=of_moves)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus both bonuses."""
        bonus = self.c * sqrt(parent.log_visits / edge.visits)
        bias = self.weight * edge.heuristic / (1.0 + edge.visits)
        return edge.value + bonus + bias  # type: ignore[no-any-return]


@frozen
class Widening(GivenNumbers):
    """Progressive widening: a node considers few moves at first, and more with more visits.

    R. Coulom, "Computing Elo ratings of move patterns in the game of Go", ICGA Journal 30, 2007;
    G. M. J. B. Chaslot and others, "Progressive strategies for Monte-Carlo tree search", 2008
    ("progressive unpruning").

    UCB1 among at most `k * sqrt(N) + 1` moves, where N is the parent's visits. When another move
    may be considered, it is the untried move with the highest prior, the first of equals. `prior`
    is given as in `PUCT`, numbers from 0 to 1; by default, move order decides. With a sufficiently
    large `k` it is UCB1.

    Departs from both: the number of moves grows as the square root of the visits, which IEEE 754
    fixes to the bit, and not as a logarithm (in A. Couëtoux and others, "Continuous upper
    confidence trees", 2011, as any power).
    """

    name = 'widening'
    move_columns = ('prior',)
    scores_unvisited = True

    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)
    k: float = field(default=2.0, converter=as_float, validator=finite)
    prior: Given = field(default=None, validator=of_moves)

    def summed(self, edge: Edge) -> float:
        """Return 1 for a move that was tried, else 0."""
        return where(edge.visits > 0.0, 1.0, 0.0)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus the bonus; for an untried move, a very high or low score."""
        # Computed of untried moves too, where it is not used and must not divide by 0.
        bonus = self.c * sqrt(parent.log_visits / maximum(edge.visits, 1.0))
        one_more = parent.total <= self.k * sqrt(parent.visits)
        # Last, but not excluded: all moves considered may be proven losses.
        untried = FAR * where(one_more, 1.0 + edge.prior, -1.0 / (1.0 + edge.prior))
        return where(edge.visits > 0.0, edge.value + bonus, untried)
