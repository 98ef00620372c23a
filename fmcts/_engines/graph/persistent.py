"""The reference: persistent tables. Each iteration returns a new graph and changes no old one.

Tables of `pyrsistent` share their common parts: entries are in a vector, in which replacing some
copies a few short arrays, and numbers in a hash map. During one iteration their mutable evolvers
are written to, which nobody else sees.
"""

from __future__ import annotations

from typing import Any, Generic

from attrs import evolve, frozen
from pyrsistent import PVector, pmap, pvector

from fmcts._engines.graph.nodes import graph_of, root_node
from fmcts._engines.graph.values import Graph
from fmcts._engines.graph.verbs import CREDITING, Fixed, FullError, Open, fixed_of, iterate
from fmcts.rng import thaw
from fmcts.rng._protocol import R
from fmcts.search._analysis import MoveStats, stats_of
from fmcts.search._arithmetic import logarithms
from fmcts.search._description import Search
from fmcts.search._tree import Node


def shared(graph: Graph) -> Graph:
    """Return the same graph in persistent tables."""
    if isinstance(graph.entries, PVector):
        return graph
    entries = pvector(graph.entries)
    numbers = pmap({entry.state: number for number, entry in enumerate(entries)})
    return evolve(graph, entries=entries, numbers=numbers)


def step(graph: Graph, rng: R, fixed: Fixed, forced: int | None = None) -> tuple[Graph, R] | None:
    """Return the graph after one more iteration, and the generator; `None` if it has no room."""
    tables: Any = graph
    entries, numbers = tables.entries.evolver(), tables.numbers.evolver()
    log = logarithms(graph.iterations + 1)
    opened = Open(
        entries,
        numbers,
        fixed.plan,
        fixed.fresh,
        graph.rule,
        fixed.limit,
        log,
        CREDITING[graph.rule],
    )
    draws = thaw(rng)
    try:
        iterate(opened, draws.draw, forced)
    except FullError:
        return None
    grown = Graph(
        graph.rule,
        entries.persistent(),
        numbers.persistent(),
        graph.iterations + 1,
        graph.move,
        graph.mover,
    )
    return grown, draws.freeze()  # type: ignore[return-value]


@frozen
class Persistent(Generic[R]):
    """A running search as a value: an advance changes nothing and returns another value."""

    graph: Graph
    rng: R
    fixed: Fixed
    ended: bool = False

    @property
    def visits(self) -> int:
        """The number of iterations in the graph."""
        return self.graph.iterations

    def advance(self, iterations: int, forced: int | None = None) -> Persistent[R]:
        """Return the session after `iterations` more iterations."""
        graph, rng = self.graph, self.rng
        for _ in range(iterations):
            after = step(graph, rng, self.fixed, forced)
            if after is None:
                return Persistent(graph, rng, self.fixed, ended=True)
            graph, rng = after
        return Persistent(graph, rng, self.fixed)

    def stats(self) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves."""
        return stats_of(root_node(self.graph))

    def finish(self) -> tuple[Node, R]:
        """Return the graph seen as a tree, and the generator to use next."""
        return root_node(self.graph), self.rng


def begin(root: Node, rng: R, search: Search) -> Persistent[R]:
    """Return the search of that root, before its first iteration."""
    return Persistent(shared(graph_of(root, search)), rng, fixed_of(root, search))
