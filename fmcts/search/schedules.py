"""Schedules: how the iterations of a search are shared out among the moves of the root.

Without one, selection chooses at the root as anywhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    NamedTuple,
    Protocol,
    TypeAlias,
    runtime_checkable,
)

from attrs import frozen

if TYPE_CHECKING:
    from fmcts.search._analysis import MoveStats

__all__ = [
    'SCHEDULES',
    'SHOT',
    'Forced',
    'Line',
    'Schedule',
    'SequentialHalving',
    'Stats',
    'Step',
    'chooses_below_root',
    'line_of',
]

Stats: TypeAlias = 'Callable[..., tuple[MoveStats[Any], ...]]'
"""Gives the statistics of the root's moves as they are by then, in canonical order.

A schedule with `below_root` may give a line, and has those of the moves of the node it leads to.
"""

Line: TypeAlias = tuple[int, ...]
"""Indices of moves, one after another from the root on."""

Forced: TypeAlias = int | Line | None
"""What a descent is to take: the root's move of an index, or a line; `None`: what is chosen."""


class Step(NamedTuple):
    """So many iterations through the root's move of that index; `None`: which selection chooses.

    Of a schedule with `below_root` it is a line: to a child that is to be made, with one iteration,
    or to a finished node.
    """

    forced: Forced
    iterations: int


@runtime_checkable
class Schedule(Protocol):
    """A frozen value that shares out iterations.

    One that has an attribute `below_root` which is true chooses every move of a descent, not the
    root's alone.
    """

    def steps(self, iterations: int, stats: Stats) -> Iterator[Step]:
        """The steps of a search of so many iterations, the next one asked for when one is done.

        Together they have as many iterations as given, or fewer; each has one at least. Moves may
        have visits before: that by which the move got its child.
        """


@frozen
class SequentialHalving:
    """Sequential halving: rounds of equal shares, after each of which the worse half is left out.

    Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits" (ICML 2013),
    algorithm 1; means are of all the visits of a move, not of those of a round. A round takes an
    equal part of what is left by then, at least one visit for each move; what no round could share
    out evenly goes to the last move left, which so has the most visits, or as many and the highest
    mean. Within a round the moves that were best so far come first, if not all can have a visit;
    with fewer iterations than moves only the first moves are looked at.
    """

    def steps(self, iterations: int, stats: Stats) -> Iterator[Step]:
        """The rounds; visits that moves have before count as part of the first."""
        left, rows = iterations, stats()
        before = [0] * len(rows)
        alive = list(range(len(rows)))
        for rounds in range(max(1, (len(alive) - 1).bit_length()), 0, -1):
            had = [rows[index].visits - before[index] for index in alive]
            share = max(1, (left + sum(had)) // (rounds * len(alive)))
            for index, spent in zip(alive, had, strict=True):
                more = min(share - spent, left)
                if more > 0:
                    yield Step(index, more)
                    left -= more
            rows = stats()
            before = [row.visits for row in rows]
            alive = _better_half([index for index in alive if rows[index].visits], rows)
        if left:
            yield Step(alive[0], left)


def _better_half(indices: list[int], rows: tuple[MoveStats[Any], ...]) -> list[int]:
    """The half of the moves with the higher means, the best and of equals the first to the fore."""
    return _by_mean(indices, rows)[: (len(indices) + 1) // 2]


def _by_mean(indices: list[int], rows: tuple[MoveStats[Any], ...]) -> list[int]:
    return sorted(indices, key=lambda index: (-(rows[index].value or 0.0), index))


@frozen
class SHOT:
    """Sequential halving applied to trees: every node shares out what it is given by halving.

    T. Cazenave, "Sequential halving applied to trees", IEEE Transactions on Computational
    Intelligence and AI in Games 7, 2015; after his slides. A node that is given a budget tries each
    move once, the first in move order; then, while more than one move is left, the number of visits
    that each is to have grows by `max(1, (spent + budget) // (left * rounds))`, and the worse half
    is left out. `spent` is what went to its moves before this budget, so that both count as one;
    `rounds` is the logarithm of the number of its moves, rounded up. What a move lacks is the
    budget of the node it leads to; moves with higher means come first, if not all can have it.

    What no round shares out goes to the move that is left at last, so that every budget is spent
    whole. An iteration makes a child, as in all searches here: the playout of a budget of 1 is made
    from a child of the node, and not from the node itself once more.
    """

    below_root: ClassVar[bool] = True

    def steps(self, iterations: int, stats: Stats) -> Iterator[Step]:
        """The steps, an iteration each."""
        under_way = [_shot(Budget((), iterations), stats)]  # no recursion: a game may be deep
        while under_way:
            following = next(under_way[-1], None)
            if following is None:
                under_way.pop()
            elif isinstance(following, Step):
                yield following
            else:
                under_way.append(_shot(following, stats))


class Budget(NamedTuple):
    """So many iterations for the node at the end of a line."""

    line: Line
    iterations: int


def _shot(given: Budget, stats: Stats) -> Iterator[Step | Budget]:
    """How a node shares out its budget: steps, and budgets of nodes below it."""
    line, budget = given
    rows = stats(line)
    if not rows:  # the game is over: as often as it is visited it counts
        yield Step(line, budget)
        return
    spent, left = sum(row.visits for row in rows), budget
    for index, row in enumerate(rows):
        if left and not row.visits:
            yield Step((*line, index), 1)
            left -= 1
    rows, wanted = stats(line), 0
    alive, rounds = list(range(len(rows))), (len(rows) - 1).bit_length()
    while left and len(alive) > 1:
        wanted += max(1, (spent + budget) // (len(alive) * rounds))
        for index in _by_mean(alive, rows):
            lacking = min(wanted - rows[index].visits, left)
            if lacking > 0:
                yield Budget((*line, index), lacking)
                left -= lacking
        rows = stats(line)
        alive = _better_half(alive, rows)
    if left:
        yield Budget((*line, alive[0]), left)


SCHEDULES: Final[dict[str, type[Schedule]]] = {'halving': SequentialHalving, 'shot': SHOT}


def line_of(forced: Forced) -> Line:
    """Return what is forced as a line, which is empty where everything is chosen."""
    if forced is None:
        return ()
    return forced if isinstance(forced, tuple) else (forced,)


def chooses_below_root(schedule: Schedule | None) -> bool:
    """Whether a schedule chooses every move of a descent, so that selection chooses none."""
    return bool(getattr(schedule, 'below_root', False))
