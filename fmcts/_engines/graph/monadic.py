"""The persistent design written in `State`: the container threads the generator.

An iteration is an action on a generator; it uses the step of `persistent` and its tables.
"""

from __future__ import annotations

from typing import Any, Generic, NamedTuple

from attrs import frozen

from fmcts._engines.graph.nodes import graph_of, root_node
from fmcts._engines.graph.persistent import shared, step
from fmcts._engines.graph.values import Graph
from fmcts._engines.graph.verbs import Fixed, fixed_of
from fmcts.rng._protocol import R
from fmcts.search._analysis import MoveStats, stats_of
from fmcts.search._description import Search
from fmcts.search._tree import Node
from fmcts.state import Do, State, do


class Grown(NamedTuple):
    """A graph, and whether the search has ended because the next iteration has no room."""

    graph: Graph
    ended: bool


def iteration(graph: Graph, fixed: Fixed, forced: int | None) -> State[Grown, R]:
    """Return one more iteration; without room for it, the same graph and no draw."""

    def run(rng: R) -> tuple[Grown, R]:
        after = step(graph, rng, fixed, forced)
        if after is None:
            return Grown(graph, ended=True), rng
        return Grown(after[0], ended=False), after[1]

    return State(run)


def grow(graph: Graph, fixed: Fixed, iterations: int, forced: int | None) -> State[Grown, R]:
    """Return the graph after `iterations` more iterations, or as many as there is room for."""

    @do
    def grown() -> Do[Grown, R]:
        latest = Grown(graph, ended=False)
        for _ in range(iterations):
            latest = yield iteration(latest.graph, fixed, forced)
            if latest.ended:
                break
        return latest

    return grown()


@frozen
class Monadic(Generic[R]):
    """A running search as a value: an advance runs one action, and returns another value."""

    grown: Grown
    rng: R
    fixed: Fixed

    @property
    def visits(self) -> int:
        """The number of iterations in the graph."""
        return self.grown.graph.iterations

    @property
    def ended(self) -> bool:
        """True if there is no room for the next iteration."""
        return self.grown.ended

    def advance(self, iterations: int, forced: int | None = None) -> Monadic[R]:
        """Return the session after `iterations` more iterations."""
        action: State[Grown, R] = grow(self.grown.graph, self.fixed, iterations, forced)
        grown, rng = action.run(self.rng)
        return Monadic(grown, rng, self.fixed)

    def stats(self) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves."""
        return stats_of(root_node(self.grown.graph))

    def finish(self) -> tuple[Node, R]:
        """Return the graph seen as a tree, and the generator to use next."""
        return root_node(self.grown.graph), self.rng


def begin(root: Node, rng: R, search: Search) -> Monadic[R]:
    """Return the search of that root, before its first iteration."""
    grown = Grown(shared(graph_of(root, search)), ended=False)
    return Monadic(grown, rng, fixed_of(root, search))
