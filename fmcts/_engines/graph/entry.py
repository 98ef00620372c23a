"""The statistics of one state of a graph, and what follows from them. Nothing here draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from fmcts.game import Player
from fmcts.search import Columns

X = Player.X


class Edge(NamedTuple):
    """A move that was tried: the number of the state it leads to, and how often it was chosen."""

    move: Any
    to: int
    visits: int


class Entry(NamedTuple):
    """The statistics of one state. Rewards are for X, because a state may have several movers.

    `moves` are the legal ones in canonical order (at the root perhaps only some). `places` has the
    edge of each, `None` for an untried move; it is empty before the first. `columns` are the
    method's columns of the moves. `level` is
    higher than that of any state that leads here. `own` counts the iterations that ended here: at
    most one, except in a finished state, and `worth` is the reward of each (by the naive rule any
    number everywhere, and the last reward). `visits` and `total` are of all iterations, the sum of
    their rewards (see `recomputed`), and `for_x` and `for_o` the resulting value for either player:
    the mean, or the exact reward of a finished state. `parents`, which only `naive` stores, has the
    numbers of the states that lead here, one for each edge.
    """

    state: Any
    moves: tuple[Any, ...]
    columns: Columns
    level: int
    own: int = 0
    worth: float = 0.0
    visits: int = 0
    total: float = 0.0
    for_x: float = 0.0
    for_o: float = 0.0
    places: tuple[Edge | None, ...] = ()
    parents: tuple[int, ...] = ()

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The moves that were tried, in the order of `moves`."""
        return tuple(filter(None, self.places))

    def worth_to(self, player: Player) -> float:
        """Return the state's value to a player; 0 before the first visit."""
        return self.for_x if player is X else self.for_o

    def reward(self, player: Player, chosen: int) -> float:
        """Return the reward of `chosen` of its visits to a player; of all, exactly `total`."""
        if chosen == self.visits:
            return self.total if player is X else chosen - self.total
        return chosen * self.worth_to(player)


def credited(entry: Entry, visits: int, total: float) -> Entry:
    """Return the entry with these visits and this total, and the values that follow."""
    state, moves, columns, level, own, worth, _, _, _, _, places, parents = entry
    if moves:
        for_x, for_o = total / visits, (visits - total) / visits
    else:  # exactly, even if a sum of it is rounded
        for_x, for_o = worth, 1.0 - worth
    return Entry(  # faster than `_replace`
        state, moves, columns, level, own, worth, visits, total, for_x, for_o, places, parents
    )


def recomputed(entry: Entry, entries: Sequence[Entry]) -> Entry:
    """Return the entry with its derived fields recomputed from the states of its edges.

    Its visits are its own plus the visits of its edges; its total is its own reward plus, for each
    edge, the visits times the value of the state it leads to. The function is idempotent, so a
    state can be updated through several parents.
    """
    visits, total = entry.own, entry.own * entry.worth
    for edge in entry.places:
        if edge and edge.visits:
            _, to, chosen = edge
            visits += chosen
            child = entries[to]
            total += child.total if chosen == child.visits else chosen * child.for_x
    return credited(entry, visits, total)
