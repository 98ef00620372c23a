"""The steps of a search: its schedule's steps, checked, and the children made before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from attrs import evolve

from fmcts._arguments import shown
from fmcts._engines.outcomes import valued
from fmcts.errors import MethodError
from fmcts.game import Player
from fmcts.search import Node, Search
from fmcts.search.networks import answers_of
from fmcts.search.schedules import (
    DrawingSchedule,
    RootFacts,
    Schedule,
    Stats,
    Step,
    chooses_below_root,
)

R = TypeVar('R')


def with_draws(search: Search, root: Node, rng: R, raw: float | None = None) -> tuple[Search, R]:
    """Return the search with what its schedule draws for this root, and the generator to use next.

    `root` is new, with the columns of the search; `raw` as in `facts_of`. Other searches are
    returned as they are.
    """
    schedule: Any = search.schedule  # mypy does not join two protocols
    if schedule is None or not isinstance(schedule, DrawingSchedule):
        return search, rng
    drawn, after = schedule.drawn(facts_of(root, search, raw), rng)
    return evolve(search, schedule=drawn), after


def facts_of(root: Node, search: Search, raw: float | None = None) -> RootFacts:
    """Return what a schedule that draws learns of a root.

    `raw` is what the network says that it is worth to X; if left out, the network is asked.
    """
    state = root.state
    if raw is None and search.network is not None:
        raw = answers_of(search.network, [state])[0].for_x
    elif raw is None and search.evaluate is not None and not search.evaluate_after:
        raw = valued('the evaluator', search.evaluate)(state)
    if raw is not None and state.player is not Player.X:
        raw = 1.0 - raw
    rows = root.columns.moves
    priors = tuple(rows[0]) if rows else (1.0,) * len(root.moves)
    return RootFacts(search.method, priors, raw)


def steps_of(search: Search, stats: Stats) -> Iterator[Step]:
    """Yield the steps of a search. Before a schedule starts, each move of the root gets a child."""
    if search.schedule is None:
        yield Step(None, search.iterations)
        return
    if chooses_below_root(search.schedule):
        what = 'a line of indices to an untried move, with 1 iteration, or to the end of a game'
        yield from _checked(search.schedule, search.iterations, stats, what, _is_line)
        return
    left = search.iterations
    for opening in _openings(search, stats):
        yield Step(None, opening)
        left -= opening
    if left:
        what = f'the index of one of {len(stats())} moves, or None'
        yield from _checked(search.schedule, left, stats, what, _is_move)


def _openings(search: Search, stats: Stats) -> Iterator[int]:
    """Yield numbers of iterations after which each move of the root has a child."""
    match search.expands:
        case 'selected':
            return
        case 'full':
            yield 1
        case 'jump':  # which moves get children depends on draws
            for _ in range(search.iterations):
                if all(row.visits for row in stats()):
                    return
                yield 1
        case _:
            yield min(search.iterations, len(stats()))


def _checked(
    schedule: Schedule,
    iterations: int,
    stats: Stats,
    expected: str,
    accepts: Callable[[Any, int, Stats], bool],
) -> Iterator[Step]:
    """Yield the steps of a schedule, checked against the promises of `Schedule`.

    :raises MethodError: a step breaks them.
    """
    left = iterations
    for step in schedule.steps(iterations, stats):
        forced, count = step
        if not (_is_count(count) and 0 < count <= left and accepts(forced, count, stats)):
            raise MethodError(
                f'the schedule {type(schedule).__name__} gave {shown(step)}: expected {expected}, '
                f'and a number of iterations from 1 to {left}'
            )
        left -= count
        yield Step(forced, count)


def _is_move(forced: Any, _count: int, stats: Stats) -> bool:
    return forced is None or (_is_count(forced) and 0 <= forced < len(stats()))


def _is_line(line: Any, count: int, stats: Stats) -> bool:
    if not (isinstance(line, tuple) and line and all(map(_is_count, line))):
        return False
    rows = stats(line[:-1])
    if not 0 <= line[-1] < len(rows):
        return False
    return not stats(line) if rows[line[-1]].visits else count == 1


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
