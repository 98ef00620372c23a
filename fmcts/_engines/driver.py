"""The driver, which runs a search of any engine and calls its watch, and what it runs: a session.

A search runs in the steps of its schedule, which are checked; without one in a single step.

Between two chunks of iterations the interpreter handles signals and other threads, and `watch`
receives the progress. The size of a chunk depends on the clock; the result does not. With a network
a chunk is one call of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, Protocol, Self, TypeVar

from attrs import evolve

from fmcts._arguments import is_sequence, shown
from fmcts._engines.outcomes import valued
from fmcts._engines.proposing import blamed, rooted
from fmcts.errors import MethodError
from fmcts.game import Player, has_rewards
from fmcts.search import STOP, ChunkSize, MoveStats, Node, Search, Watch
from fmcts.search.networks import answers_of
from fmcts.search.schedules import (
    DrawingSchedule,
    Forced,
    Line,
    RootFacts,
    Schedule,
    Stats,
    Step,
    chooses_below_root,
)

R = TypeVar('R')


class Session(Protocol):
    """A running search, which advances by some iterations at a time.

    In the engines that return new nodes it is a frozen value, and `advance` returns another; in
    those that mutate in place `advance` returns the session itself. Nothing depends on how the
    iterations are divided into advances; but a batch for a network ends where an advance does.
    """

    @property
    def visits(self) -> int:
        """The visits of the root."""

    @property
    def ended(self) -> bool:
        """True if the next iteration would exceed `max_nodes`, or the root is resolved."""

    def advance(self, iterations: int, forced: Forced = None) -> Self:
        """Return the session after `iterations` more, or as many as `max_nodes` has room for.

        With a network it returns after one call, though that be fewer iterations.

        With `forced`, the root's move of that index is taken instead of the one that selection
        would choose; it has a child already, or `expansion` is `selected`. An engine that supports
        schedules below the root accepts a line of indices as well.
        """

    def stats(self, line: Line = ()) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves so far, in canonical order.

        With a `line`, in an engine that supports schedules below the root, those of the node that
        it leads to.
        """

    def finish(self) -> tuple[Node, Any]:
        """Return the tree, and the generator to use next; the session is not used any more."""


BETWEEN: Final = 100
"""A stop condition is evaluated when the visits of the root are a multiple of this, with a network
after each of its calls that leaves at least as many."""


S = TypeVar('S', bound=Session)


def drive(session: S, search: Search, watch: Watch) -> S:
    """Return the session after `search.iterations` more, or when the search ends earlier.

    It ends before the iteration that `max_nodes` has no room for, when `search.stop` holds, and
    when `watch` returns `STOP`; then at least one move of the root has a visit.

    :raises IllegalMoveError: a move that was proposed is not legal.
    :raises MethodError: a user's schedule gives a step that cannot be made.
    :raises ValueError: `watch` ends a search with a schedule.
    """
    start, size = session.visits, ChunkSize(getattr(session, 'chunk', 1))

    def stats(line: Line = ()) -> tuple[MoveStats[Any], ...]:
        return session.stats(line) if line else session.stats()

    stopped = watch(0) is STOP
    for forced, iterations in steps_of(search, stats):
        goal = session.visits + iterations
        while session.visits < goal:
            # A search stopped at once still makes its first iterations: it has to name a move.
            if stopped and any(row.visits for row in session.stats()):
                if search.schedule is None:
                    return session
                raise ValueError(
                    'watch cannot end a search with a schedule, which needs all of its iterations'
                )
            most = goal - session.visits
            # A sliding window asks for itself, since what is in flight then is still to be backed
            # up.
            if not search.sliding and is_decided(search, session.visits, session.stats):
                return session
            count = size.begin(most)
            if search.network is not None:
                # One call of the network at a time, so that `watch` hears of each.
                count = min(most, search.batch)
            elif search.stop:
                count = min(count, BETWEEN - session.visits % BETWEEN)
            with blamed(search.proposing):
                session = session.advance(count, forced)
            size.end()
            stopped = watch(session.visits - start) is STOP or stopped
            if session.ended:
                return session
    return session


def is_decided(search: Search, visits: int, stats: Stats) -> bool:
    """Return whether the search has a stop condition that holds, if it is due.

    `visits` are those of the root, and `stats` returns the statistics of its moves.
    """
    if search.stop is None or visits < BETWEEN:
        return False
    due = search.network is not None or visits % BETWEEN == 0
    return due and bool(search.stop(stats()))


# ---- the steps of a schedule ----


def with_draws(
    search: Search, root: Node, rng: R, raw: float | None = None
) -> tuple[Search, Node, R]:
    """Return the search with what its schedule draws for this root, the root, and the generator.

    `root` has the columns of the search; a new one of a search with proposals gets its first move.
    `raw` as in `facts_of`. Other searches and roots are returned as they are.
    """
    root, rng = rooted(root, rng, search)
    schedule: Any = search.schedule  # mypy does not join two protocols
    if schedule is None or not isinstance(schedule, DrawingSchedule):
        return search, root, rng
    drawn, after = schedule.drawn(facts_of(root, search, raw), rng)
    return evolve(search, schedule=drawn), root, after


def facts_of(root: Node, search: Search, raw: float | None = None) -> RootFacts:
    """Return the root's priors and value for a randomised schedule.

    `raw` is what the network says that it is worth to X; if left out, the network is asked.
    """
    state = root.state
    if has_rewards(state):
        raw = None  # it may be any number, and what is unknown is below 0
    elif raw is None and search.network is not None:
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
    # It also chooses which of the root's moves to try first.
    if chooses_below_root(search.schedule):
        yield from _checked(search.schedule, search.iterations, stats)
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
            # In order, or at random without repeats: as many iterations as there are moves.
            yield min(search.iterations, len(stats()))


def _checked(schedule: Schedule, iterations: int, stats: Stats) -> Iterator[Step]:
    """Yield the steps of a schedule, checked against the promises of `Schedule`.

    :raises MethodError: a step breaks them.
    """
    left, below = iterations, chooses_below_root(schedule)
    forced: Any
    count: Any
    steps: Any = schedule.steps(iterations, stats)
    for step in steps if isinstance(steps, Iterable) else (steps,):
        forced, count = step if is_sequence(step) and len(step) == 2 else (step, None)
        moves = range(len(stats()))
        accepted = isinstance(count, int) and 0 < count <= left
        if accepted:
            accepted = _ends_well(forced, count, stats) if below else forced in (None, *moves)
        if not accepted:
            expected = f'the index of one of {len(moves)} moves, or None'
            if below:
                expected = 'a line of indices to an untried move, with 1 iteration, or to an end'
            raise MethodError(
                f'the schedule {type(schedule).__name__} gave {shown(step)}: expected {expected}, '
                f'and a whole number of iterations from 1 to {left}'
            )
        left -= count
        yield Step(forced, count)


def _ends_well(line: Any, count: int, stats: Stats) -> bool:
    """Return whether the line leads to an untried move, and `count` is 1, or to a finished node."""
    rows = stats(line[:-1])
    if line[-1] not in range(len(rows)):
        return False
    return not stats(line) if rows[line[-1]].visits else count == 1
