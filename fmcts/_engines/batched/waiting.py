"""Nodes that wait for a network, and its answers: what the engines share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import evolve, frozen

from fmcts._engines.plan import Plan, plan_of
from fmcts.game import checked_moves
from fmcts.search._columns import ColumnNames, Columns
from fmcts.search._description import Search
from fmcts.search._tree import MutableNode, freeze_in_place
from fmcts.search.networks import Answer, Network, answers_of


@frozen
class Batches:
    """The values that a search with a network needs in addition to its `plan`.

    A new node of a game that is not over has the columns `waiting`, which no other has, and no
    moves, so that descents end there.
    """

    plan: Plan
    network: Network
    size: int
    names: ColumnNames
    waiting: Columns

    def most(self, visits: int, iterations: int) -> int:
        """Return how many descents a batch may have after `visits`, with `iterations` left."""
        return min(iterations, self.size - visits % self.size)

    def answers(self, nodes: Sequence[Any]) -> list[Answer | None]:
        """Return what the network says of each of the nodes that waits; `None` for the others."""
        asked = [node.state for node in nodes if node.columns is self.waiting]
        given = iter(answers_of(self.network, asked) if asked else ())
        return [next(given) if node.columns is self.waiting else None for node in nodes]

    def columns(self, answer: Answer) -> Columns:
        """Return the columns of a node that waits no more."""
        return Columns(self.names, self.waiting.own, (answer.priors,))


def batches_of(search: Search, root: Any, *, in_place: bool = False) -> Batches:
    """Return how a search with a network runs, for the game of the state `root`."""
    names = search.columns
    own = (0.0,) * len(names.own)
    waiting, ended = Columns(names, own), Columns(names, own, ((),))

    def leaf(node: Any, move: Any) -> Any:
        state = node.state.play(move)
        columns = waiting if state.moves or checked_moves(state) else ended
        children: Any = [] if in_place else ()
        child = MutableNode(move, node.state.player, state, (), 0, 0.0, 0.0, children, columns)
        return child if in_place else freeze_in_place(child)

    plan = evolve(plan_of(search, root, in_place=in_place), leaf=leaf)
    network: Any = search.network
    return Batches(plan, network, search.batch, names, waiting)
