"""Batches in place: a loss is written to the nodes of a path, and taken back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from typing import Any, Self, TypeAlias

from attrs import define, field

from fmcts._engines.batched.waiting import Batches, batches_of, waits
from fmcts._engines.expansion import room_left
from fmcts._engines.inplace import InPlace, Path, X, backup, expand, select, thaw
from fmcts._engines.plan import Plan
from fmcts._engines.selection import reads_parent_value
from fmcts.rng import thaw as thaw_rng
from fmcts.rng._protocol import R
from fmcts.search._arithmetic import logarithms
from fmcts.search._description import Search
from fmcts.search._tree import MutableNode, Node
from fmcts.search.networks import Answer, Network, answers_of
from fmcts.search.schedules import Forced

Losses: TypeAlias = defaultdict[int, int] | None
"""The visits of a batch that are not backed up yet, by the identity of a node; `None` if the
method does not ask."""

NO_DRAWS: Any = None  # no part of such a search draws


def lose(path: Path, losses: Losses) -> None:
    """Write a visit without reward to the nodes of a path, its end included.

    `losses` counts them, if it is not `None`.
    """
    for each in path:
        visits = each.visits = each.visits + 1
        each.value = each.reward / visits
        if losses is not None:
            losses[id(each)] += 1


def take_back(path: Path) -> None:
    """Take back what `lose` wrote."""
    for each in path:
        each.visits -= 1
        each.value = each.reward / each.visits if each.visits else 0.0


def reward(path: Path, for_x: float) -> None:
    """Add a reward where a loss was written, whose visit stays: a backup that changes no columns.

    A value is right when all losses of the batch have got their rewards.
    """
    for_o = 1.0 - for_x
    for each in path:
        total = each.reward = each.reward + (for_x if each.mover is X else for_o)
        each.value = total / each.visits


def gather(
    root: MutableNode,
    plan: Plan,
    log: Sequence[float],
    most: int,
    room: float,
    losses: Losses,
) -> tuple[list[Path], float, bool]:
    """Descend up to `most` times: paths with their ends, the room left, and whether it ended."""
    gathered: list[Path] = []
    if losses:
        losses.clear()
    while len(gathered) < most:
        path, node, step = select(root, plan, log, NO_DRAWS)
        made = step[1]
        if made > room:
            return gathered, room, True
        if made:
            path.append(node)
            node = expand(node, step, plan)
        elif waits(node):
            break
        path.append(node)
        lose(path, losses)
        gathered.append(path)
        room -= made
    return gathered, room, False


@define
class ByBatches(InPlace[R]):
    """A running search; it draws nothing."""

    batches: Batches = field(kw_only=True)
    losses: Losses = field(kw_only=True)
    gathered: list[Path] = field(factory=list, kw_only=True)

    def advance(self, iterations: int, forced: Forced = None) -> Self:
        """Return the session itself after one batch, of at most `iterations` iterations."""
        states = self.collect(self.visits + iterations, forced)
        self.credit(self.answered(self.batches.network, [states])[0])
        return self

    def collect(self, goal: int, forced: Forced = None) -> list[tuple[Any, Any]]:
        """Descend for one batch, with `goal` visits as the end.

        Return the states to judge, each with its legal moves.

        `credit` must come next.
        """
        tree, batches, plan = self.tree, self.batches, self.plan.forcing(forced)
        self.gathered = []
        if plan.finished and plan.finished(tree):
            self.ended = True
            return []
        most = batches.most(tree.visits, goal - tree.visits)
        log = logarithms(goal)
        self.gathered, self.room, self.ended = gather(tree, plan, log, most, self.room, self.losses)
        for path in self.gathered if plan.update else ():
            take_back(path)
        ends = [path[-1] for path in self.gathered]
        return [(node.state, node.columns.moves) for node in ends if waits(node)]

    def credit(self, answers: Sequence[Answer]) -> None:
        """Back up the batch, with what the network says of each of the states."""
        batches, given = self.batches, iter(answers)
        plan = batches.plan
        for path in self.gathered:
            node = path[-1]
            if waits(node):
                answer = next(given)
                node.moves, node.columns = node.columns.moves, batches.columns(answer)
                for_x = answer.for_x
            else:
                for_x = plan.ended(path[:-1], node)[0]
            if plan.update:
                backup(path, path.pop(), for_x, None, plan)
            else:
                reward(path, for_x)

    @staticmethod
    def answered(network: Network, batches: Sequence[list[tuple[Any, Any]]]) -> list[list[Answer]]:
        """Return what the network says of several batches of states: one call, if there are any."""
        asked = [each for batch in batches for each in batch]
        given = iter(answers_of(network, *zip(*asked, strict=True)) if asked else ())
        return [[*islice(given, len(batch))] for batch in batches]


def begin(root: Node, rng: R, search: Search) -> ByBatches[R]:
    """The search of that root, before its first iteration."""
    losses: defaultdict[int, int] = defaultdict(int)
    batches = batches_of(search, root.state, in_place=True, losses=lambda node: losses[id(node)])
    room = room_left(root, search.max_nodes)
    counted = losses if reads_parent_value(search.method) else None
    return ByBatches(thaw(root), thaw_rng(rng), batches.plan, room, batches=batches, losses=counted)
