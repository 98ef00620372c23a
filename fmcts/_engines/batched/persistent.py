"""Batches by path copying: losses are written to a second tree, which is forgotten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from attrs import evolve, field, frozen

from fmcts._engines.batched.waiting import Batches, batches_of, waits
from fmcts._engines.expansion import opened, room_left
from fmcts._engines.persistent import Persistent, backup, expand, select
from fmcts._engines.plan import Path, Plan
from fmcts.rng._protocol import R
from fmcts.search._arithmetic import logarithms
from fmcts.search._description import Search
from fmcts.search._tree import MutableNode, Node, freeze_in_place
from fmcts.search.networks import Answer
from fmcts.search.schedules import Forced


class Descent(NamedTuple):
    """The moves of a descent, and the node where it ended, as it was before it.

    `tree` is what it descended: the tree with the losses of the descents before it in its batch.
    """

    moves: tuple[Any, ...]
    node: Node
    tree: Node


def descent_of(path: Path, node: Node, tree: Node) -> Descent:
    """Return the descent of `tree` by this path."""
    return Descent(tuple(places[place].move for _, places, place in path), node, tree)


class Credited(NamedTuple):
    """A descent that was backed up: the tree after it, and what it was worth to X.

    `answer` is what the network says of its end, `None` if the game is over there.
    """

    tree: Node
    descent: Descent
    answer: Answer | None
    for_x: float


class _LosingDraft(MutableNode):
    """A draft of a `Losing` node."""

    __slots__ = ('losses',)

    losses: int  # type: ignore[misc] # of other nodes it is 0


class Losing(Node, _LosingDraft):
    """A node with visits that wait for the network: `losses` of them."""

    __slots__ = ()


def lost(path: Path, node: Node) -> Node:
    """A new root: `node` and everything above it with a visit without reward."""
    places = node.places
    while True:
        visits = node.visits + 1
        value = node.reward / visits
        draft: Any = _LosingDraft(
            node.move, node.mover, node.state, node.moves, visits, node.reward, value,
            places, node.columns,
        )  # fmt: skip
        draft.losses = node.losses + 1
        draft.__class__ = Losing
        new: Node = draft
        if not path:
            return new
        node, places, place = path.pop()
        places = (*places[:place], new, *places[place + 1 :])


def gather(
    root: Node, plan: Plan, log: Sequence[float], most: int, room: float
) -> tuple[list[Descent], float, bool]:
    """Descend up to `most` times: the descents, the room left, and whether the search ended."""
    gathered: list[Descent] = []
    rng: Any = None  # no part of such a search draws
    while len(gathered) < most:
        path, node, step, _ = select(root, plan, log, rng)
        place, made = step
        if made > room:
            return gathered, room, True
        if made:
            places = expand(node, step, plan)
            path.append((node, places, place))
            node = places[place]
        elif waits(node):
            break
        gathered.append(descent_of(path, node, root))
        root, room = lost(path, node), room - made
    return gathered, room, False


def credit(root: Node, descent: Descent, answer: Answer | None, batches: Batches) -> Credited:
    """The tree after the descent was backed up; its last node is new where it waited."""
    path: Path = []
    node, plan = root, batches.plan
    for move in descent.moves:
        places, place = opened(node), node.moves.index(move)
        if places[place] is None:  # it is the last, and new
            places[place] = freeze_in_place(descent.node.mutable_copy(()))
        path.append((node, places, place))
        node = places[place]
    if answer is None:
        for_x = plan.ended(path, node)[0]
    else:
        for_x, draft = answer.for_x, node.mutable_copy(())
        draft.moves, draft.columns = draft.columns.moves, batches.columns(answer)
        node = freeze_in_place(draft)
    return Credited(backup(path, node, for_x, None, plan), descent, answer, for_x)


def credited(root: Node, gathered: Sequence[Descent], batches: Batches) -> Iterator[Credited]:
    """The descents of a batch after their backups, in order; the network is called once."""
    answers = batches.answers([descent.node for descent in gathered])
    for descent, answer in zip(gathered, answers, strict=True):
        found = credit(root, descent, answer, batches)
        root = found.tree
        yield found


def grow(
    root: Node, batches: Batches, room: float, iterations: int, forced: Forced = None
) -> Iterator[tuple[Node, float, bool]]:
    """Yield the trees after one, two, three... batches, `iterations` iterations in all.

    Each comes with the room left, and whether the search has ended.
    """
    plan, goal = batches.plan.forcing(forced), root.visits + iterations
    log: Sequence[float] = ()
    ended = False
    while root.visits < goal and not ended:
        if plan.finished and plan.finished(root):
            yield root, room, True
            return
        most = batches.most(root.visits, goal - root.visits)
        if len(log) < root.visits + most + 2:
            log = logarithms(root.visits + most + 1)
        gathered, room, ended = gather(root, plan, log, most, room)
        for each in credited(root, gathered, batches):
            root = each.tree
        yield root, room, ended


@frozen
class ByBatches(Persistent[R]):
    """A running search as a value; it draws nothing."""

    batches: Batches = field(kw_only=True)

    def advance(self, iterations: int, forced: Forced = None) -> ByBatches[R]:
        """Return the session after one batch, of at most `iterations` iterations."""
        tree, room, ended = next(grow(self.tree, self.batches, self.room, iterations, forced))
        return evolve(self, tree=tree, room=room, ended=ended)


def begin(root: Node, rng: R, search: Search) -> ByBatches[R]:
    """The search of that root, before its first iteration."""
    batches, room = batches_of(search, root.state), room_left(root, search.max_nodes)
    return ByBatches(root, rng, batches.plan, room, batches=batches)
