"""The nodes of a search with a network, and its losses.

A descent leaves a virtual loss on its way, a visit without reward for who moved to each node, so
that the next descent takes another (G. Chaslot, M. Winands and J. van den Herik, "Parallel
Monte-Carlo tree search", 2008). The losses are in the visits of the nodes, and counted apart, until
what the network says of its end is backed up (see `windows`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from attrs import evolve, frozen

from fmcts._engines import chance, persistent
from fmcts._engines.expansion import opened
from fmcts._engines.outcomes import Path
from fmcts._engines.plan import Plan, either, plan_of
from fmcts._engines.returns import moves_of
from fmcts.game import chances_of, is_plain
from fmcts.search import (
    NO_COLUMNS,
    ColumnNames,
    Columns,
    MutableNode,
    Node,
    Search,
    freeze_in_place,
)
from fmcts.search.networks import Answer, Answering, Expected, Network, answers_of, expected_of
from fmcts.search.proposals import Width


class Waiting(Columns):
    """The columns of a node that waits for the network.

    The node itself has no moves while it does, so that descents end there. If the network is asked
    for more of its moves, `proposed` has the columns that it has otherwise, and `moves` its moves.
    """

    __slots__ = ()


def waits(node: Any) -> bool:
    """Return whether a node waits for the network."""
    return type(node.columns) is Waiting


@frozen
class Batches:
    """The values that a search with a network needs in addition to its `plan`.

    A new node of a game that is not over is `Waiting`, but has its moves. `horizon` is the number
    of moves after which nobody is asked, perhaps infinite.
    """

    plan: Plan
    network: Network
    names: ColumnNames
    expected: Expected
    width: Width | None = None
    horizon: float = math.inf

    def open(self, node: MutableNode, answer: Answer) -> None:
        """Give a node that waits its moves and columns, with what the network says of it."""
        if not waits(node):
            self._widen(node, answer)
            return
        proposed = None
        if answer.moves is not None:
            node.moves, proposed = answer.moves, len(answer.moves)
        priors = answer.priors or (0.0,) * len(node.moves)  # outcomes have none
        rows = (priors,)[: len(self.names.moves)]
        node.columns = Columns(self.names, node.columns.own, rows, proposed=proposed)

    def _widen(self, node: MutableNode, answer: Answer) -> None:
        """Give a node the moves that were proposed when it was asked of again.

        Its priors become the means of all proposals' priors.
        """
        more: Any = answer.moves
        known, before, new = node.moves, node.columns.proposed, len(more)
        node.moves = (*known, *(move for move in more if move not in known))
        if node.places:  # none before the first child, as everywhere
            node.places = (*node.places, *[None] * (len(node.moves) - len(node.places)))
        rows = node.columns.moves
        if rows:
            # A move proposed twice adds up its priors: each asking counts by how many moves it
            # proposed.
            sums = dict.fromkeys(node.moves, 0.0)
            for moves, priors, weight in ((known, rows[0], before), (more, answer.priors, new)):
                for move, prior in zip(moves, priors, strict=True):
                    sums[move] += weight * prior
            rows = (tuple(number / (before + new) for number in sums.values()),)
        node.columns = node.columns._replace(moves=rows, proposed=before + new)

    def is_cut(self, path: Path, node: Any) -> bool:
        """Return whether a node is at the horizon, which nothing but what chance brings follows."""
        return self.horizon < math.inf and moves_of(path) >= self.horizon and not node.state.over

    def cut(self, node: MutableNode) -> None:
        """Give a new node at the horizon the columns that it has unless the network is asked.

        Its moves have even priors, for a search that continues the tree with a later horizon.
        """
        count, listed = len(node.moves), not isinstance(self.network, Answering)
        even = (0.0 if chances_of(node.state) else 1.0 / max(1, count),) * count
        rows = (even,)[: len(self.names.moves)]
        # An evaluator that proposes moves has proposed none: it is asked once it is due.
        node.columns = Columns(self.names, None, rows, proposed=None if listed else count)

    def is_due(self, path: Path, node: Any) -> bool:
        """Return whether the network is to propose more moves of a node."""
        made = node.columns.proposed
        due = type(made) is int and self.width and self.width.has_room(made, node.visits + 1)
        return bool(due) and not self.is_cut(path, node)


def answers(network: Network, asked: Sequence[tuple[Any, Any]]) -> Iterator[Answer]:
    """Return what the network says of these states, each with its legal moves, by one call."""
    return iter(answers_of(network, *zip(*asked, strict=True)) if asked else ())


def batches_of(search: Search, root: Any) -> Batches:
    """Return how a search with a network runs, for the game of the state `root`."""
    names = search.columns
    listed = not isinstance(search.network, Answering)
    waiting = Waiting(names)
    ended = Columns(names, None, ((),) * len(names.moves)) if names else NO_COLUMNS
    plain = is_plain(root)

    def leaf(node: Any, move: Any) -> Any:
        above = node.state
        state = above.play(move)
        moves = (plain and state.moves) or chance.options_at(state, listed=listed)
        columns = ended if not moves and state.over else waiting
        return MutableNode(move, above.player, state, moves, 0, 0.0, 0.0, (), columns)

    plan = plan_of(search, root)
    plan = evolve(plan, leaf=leaf, update=_on_settled(plan.update))
    network: Any = search.network
    width = search.proposals if isinstance(search.proposals, Width) else None
    horizon = math.inf if search.horizon is None else search.horizon
    batches = Batches(plan, network, names, expected_of(root), width, horizon)
    if width is None:
        return batches
    due, ends = batches.is_due, plan.stops
    stops = either(ends, due) if ends else due
    return evolve(batches, plan=evolve(plan, stops=stops))


def _bare(node: Any) -> Any:
    """Return a node without the losses of descents in flight; `None` if it has no other visits."""
    if node is None or not node.losses:
        return node
    return without_losses(node, node.places) if node.visits > node.losses else None


def without_losses(node: Any, places: Sequence[Any]) -> MutableNode:
    """Return a copy of a node, with these places, as if no descent were in flight."""
    bare: MutableNode = node.mutable_copy(places)
    bare.losses, bare.visits = 0, node.visits - node.losses
    bare.value = bare.reward / bare.visits if bare.visits else 0.0
    reopen(bare)
    return bare


def settled(node: Any) -> Any:
    """Return a node and its children as if no descent were in flight."""
    return without_losses(node, [*map(_bare, node.places)]) if node.losses else node


def _on_settled(update: Any) -> Any:
    """Return the update of columns, of nodes that may have losses: those do not count."""

    def updated(node: Any, places: Sequence[Any], below: Any, *more: Any) -> Columns:
        if node.losses:
            node = without_losses(node, places)
        return update(node, [*map(_bare, places)], _bare(below), *more)  # type: ignore[no-any-return]

    return update and updated


def reopen(node: MutableNode) -> None:
    """Give a node its moves back while the network is asked for more of them."""
    before = node.columns.proposed
    if type(before) is Columns:
        node.moves, node.columns = node.columns.moves, before


def leave(node: MutableNode, losses: int) -> None:
    """Write that many visits without reward to a node, which may be below 0."""
    node.losses += losses
    node.visits += losses
    node.value = node.reward / node.visits if node.visits else 0.0


# ---- descents ----


class Descent(NamedTuple):
    """The places along a descent, and the node where it ended.

    There is no node if another descent waits for it already. `asked` are the moves that it has, or
    had before more were asked for. `tree` is what was descended, with the losses of the descents
    before it that are not backed up yet; `None` unless descents are to be explained. `rng` is the
    generator after it, and `worth` what followed a node at the horizon.
    """

    line: tuple[int, ...]
    node: Any
    asked: tuple[Any, ...]
    tree: Any
    rng: Any
    worth: Any = None


def asked_of(descents: Iterable[Descent]) -> list[tuple[Any, Any]]:
    """Return the states that descents wait to be judged, each with its legal moves."""
    return [
        (it.node.state, () if chances_of(it.node.state) else it.asked)
        for it in descents
        if it.node is not None and waits(it.node)
    ]


class Credited(NamedTuple):
    """A descent that was backed up: the tree after it, and what it was worth to X.

    `answer` is what the network says of its end, `None` if the game is over there.
    """

    tree: Node
    descent: Descent
    answer: Answer | None
    for_x: float


class Drafts:
    """A tree that is written to, and shares with its earlier versions all nodes that are not.

    A frozen node is copied when it is first written to, so several descents copy the nodes that
    their paths have in common once. `frozen` ends this: the copies are frozen in place.
    """

    __slots__ = '_made', 'root'

    def __init__(self, root: Node) -> None:
        self.root: Any = root
        self._made: list[MutableNode] = []

    def added(self, node: MutableNode) -> MutableNode:
        """Return a node that nobody else writes to, with its places in a list if it has any."""
        if node.places:
            node.places = [*node.places]
        self._made.append(node)
        return node

    def path(self, line: Iterable[int], losses: int) -> tuple[Path, Any]:
        """Return the path along these places, and the node where it ends, all to write to.

        Each gets this number of losses, which may be below 0.
        """
        node, path = self.root, []
        # From the root down: only what is above it says where a copy belongs.
        if type(node) is not MutableNode:
            node = self.root = self.added(node.mutable_copy(node.places))
        for place in line:
            node.losses += losses  # `leave(node, losses)`, inlined
            node.visits += losses
            node.value = node.reward / node.visits if node.visits else 0.0
            places = node.places
            path.append((node, places, place))
            node = places[place]
            if type(node) is not MutableNode:
                node = places[place] = self.added(node.mutable_copy(node.places))
        leave(node, losses)
        return path, node

    def frozen(self) -> Node:
        """Return the tree, as a value."""
        for each in self._made:
            each.places = tuple(each.places)
            freeze_in_place(each)
        self._made.clear()
        return self.root  # type: ignore[no-any-return]


def credit(root: Node, descent: Descent, answer: Answer | None, batches: Batches) -> Credited:
    """Back up a descent by path copying, for who explains it; its last node is new if it waited."""
    path: Path = []
    node, plan = root, batches.plan
    for place in descent.line:
        places = opened(node)
        if places[place] is None:  # it is the last, and new
            new = plan.leaf(node, node.moves[place])
            if descent.worth is not None:
                batches.cut(new)
            places[place] = freeze_in_place(new)
        path.append((node, places, place))
        node = places[place]
    if answer is None:
        for_x = plan.ended(path, node)[0] if descent.worth is None else descent.worth
    else:
        for_x, draft = answer.for_x, node.mutable_copy(node.places)
        batches.open(draft, answer)
        node = freeze_in_place(draft)
    return Credited(persistent.backup(path, node, for_x, None, plan), descent, answer, for_x)
