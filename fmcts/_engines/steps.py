"""The steps of a search: its schedule's steps, checked, and the children made before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from attrs import evolve

from fmcts._arguments import shown
from fmcts._engines.outcomes import valued
from fmcts.errors import MethodError
from fmcts.game import Player
from fmcts.search._description import Search
from fmcts.search._tree import Node
from fmcts.search.networks import answers_of
from fmcts.search.schedules import (
    DrawingSchedule,
    Line,
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
        yield from _checked_lines(search.schedule, search.iterations, stats)
        return
    left = search.iterations
    for opening in _openings(search, stats):
        yield Step(None, opening)
        left -= opening
    if left:
        yield from _checked(search.schedule, left, stats)


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


def _checked(schedule: Schedule, iterations: int, stats: Stats) -> Iterator[Step]:
    """Yield the steps of a schedule, checked against the promises of `Schedule`.

    :raises MethodError: a step breaks them.
    """
    left, moves = iterations, len(stats())
    for step in schedule.steps(iterations, stats):
        forced, count = step
        index: Any = 0 if forced is None else forced
        if not (_is_count(index) and 0 <= index < moves and _is_count(count) and 0 < count <= left):
            raise MethodError(
                f'the schedule {type(schedule).__name__} gave {shown(step)}: expected the index of '
                f'one of {moves} moves, or None, and a number of iterations from 1 to {left}'
            )
        left -= count
        yield Step(forced, count)


def _checked_lines(schedule: Schedule, iterations: int, stats: Stats) -> Iterator[Step]:
    """Yield the steps of a schedule below the root, checked against the promises of `Schedule`.

    :raises MethodError: a step breaks them.
    """
    left = iterations
    for step in schedule.steps(iterations, stats):
        line, count = step
        if not (
            isinstance(line, tuple)
            and all(map(_is_count, line))
            and _is_count(count)
            and 0 < count <= left
            and _can_be_taken(line, count, stats)
        ):
            raise MethodError(
                f'the schedule {type(schedule).__name__} gave {shown(step)}: expected a line of '
                f'indices to an untried move, with 1 iteration, or to the end of a game, with 1 to '
                f'{left}'
            )
        left -= count
        yield Step(line, count)


def _can_be_taken(line: Line, count: int, stats: Stats) -> bool:
    *above, index = line or (-1,)
    rows = stats(tuple(above))
    if not 0 <= index < len(rows):
        return False
    return not stats(line) if rows[index].visits else count == 1


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
