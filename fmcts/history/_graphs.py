"""The log of a graph: what it has besides that of a tree, and versions by addition from it.

Its nodes are moves that were tried, numbered in order: several may lead to one state, which has the
number of the first of them. A leaf has several ways to it, so the log has the path of every
iteration.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

from attrs import frozen

from fmcts._engines import graph as engine
from fmcts.game import Player
from fmcts.search import NO_COLUMNS, Transpositions

SIDES = (Player.X, Player.O)


class Side(NamedTuple):
    """What the statistics of a state read of it: the side to move, and at the root its moves."""

    player: Player
    moves: Sequence[int] = ()


@frozen
class Sharing:
    """What a log has besides, if equal states are one node.

    `rule` is `Search.transpositions`. For each node: `states`, the first node that led to its
    state; `sides`, the side to move there, 0 for X and 1 for O. For each iteration: `paths`, the
    indices of its moves. `begun` has the numbers of the nodes of the initial graph: how often the
    move was chosen, and of its state `own`, `worth`, `visits` and `total` (see the engine's
    `Entry`). `first` is the number of iterations in it.
    """

    rule: Transpositions
    states: Sequence[int]
    sides: Sequence[int]
    paths: Sequence[tuple[int, ...]]
    begun: Sequence[tuple[int, int, float, int, float]]
    first: int = 0

    def graph(self, log: Any, count: int) -> engine.Graph:
        """Return the graph of a log after `count` of its iterations.

        An entry has the number of its state's first node, and its moves are their indices.
        """
        entries: list[Any] = [None] * log.nodes_at(log.first + count)
        for node, (chosen, own, worth, visits, total) in enumerate(self.begun):
            self._reach(log, entries, node, chosen)
            entry = entries[node]
            if entry and visits:
                entry = entry._replace(own=own, worth=worth)
                entries[node] = engine.credited(entry, visits, total)
        size, credit = log.before, engine.CREDITING[self.rule]
        steps = zip(self.paths[:count], log.outcomes, log.made, strict=False)
        for path, outcome, made in steps:
            for node in range(size, size + made):
                self._reach(log, entries, node, 0)
            size += made
            way, number = [], 0
            for index in path:
                way.append((number, index))
                number = entries[number].places[index].to
            credit(entries, way, number, outcome)
        return engine.Graph(self.rule, entries, {}, log.first + count, None, SIDES[log.movers[0]])

    def _reach(self, log: Any, entries: list[Any], node: int, chosen: int) -> None:
        """Add a move, and the state that it leads to, if it is the first that does."""
        state = self.states[node]
        if state == node:
            some = () if node else log.root_moves
            legal = range(max(len(some), *some) + 1) if some else ()
            moves: Any = some or range(log.moves[node])
            entries[node] = engine.Entry(Side(SIDES[self.sides[node]], legal), moves, NO_COLUMNS, 0)
        if not node:
            return
        above, index = log.parents[node], log.indexes[node]
        entry = entries[above]
        places = [*(entry.places or (None,) * len(entry.moves))]
        places[index] = engine.Edge(index, state, chosen)
        entries[above] = entry._replace(places=tuple(places))
        engine.raise_levels(entries, state, above)
        if self.rule == 'naive':
            entries[state] = entries[state]._replace(parents=(*entries[state].parents, above))

    def numbers(self, log: Any, count: int) -> tuple[array[int], array[float]]:
        """Return the visits and rewards of a log's nodes, as in the tree view of the graph."""
        entries, visits, rewards = self.graph(log, count).entries, array('q'), array('d')
        for node, mover in zip(range(len(entries)), log.movers, strict=False):
            entry = entries[self.states[node]]
            number = entry.visits
            if node and self.rule == 'sound':
                number = entries[log.parents[node]].places[log.indexes[node]].visits
            visits.append(number)
            rewards.append(entry.reward(SIDES[mover], number) if number else 0.0)
        return visits, rewards
