"""Nodes that wait for a network, and its answers: what the engines share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from attrs import evolve, frozen

from fmcts._engines.plan import Plan, plan_of
from fmcts._engines.selection import chooser_of, reads_parent_value
from fmcts.game import checked_moves
from fmcts.search._columns import ColumnNames, Columns
from fmcts.search._description import Search
from fmcts.search._tree import MutableNode, freeze_in_place
from fmcts.search.networks import Answer, Network, answers_of


class Waiting(Columns):
    """The columns of a node that waits for the network: its `moves` are the legal moves.

    The node itself has no moves yet, so that descents end there.
    """

    __slots__ = ()


def waits(node: Any) -> bool:
    """Return whether a node waits for the network."""
    return type(node.columns) is Waiting


@frozen
class Batches:
    """The values that a search with a network needs in addition to its `plan`.

    A new node of a game that is not over is `Waiting`.
    """

    plan: Plan
    network: Network
    size: int
    names: ColumnNames
    own: tuple[float, ...]

    def most(self, visits: int, iterations: int) -> int:
        """Return how many descents a batch may have after `visits`, with `iterations` left."""
        return min(iterations, self.size - visits % self.size)

    def answers(self, nodes: Sequence[Any]) -> list[Answer | None]:
        """Return what the network says of each of the nodes that waits; `None` for the others."""
        asked = [(node.state, node.columns.moves) for node in nodes if waits(node)]
        given = iter(answers_of(self.network, *zip(*asked, strict=True)) if asked else ())
        return [next(given) if waits(node) else None for node in nodes]

    def columns(self, answer: Answer) -> Columns:
        """Return the columns of a node that waits no more."""
        return Columns(self.names, self.own, (answer.priors,))


def batches_of(
    search: Search,
    root: Any,
    *,
    in_place: bool = False,
    losses: Callable[[Any], int] = attrgetter('losses'),
) -> Batches:
    """Return how a search with a network runs, for the game of the state `root`.

    `losses(node)`: how many of a node's visits wait for the network.
    """
    names = search.columns
    own = (0.0,) * len(names.own)
    ended = Columns(names, own, ((),))

    def leaf(node: Any, move: Any) -> Any:
        above = node.state
        state = above.play(move)
        moves = state.moves or checked_moves(state)
        columns = Waiting(names, own, moves) if moves else ended
        child = MutableNode(move, above.player, state, (), 0, 0.0, 0.0, (), columns)
        return child if in_place else freeze_in_place(child)

    choose = chooser_of(search.method, search.resolution)

    def backed_up(node: Any, places: Sequence[Any], log_visits: float, _path: Any) -> int:
        return choose(node, places, log_visits, None, losses(node))

    chosen = backed_up if reads_parent_value(search.method) else choose
    plan = evolve(plan_of(search, root, in_place=in_place, choose=chosen), leaf=leaf)
    network: Any = search.network
    return Batches(plan, network, search.batch, names, own)
