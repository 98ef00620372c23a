"""The reference search written in `State`: the container threads the generator.

It is the counterpart of the State-monad version of the Haskell articles, and reads beside
`persistent` line by line: what takes and returns a generator there is an action here, or a block of
actions, and what draws no number is the same pure function. The trees and generators are equal to
the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from attrs import frozen

from fmcts._arithmetic import logarithms
from fmcts._engines.expansion import LIMITLESS, NO_STEP, Step, room_left
from fmcts._engines.outcomes import Found, Path
from fmcts._engines.persistent import Persistent, backup, expand
from fmcts._engines.plan import Plan, plan_of
from fmcts.rng import R, thaw
from fmcts.search import Node, Search
from fmcts.search.schedules import Forced
from fmcts.state import Do, State, do, get, put


class Grown(NamedTuple):
    """A tree, how many nodes may still be added to it, and whether the search has ended.

    It ends when the next iteration would need more nodes, or the root is finished.
    """

    tree: Node
    room: float
    ended: bool


def drawn_below(count: int) -> State[int, R]:
    """Return an action that draws a number below `count`, all equally likely."""
    return State(lambda rng: rng.uniform(0, count - 1))


def select(root: Node, plan: Plan, log: Sequence[float]) -> Do[tuple[Path, Node, Step], R]:
    """Descend to a node that is finished, or needs a child; the step says which child.

    The path has each node above it, with its places and the one taken.
    """
    path: Path = []
    node, choose, rolls, due = root, plan.choose, plan.rolls, plan.due
    offset, stops, made = plan.log_offset, plan.stops, 0
    while moves := node.moves:
        places = node.places
        if stops and stops(path, node):
            break
        if due and (step := due(path, node)):
            node, place, made = step
        elif places and all(places) and not (rolls and rolls(node.state)):
            log_visits = log[offset + node.visits]
            place = choose(node, places, log_visits, path) if len(moves) > 1 else 0
        else:
            chances = plan.chances and plan.chances(node, places, path)
            drawn = (yield drawn_below(chances)) if chances else 0
            log_visits = log[offset + node.visits]
            place, made = plan.step(node, places, log_visits, path, drawn)
        if made:
            return path, node, (place, made)
        path.append((node, places, place))
        node = places[place]
    return path, node, NO_STEP


def simulate(path: Path, node: Node, plan: Plan) -> State[Found, R]:
    """Return a playout's reward from `node`; a finished node's result, without a draw."""
    if not node.moves:
        return State.from_value(plan.ended(path, node))

    def playout(rng: R) -> tuple[Found, R]:
        draws = thaw(rng)
        found = plan.playout(path, node, draws.draw)
        return found, draws.freeze()  # type: ignore[return-value]

    return State(playout)


def grow(root: Node, room: float, plan: Plan, iterations: int, forced: Forced) -> State[Grown, R]:
    """Return the tree after `iterations` more iterations.

    It ends before the iteration that needs more nodes than there is `room` for, and when the root
    is finished. `forced` is the index of the root's move to take, or a line of such, if it is not
    chosen.
    """
    log, bounded = logarithms(root.visits + iterations), room < LIMITLESS
    plan = plan.forcing(forced)

    @do
    def grown() -> Do[Grown, R]:
        tree, left = root, room
        for _ in range(iterations):
            if plan.finished and plan.finished(tree):
                return Grown(tree, left, ended=True)
            # As in place: an iteration without room gives its draws back.
            rng: Any = (yield get()) if bounded else None
            path, node, step = yield from select(tree, plan, log)
            place, made = step
            if made <= left:
                if made:
                    places = expand(node, step, plan)
                    path.append((node, places, place))
                    node = places[place]
                worth, trace, states = yield simulate(path, node, plan)
                if states is not None:
                    made += states.made
            if made > left:
                yield put(rng)
                return Grown(tree, left, ended=True)
            if states is not None:
                node = plan.extend(node, states)
            tree, left = backup(path, node, worth, trace, plan), left - made
        return Grown(tree, left, ended=False)

    return grown()


@frozen
class Monadic(Persistent[R]):
    """A running search as a value: an advance runs one action, and returns another value."""

    def advance(self, iterations: int, forced: Forced = None) -> Monadic[R]:
        """Return the session after `iterations` more iterations."""
        action: State[Grown, R] = grow(self.tree, self.room, self.plan, iterations, forced)
        (tree, room, ended), rng = action.run(self.rng)
        return Monadic(tree, rng, self.plan, room, ended)


def begin(root: Node, rng: R, search: Search) -> Monadic[R]:
    """Return the search of that root, before its first iteration."""
    return Monadic(root, rng, plan_of(search, root.state), room_left(root, search.max_nodes))
