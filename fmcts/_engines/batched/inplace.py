"""Batches in place: a loss is written to the nodes of a path, and taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from attrs import define, field

from fmcts._engines.batched.waiting import Batches, batches_of
from fmcts._engines.expansion import room_left
from fmcts._engines.inplace import InPlace, Path, X, backup, expand, select, thaw
from fmcts._engines.plan import Plan
from fmcts.rng import thaw as thaw_rng
from fmcts.rng._protocol import R
from fmcts.search._description import Search
from fmcts.search._scoring import logarithms
from fmcts.search._tree import MutableNode, Node
from fmcts.search.networks import Answer, Network, answers_of
from fmcts.search.schedules import Forced

NO_DRAWS: Any = None  # no part of such a search draws


def lose(path: Path, node: MutableNode) -> None:
    """Write a visit without reward to a node and everything above it."""
    for each in (*path, node):
        each.visits += 1
        each.value = each.reward / each.visits


def take_back(path: Path, node: MutableNode) -> None:
    """Take back what `lose` wrote."""
    for each in (*path, node):
        each.visits -= 1
        each.value = each.reward / each.visits if each.visits else 0.0


def reward(path: Path, node: MutableNode, for_x: float) -> None:
    """Add a reward where a loss was written, whose visit stays: a backup that changes no columns.

    A value is right when all losses of the batch have got their rewards.
    """
    for_o = 1.0 - for_x
    for each in (*path, node):
        each.reward += for_x if each.mover is X else for_o
        each.value = each.reward / each.visits


def gather(
    root: MutableNode, plan: Plan, waiting: Any, log: Sequence[float], most: int, room: float
) -> tuple[list[tuple[Path, MutableNode]], float, bool]:
    """Descend up to `most` times: paths with their ends, the room left, and whether it ended."""
    gathered: list[tuple[Path, MutableNode]] = []
    while len(gathered) < most:
        path, node, step = select(root, plan, log, NO_DRAWS)
        made = step[2]
        if made > room:
            return gathered, room, True
        if made:
            path.append(node)
            node = expand(node, step, plan)
        elif node.columns is waiting:
            break
        lose(path, node)
        gathered.append((path, node))
        room -= made
    return gathered, room, False


@define
class ByBatches(InPlace[R]):
    """A running search; it draws nothing."""

    batches: Batches = field(kw_only=True)
    gathered: list[tuple[Path, MutableNode]] = field(factory=list, kw_only=True)

    def advance(self, iterations: int, forced: Forced = None) -> Self:
        """Return the session itself, after `iterations` more iterations."""
        goal = self.visits + iterations
        while self.visits < goal and not self.ended:
            states = self.collect(goal, forced)
            self.credit(self.answered(self.batches.network, [states])[0])
        return self

    def collect(self, goal: int, forced: Forced = None) -> list[Any]:
        """Descend for one batch, with `goal` visits as the end; return the states to judge.

        `credit` must come next.
        """
        tree, batches, plan = self.tree, self.batches, self.plan.forcing(forced)
        self.gathered = []
        if plan.finished and plan.finished(tree):
            self.ended = True
            return []
        most = batches.most(tree.visits, goal - tree.visits)
        log = logarithms(goal)
        self.gathered, self.room, self.ended = gather(
            tree, plan, batches.waiting, log, most, self.room
        )
        for path, node in self.gathered if plan.update else ():
            take_back(path, node)
        return [node.state for _, node in self.gathered if node.columns is batches.waiting]

    def credit(self, answers: Sequence[Answer]) -> None:
        """Back up the batch, with what the network says of each of the states."""
        batches, given = self.batches, iter(answers)
        plan = batches.plan
        for path, node in self.gathered:
            if node.columns is batches.waiting:
                answer = next(given)
                node.moves, node.columns = node.state.moves, batches.columns(answer)
                for_x = answer.for_x
            else:
                for_x = plan.ended(path, node)[0]
            if plan.update:
                backup(path, node, for_x, None, plan)
            else:
                reward(path, node, for_x)

    @staticmethod
    def answered(network: Network, batches: Sequence[list[Any]]) -> list[list[Answer]]:
        """Return what the network says of several batches of states: one call, if there are any."""
        states = [state for batch in batches for state in batch]
        given = iter(answers_of(network, states) if states else ())
        return [[next(given) for _ in batch] for batch in batches]


def begin(root: Node, rng: R, search: Search) -> ByBatches[R]:
    """The search of that root, before its first iteration."""
    batches, room = batches_of(search, root.state, in_place=True), room_left(root, search.max_nodes)
    return ByBatches(thaw(root), thaw_rng(rng), batches.plan, room, batches=batches)
