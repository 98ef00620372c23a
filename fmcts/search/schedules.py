"""Schedules: how the iterations of a search are shared out among the moves of the root.

Without one, selection chooses at the root as anywhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias, runtime_checkable

from attrs import frozen

from fmcts.arguments import shown
from fmcts.search.errors import MethodError

if TYPE_CHECKING:
    from fmcts.search.analysis import MoveStats
    from fmcts.search.description import Search

__all__ = ['SCHEDULES', 'Schedule', 'SequentialHalving', 'Stats', 'Step', 'steps_of']

Stats: TypeAlias = 'Callable[[], tuple[MoveStats[Any], ...]]'
"""Gives the statistics of the root's moves as they are by then, in canonical order."""


class Step(NamedTuple):
    """So many iterations through the root's move of that index; `None`: which selection chooses."""

    forced: int | None
    iterations: int


@runtime_checkable
class Schedule(Protocol):
    """A frozen value that shares out iterations."""

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
    order = sorted(indices, key=lambda index: (-(rows[index].value or 0.0), index))
    return order[: (len(order) + 1) // 2]


SCHEDULES: Final[dict[str, type[Schedule]]] = {'halving': SequentialHalving}


def steps_of(search: Search, stats: Stats) -> Iterator[Step]:
    """The steps of a search. Before a schedule, each move of the root gets its child."""
    if search.schedule is None:
        yield Step(None, search.iterations)
        return
    match search.expands:
        case 'selected':
            opening = 0
        case 'full':
            opening = 1
        case _:
            opening = min(search.iterations, len(stats()))
    if opening:
        yield Step(None, opening)
    if search.iterations > opening:
        yield from _checked(search.schedule, search.iterations - opening, stats)


def _checked(schedule: Schedule, iterations: int, stats: Stats) -> Iterator[Step]:
    """The steps of the schedule, which are as `Schedule` promises.

    :raises MethodError: one is not.
    """
    left, moves = iterations, len(stats())
    for step in schedule.steps(iterations, stats):
        forced, count = step
        index = forced is None or (_is_count(forced) and 0 <= forced < moves)
        if not (index and _is_count(count) and 0 < count <= left):
            raise MethodError(
                f'the schedule {type(schedule).__name__} gave {shown(step)}: expected the index of '
                f'one of {moves} moves, or None, and a number of iterations from 1 to {left}'
            )
        left -= count
        yield Step(forced, count)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
