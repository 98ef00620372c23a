"""What a descent sees of a graph: a state as a node, whose places are the ways from it.

In a tree the child that a choice compares is the node that the descent goes on to. In a graph they
differ: a move has the visits that it was chosen with and the current value of its state, whoever
visited it; the choice at that state then counts the visits by all moves to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from attrs import define

from fmcts._engines.graph.nodes import Edge, Entry
from fmcts.game import players_of
from fmcts.search import Columns


@define(eq=False)
class Way:
    """A tried move of the player at `seat`, as his choice compares it; `entry` is of its state."""

    edge: Edge
    entry: Entry
    seat: int
    visits: int
    value: float
    losses: ClassVar = 0
    columns = property(lambda self: self.entry.columns)
    reward = property(
        lambda self: self.edge._replace(visits=self.visits).reward(self.entry, self.seat)
    )


def way_of(graph: Any, edge: Edge, seat: int) -> Way:
    """Return a tried move of the player at `seat`; by the naive rule with its state's visits."""
    entry = graph.entries[edge.to]
    visits = entry.visits if graph.rule == 'naive' else edge.visits
    plain = visits and edge.gained is None  # then `edge.value(entry, seat)` is inlined
    value = entry.values[seat] if plain else edge.value(entry, seat)
    return Way(edge, entry, seat, visits, value)


class Ways(list[Way | None]):
    """The places of a state: in turn the ways to compare, by an index the node one leads to."""

    __slots__ = ('graph',)

    def __init__(self, graph: Any, ways: Iterable[Way | None]) -> None:
        super().__init__(ways)
        self.graph = graph

    def __getitem__(self, place: Any) -> Any:
        way: Any = list.__getitem__(self, place)
        return way and state_node(self.graph, way.edge.to)


@define(eq=False)
class StateNode:
    """A state as its own choice sees it: by all moves to it, for the side to move."""

    graph: Any
    number: int
    entry: Entry
    state: Any
    moves: tuple[Any, ...]
    visits: int
    columns: Columns
    places: Any
    losses: ClassVar = 0
    mover = property(lambda self: players_of(self.state)[self.entry.seat])
    value = property(lambda self: self.entry.values[self.entry.seat] if self.visits else 0.0)
    reward = property(lambda self: self.entry.reward(self.entry.seat, self.visits))


def state_node(graph: Any, number: int) -> Any:
    """Return the `StateNode` of a number; its places are empty before the first tried move."""
    entry = graph.entries[number]
    places, seat = entry.places, entry.seat
    if places:
        places = Ways(graph, [edge and way_of(graph, edge, seat) for edge in places])
    return StateNode(
        graph, number, entry, entry.state, entry.moves, entry.visits, entry.columns, places
    )
