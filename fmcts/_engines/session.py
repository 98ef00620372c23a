"""The interface between an engine and the driver: a running search."""

from __future__ import annotations

from typing import Any, Protocol, Self

from fmcts.search._analysis import MoveStats
from fmcts.search._tree import Node
from fmcts.search.schedules import Forced, Line


class Session(Protocol):
    """A running search, which advances by some iterations at a time.

    In the engines that return new nodes it is a frozen value, and `advance` returns another; in
    those that mutate in place `advance` returns the session itself. Nothing depends on how the
    iterations are divided into advances.
    """

    @property
    def visits(self) -> int:
        """The visits of the root."""

    @property
    def ended(self) -> bool:
        """True if the next iteration would exceed `max_nodes`, or the root is resolved."""

    def advance(self, iterations: int, forced: Forced = None) -> Self:
        """Return the session after `iterations` more, or as many as `max_nodes` has room for.

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
