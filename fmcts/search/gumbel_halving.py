"""The root of Gumbel MuZero: moves drawn without replacement, and sequential halving among them.

I. Danihelka, A. Guez, J. Schrittwieser and D. Silver, "Policy improvement by planning with Gumbel",
International Conference on Learning Representations, 2022, section 3 and appendix C; the order of
visits is that of the library mctx (`seq_halving.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from fmcts._arguments import is_number
from fmcts._arithmetic import gumbels, logarithm
from fmcts._validators import as_count, as_float, finite, must_be, positive_count
from fmcts.search.methods import Gumbel
from fmcts.search.schedules import RootFacts, Schedule, Stats, Step

if TYPE_CHECKING:
    from fmcts.search._analysis import MoveStats

__all__ = ['DrawnHalving', 'GumbelHalving']

LOWEST: Final = -1e9
"""The least score of a move at the root, such as one with a prior of 0."""


def _as_numbers(given: Any) -> Any:
    return tuple(given) if isinstance(given, list) else given


_real_numbers: Final = must_be(
    'None or a finite number for each move of the root',
    lambda value: value is None or (isinstance(value, tuple) and all(map(is_number, value))),
)


@frozen
class GumbelHalving:
    """Sequential halving among the moves of the root with the highest `gumbel + log(prior)`.

    Each move gets a Gumbel number, which the search draws from its generator at the start. This
    draws the first moves, at most `considered`, without replacement in proportion to their priors.
    Rounds of equal shares follow; after each, the half with the lower
    `gumbel + log(prior) + sigma(value)` is dropped. `sigma` belongs to the method
    `fmcts.search.methods.Gumbel`, which the search must have. The move to play has the highest such
    sum among the moves with the most visits.

    `scale`: a factor for the Gumbel numbers; 0 draws none, so that play is deterministic.
    `numbers`: the Gumbel numbers of the root's moves, in order, instead of random ones.
    """

    considered: int = field(default=16, converter=as_count, validator=positive_count)
    scale: float = field(default=1.0, converter=as_float, validator=finite)
    numbers: tuple[float, ...] | None = field(
        default=None, converter=_as_numbers, validator=_real_numbers
    )

    def steps(self, iterations: int, stats: Stats) -> Iterator[Step]:  # noqa: ARG002 - see below
        """Refuse: what `drawn` returns has steps.

        :raises TypeError: always.
        """
        raise TypeError('GumbelHalving has no steps itself: what drawn(root, rng) returns has them')

    def drawn(self, root: RootFacts, rng: Any) -> tuple[Schedule, Any]:
        """Return the schedule of one search, and the generator to use next.

        :raises ValueError: `numbers` are not as many as the moves of the root.
        """
        numbers, count = self.numbers, len(root.priors)
        if numbers is None:
            numbers = (0.0,) * count
            if self.scale:
                # Not at scale 0: the search would use up numbers that change nothing.
                numbers, rng = gumbels(rng, count)
        if len(numbers) != count:
            raise ValueError(
                f'GumbelHalving has {len(numbers)} numbers for a root with {count} moves'
            )
        scores = tuple(
            self.scale * number + logarithm(prior) if prior > 0.0 else LOWEST
            for number, prior in zip(numbers, root.priors, strict=True)
        )
        return DrawnHalving(self.considered, scores, root), rng


@frozen
class DrawnHalving:
    """`GumbelHalving` of one search: `scores` has `gumbel + log(prior)` of each move."""

    considered: int
    scores: tuple[float, ...]
    root: RootFacts

    def steps(self, iterations: int, stats: Stats) -> Iterator[Step]:
        """Yield the steps: passes over the remaining moves, each visiting every move once."""
        count = min(self.considered, len(self.scores))
        return halving(count, iterations, lambda visits: self._best(stats(), visits))

    def chosen(self, rows: tuple[MoveStats[Any], ...]) -> int:
        """Return the index of the move to play."""
        return self._best(rows, max(row.visits for row in rows))

    def policy(self, rows: tuple[MoveStats[Any], ...]) -> list[float]:
        """Return the improved policy of the root: a share for each move."""
        return self.root.method.policy(*self._estimates(rows))  # type: ignore[no-any-return]

    def _best(self, rows: tuple[MoveStats[Any], ...], visits: int) -> int:
        """Return the index of the highest score among the moves with this number of visits."""
        sigmas = self.root.method.sigmas(*self._estimates(rows))
        among = [index for index, row in enumerate(rows) if row.visits == visits]
        # Bounded, so that a prior of 0 is not rescued by its value: of such moves the first is
        # best.
        return max(among, key=lambda index: max(LOWEST, self.scores[index] + sigmas[index]))

    def _estimates(self, rows: tuple[MoveStats[Any], ...]) -> tuple[Any, ...]:
        visits = [row.visits for row in rows]
        values = [row.value or 0.0 for row in rows]
        return self.root.priors, visits, values, self.root.raw


def halving(count: int, iterations: int, best: Callable[[int], int]) -> Iterator[Step]:
    """Yield the steps of a sequential halving that begins with `count` moves.

    `best(visits)` returns the index of the best move among those with `visits` visits; it is called
    as soon as the step before has been made.
    """
    rounds = (count - 1).bit_length()  # the logarithm, rounded up
    visits, left = 0, iterations
    if count == 1:
        yield Step(best(0), left)
        return
    while left:
        passes = max(1, iterations // (rounds * count))
        alive = []
        for _ in range(min(count, left)):  # the halving: by the scores as they change
            alive.append(best(visits))
            yield Step(alive[-1], 1)
            left -= 1
        whole = min(passes - 1, left // count)
        for index in alive if whole else ():
            yield Step(index, whole)
        left -= whole * count
        visits += 1 + whole
        if whole < passes - 1:  # there are too few iterations for all of them
            for _ in range(left):
                yield Step(best(visits), 1)
            left = 0
        # Not down to one: the last two are visited in turn to the end, as mctx does.
        count = max(2, count // 2)


def needs_gumbel(search: Any) -> bool:
    """Return whether a search has this schedule, but not the method that goes with it."""
    return isinstance(search.schedule, GumbelHalving) and not isinstance(search.method, Gumbel)
