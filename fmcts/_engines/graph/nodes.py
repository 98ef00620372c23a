"""A graph seen as a tree: nodes that are made from its tables when they are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias, cast

from fmcts._engines.graph.digest import serialise
from fmcts._engines.graph.entry import Entry
from fmcts._engines.graph.values import ROOT, Graph, below, cut_out, planted
from fmcts.game import Player
from fmcts.search import _digest as digests
from fmcts.search._columns import Columns
from fmcts.search._description import Search, Transpositions
from fmcts.search._tree import MutableNode, Node

Facts: TypeAlias = tuple[Any, Player, Any, tuple[Any, ...], int, float, float, Columns]


class _GraphDraft(MutableNode):
    """A draft of a `GraphNode`: the state of that `number` in the `graph`."""

    __slots__ = ('graph', 'number')

    graph: Graph
    number: int


# The slot for the children: empty, and then the tuple of them.
_children: Final[Any] = vars(MutableNode)['children']


class GraphNode(Node, _GraphDraft):
    """A state of a graph, as reached by one move: its children are made when they are read.

    `visits`, `reward` and `value` are of that move: how often it was chosen, and the state's value
    to its player (see `Node`), whoever visited it. `entry` has the statistics of the state itself.
    The same state, reached by another move, is another node; everything below is unfolded at every
    place, and so may have far more nodes than the graph has states. `walk` and `count` go by
    states, and so do equality, digest and pickles.
    """

    __slots__ = ()

    @property
    def entry(self) -> Entry:
        """The statistics of the state, by all moves that lead to it."""
        return self.graph.entries[self.number]

    @property
    def transpositions(self) -> Transpositions:
        """The rule for backing up the graph."""
        return self.graph.rule

    @property
    def iterations(self) -> int:
        """The number of iterations in the graph; below the root, the visits."""
        return self.graph.iterations if self.number == ROOT else self.visits

    @property
    def children(self) -> tuple[Node, ...]:  # type: ignore[override] # to its readers, the slot
        """The states that the tried moves lead to, in the order of `moves`."""
        try:
            made = _children.__get__(self)
        except AttributeError:
            made = tuple(self._child_at(place) for place in range(len(self.entry.edges)))
            _children.__set__(self, made)
        return cast('tuple[Node, ...]', made)

    def child(self, move: object) -> Node | None:
        """Return the node that `move` leads to, or `None` if it was not tried; make no other."""
        edges = self.entry.edges
        return next((self._child_at(at) for at, one in enumerate(edges) if one.move == move), None)

    def _child_at(self, place: int) -> GraphNode:
        graph, player = self.graph, self.state.player
        move, to, chosen = self.entry.edges[place]
        entry = graph.entries[to]
        visits = entry.visits if graph.rule == 'naive' else chosen
        return _node(graph, to, move, player, visits)

    def walk(self, depth: int | None) -> Iterator[Node]:
        """Yield every state at and below this one, once, where preorder meets it first."""
        highest: dict[int, int] = {}
        stack: list[tuple[GraphNode, int]] = [(self, 0)]
        while stack:
            node, level = stack.pop()
            before = highest.get(node.number)
            if before is None:
                yield node
            elif depth is None or before <= level:
                continue
            highest[node.number] = level  # met before, but further down, where the walk ended
            if level != depth:
                stack.extend((cast('GraphNode', child), level + 1) for child in node.children[::-1])

    def count(self) -> int:
        """Return the number of states at and below this one."""
        entries = self.graph.entries
        return len(entries) if self.number == ROOT else sum(1 for _ in below(entries, self.number))

    def count_edges(self) -> int:
        """Return the number of moves tried at and below this state."""
        entries = self.graph.entries
        return sum(len(entries[number].edges) for number in below(entries, self.number))

    def as_root(self) -> Node:
        """Return the state as a root, with its statistics and only the states below it.

        Its visits are those by every move that led to it.
        """
        if self.number == ROOT:
            return self
        return root_node(cut_out(self.graph, self.number, self.move, self.mover))

    def _states(self) -> tuple[Any, ...]:
        """Return the statistics of each state to compare, with numbers in the order of the walk."""
        entries = cut_out(self.graph, self.number, self.move, self.mover).entries
        return tuple(
            entry._replace(level=0, parents=tuple(sorted(entry.parents))) for entry in entries
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GraphNode):
            return False if isinstance(other, Node) else NotImplemented
        if self is other:
            return True
        one, two = (
            (node.facts(), node.graph.rule, node.iterations, node.count()) for node in (self, other)
        )
        return one == two and self._states() == other._states()

    __hash__ = Node.__hash__

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        graph = self.graph
        entries = tuple(map(tuple, graph.entries))
        facts = (*self.facts()[:6], self.value, self.columns)
        known = (graph.rule, graph.iterations, graph.move, graph.mover)
        return _unpickled, (facts, self.number, known, entries)


def _node(graph: Graph, number: int, move: Any, mover: Player, visits: int) -> GraphNode:
    """Return the node of that number, with the `visits` by `move` of `mover`."""
    entry = graph.entries[number]
    reward = entry.reward(mover, visits) if visits else 0.0
    value = entry.worth_to(mover) if visits else 0.0
    facts = (move, mover, entry.state, entry.moves, visits, reward, value, entry.columns)
    return _made(facts, graph, number)


def _made(facts: Facts, graph: Graph, number: int) -> GraphNode:
    draft = object.__new__(_GraphDraft)
    draft.move, draft.mover, draft.state, draft.moves, draft.visits, draft.reward = facts[:6]
    draft.value, draft.columns = facts[6:]
    draft.graph, draft.number = graph, number
    draft.__class__ = GraphNode  # as `freeze_in_place` does
    return draft  # type: ignore[return-value]


def root_node(graph: Graph) -> GraphNode:
    """Return the root of a graph."""
    return _node(graph, ROOT, graph.move, graph.mover, graph.entries[ROOT].visits)


def graph_of(root: Node, search: Search) -> Graph:
    """Return the graph of a root: its own, or a new one for a root that was not searched."""
    if isinstance(root, GraphNode):
        return root.graph
    return planted(root, cast('Transpositions', search.transpositions))


def _unpickled(
    facts: Facts,
    number: int,
    known: tuple[Transpositions, int, Any, Player],
    rows: tuple[tuple[Any, ...], ...],
) -> GraphNode:
    """Return the unpickled node, with the graph that it belongs to."""
    rule, iterations, move, mover = known
    entries = tuple(Entry(*row) for row in rows)
    numbers = {entry.state: at for at, entry in enumerate(entries)}
    return _made(facts, Graph(rule, entries, numbers, iterations, move, mover), number)


@digests.digest.register
def _digest(node: GraphNode) -> str:
    """Return the digest of the graph at and below the node."""
    return digests.name_of(serialise(node.graph, node.number))
