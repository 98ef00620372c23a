"""Batches written in `State`: `persistent`, with the search as one action."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from fmcts._engines.batched.persistent import Descent, credited, descent_of, lost
from fmcts._engines.batched.waiting import Batches, batches_of, waits
from fmcts._engines.expansion import room_left
from fmcts._engines.monadic import Grown, Monadic, select
from fmcts._engines.persistent import expand
from fmcts._engines.plan import Plan
from fmcts.rng._protocol import R
from fmcts.search._arithmetic import logarithms
from fmcts.search._description import Search
from fmcts.search._tree import Node
from fmcts.search.schedules import Forced
from fmcts.state import Do, State, do


def gather(
    root: Node, plan: Plan, log: Sequence[float], most: int, room: float
) -> Do[tuple[list[Descent], float, bool], R]:
    """Descend up to `most` times: the descents, the room left, and whether the search ended."""
    gathered: list[Descent] = []
    while len(gathered) < most:
        path, node, step = yield from select(root, plan, log)
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


def grow(
    root: Node, batches: Batches, room: float, iterations: int, forced: Forced
) -> State[Grown, R]:
    """Return the action of one batch, of at most `iterations` iterations."""
    plan, most = batches.plan.forcing(forced), batches.most(root.visits, iterations)
    log = logarithms(root.visits + most)

    @do
    def grown() -> Do[Grown, R]:
        if plan.finished and plan.finished(root):
            return Grown(root, room, ended=True)
        gathered, left, ended = yield from gather(root, plan, log, most, room)
        tree = root
        for each in credited(root, gathered, batches):
            tree = each.tree
        return Grown(tree, left, ended)

    return grown()


@frozen
class ByBatches(Monadic[R]):
    """A running search as a value; it draws nothing."""

    batches: Batches

    def advance(self, iterations: int, forced: Forced = None) -> ByBatches[R]:
        """Return the session after one batch, of at most `iterations` iterations."""
        tree, room, _ = self.grown
        action: State[Grown, R] = grow(tree, self.batches, room, iterations, forced)
        return evolve(self, grown=action.run(self.rng)[0])


def begin(root: Node, rng: R, search: Search) -> ByBatches[R]:
    """The search of that root, before its first iteration."""
    grown = Grown(root, room_left(root, search.max_nodes), ended=False)
    batches = batches_of(search, root.state)
    return ByBatches(grown, rng, batches.plan, batches)
