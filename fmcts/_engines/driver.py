"""The driver, which runs a search of any engine and calls its watch, and what it runs: a session.

Between two chunks of iterations the interpreter handles signals and other threads, and `watch`
receives the progress. The size of a chunk depends on the clock; the result does not. With a network
a chunk is one call of it.
"""

from __future__ import annotations

from typing import Any, Final, Protocol, Self, TypeVar

from fmcts._engines.steps import steps_of
from fmcts.search import STOP, ChunkSize, MoveStats, Node, Search, Watch
from fmcts.search.schedules import Forced, Line, Stats


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
            if stopped and _has_choice(session):
                _check_unscheduled(search)
                return session
            most = goal - session.visits
            if is_decided(search, session.visits, session.stats):
                return session
            count = size.begin(most)
            if search.network is not None:
                count = min(most, search.batch)
            elif search.stop:
                count = min(count, BETWEEN - session.visits % BETWEEN)
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


def _has_choice(session: Session) -> bool:
    """Return whether a move can be chosen: one has a visit."""
    return any(row.visits for row in session.stats())


def _check_unscheduled(search: Search) -> None:
    if search.schedule is not None:
        raise ValueError(
            'watch cannot end a search with a schedule, which needs all of its iterations'
        )
