"""Schedules: how the iterations of a search are divided among the moves of the root.

Without one, selection chooses at the root as at other nodes.
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

Stats: TypeAlias = 'Callable[..., tuple[MoveStats[Any], ...]]'
"""A function that returns the current statistics of the root's moves, in canonical order.

A schedule with `below_root` may pass a line, for the moves of the node it leads to.
"""

Line: TypeAlias = tuple[int, ...]
"""Indices of moves, starting at the root."""

Forced: TypeAlias = int | Line | None
"""The forced start of a descent: the index of a root move, or a line; `None`: free choice."""


class Step(NamedTuple):
    """A number of iterations through the root's move with that index; `None`: by selection.

    With `below_root` it is a line: to a child to be created, with one iteration, or to a finished
    node.
    """

    forced: Forced
    iterations: int


@runtime_checkable
class Schedule(Protocol):
    """A frozen value that divides iterations.

    One with a true attribute `below_root` chooses every move of a descent, not only at the root.
    """

    def steps(self, iterations: int, stats: Stats) -> Iterator[Step]:
        """Yield the steps of a search of `iterations`; the next one is requested when one is done.

        Together they have `iterations` iterations or fewer; each has at least one. Moves may have a
        visit before: the one that created the child.
        """


class RootFacts(NamedTuple):
    """The facts about the root that a schedule with random draws receives.

    `method`: the method of the search. `priors`: a number for each move of the root. `raw`: the
    value of the root for the side to move by the network or `evaluate`; `None` if the search has
    neither.
    """

    method: Any
    priors: tuple[float, ...]
    raw: float | None


@runtime_checkable
class DrawingSchedule(Protocol):
    """A schedule that draws numbers before a search begins, with the generator of the search.

    What it makes of them is the schedule that divides the iterations. If that has a function
    `chosen(rows)`, given the statistics of the root's moves it returns the index of the move to
    play, in place of the search's `final`.
    """

    def drawn(self, root: RootFacts, rng: Any) -> tuple[Schedule, Any]:
        """Return the schedule of one search, and the generator to use next."""


@frozen
class SequentialHalving:
    """Sequential halving: rounds of equal shares, each followed by dropping the worse half.

    Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits" (ICML 2013),
    algorithm 1; means are over all visits of a move, not only the round's. A round takes an
    equal part of the remaining iterations, at least one visit for each move; a remainder goes to
    the last move left, which therefore has the most visits, or as many and the highest mean. Within
    a round the moves with the highest means come first, if not all can have a visit; with fewer
    iterations than moves only the first moves are tried.
    """

    def steps(self, iterations: int, stats: Stats) -> Iterator[Step]:
        """Yield the rounds; earlier visits of moves count towards the first."""
        left, rows = iterations, stats()
        before = [0] * len(rows)
        alive = list(range(len(rows)))
        for rounds in range(max(1, (len(alive) - 1).bit_length()), 0, -1):
            had = [rows[index].visits - before[index] for index in alive]
            # At least one: a move that got none in a short search would have no mean to compare.
            share = max(1, (left + sum(had)) // (rounds * len(alive)))
            for index, spent in zip(alive, had, strict=True):
                more = min(share - spent, left)
                if more > 0:
                    yield Step(index, more)
                    left -= more
            rows = stats()
            before = [row.visits for row in rows]
            # The iterations may have ended before each had one.
            alive = _better_half([index for index in alive if rows[index].visits], rows)
        if left:
            yield Step(alive[0], left)


def _better_half(indices: list[int], rows: tuple[MoveStats[Any], ...]) -> list[int]:
    """Return the half of the moves with the higher means, the best first."""
    return _by_mean(indices, rows)[: (len(indices) + 1) // 2]


def _by_mean(indices: list[int], rows: tuple[MoveStats[Any], ...]) -> list[int]:
    # By index too: `sorted` would keep the order of the last round among equals.
    return sorted(indices, key=lambda index: (-(rows[index].value or 0.0), index))


@frozen
class SHOT:
    """Sequential halving applied to trees: every node divides its budget by halving.

    T. Cazenave, "Sequential halving applied to trees", IEEE Transactions on Computational
    Intelligence and AI in Games 7, 2015; after his slides. A node with a budget tries each move
    once, the first in move order; then, while more than one move is left, the target number of
    visits of each grows by `max(1, (spent + budget) // (left * rounds))`, and the worse half is
    left out. `spent` is what its moves received before this budget, so that both count as one;
    `rounds` is the logarithm of the number of its moves, rounded up. The visits that a move lacks
    are the budget of the node it leads to; moves with higher means come first, if not all can have
    them.

    A remainder goes to the last move left, so that every budget is spent completely. An iteration
    makes a child, as in all searches here: the playout of a budget of 1 starts from a child of the
    node, and not from the node itself again.
    """

    below_root: ClassVar[bool] = True

    def steps(self, iterations: int, stats: Stats) -> Iterator[Step]:
        """Yield the steps, of one iteration each."""
        under_way = [_shot(_Budget((), iterations), stats)]  # no recursion: a game may be deep
        while under_way:
            following = next(under_way[-1], None)
            if following is None:
                under_way.pop()
            elif isinstance(following, Step):
                yield following
            else:
                under_way.append(_shot(following, stats))


class _Budget(NamedTuple):
    """A number of iterations for the node at the end of a line."""

    line: Line
    iterations: int


def _shot(given: _Budget, stats: Stats) -> Iterator[Step | _Budget]:
    """Yield a node's steps, and budgets of nodes below it."""
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
    # The logarithm of the number of moves, rounded up, without floats.
    alive, rounds = list(range(len(rows))), (len(rows) - 1).bit_length()
    while left and len(alive) > 1:
        wanted += max(1, (spent + budget) // (len(alive) * rounds))
        for index in _by_mean(alive, rows):
            lacking = min(wanted - rows[index].visits, left)
            if lacking > 0:
                yield _Budget((*line, index), lacking)
                left -= lacking
        rows = stats(line)
        alive = _better_half(alive, rows)
    if left:
        yield _Budget((*line, alive[0]), left)


SCHEDULES: Final[dict[str, type[Schedule]]] = {'halving': SequentialHalving, 'shot': SHOT}


def line_of(forced: Forced) -> Line:
    """Return the forced moves as a line; empty if everything is chosen freely."""
    if forced is None:
        return ()
    return forced if isinstance(forced, tuple) else (forced,)


def chooses_below_root(schedule: Schedule | None) -> bool:
    """Return whether a schedule chooses every move of a descent, instead of selection."""
    return bool(getattr(schedule, 'below_root', False))
