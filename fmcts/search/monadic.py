"""The reference search written in `State`: the container threads the generator.

It stands where the State-monad version of the Haskell articles stands, and reads beside
`persistent` line by line: what takes and returns a generator there is an action here, and what
draws no number is the same pure function. The trees and generators are equal to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from attrs import frozen

from fmcts.rng import Rng, thaw
from fmcts.search.analysis import MoveStats, stats_along
from fmcts.search.chains import simulate_chain
from fmcts.search.description import Search
from fmcts.search.expansion import (
    added,
    before,
    first_untried,
    lacks_room,
    room_left,
    untried,
    untried_left,
)
from fmcts.search.jumping import can_jump
from fmcts.search.paths import (
    Path,
    backup,
    backup_and_remember,
    first_unvisited,
    go_on,
    knowing,
    select,
    with_leaf,
    with_leaves,
)
from fmcts.search.plan import Plan, ended, plan_of, settled
from fmcts.search.schedules import Forced, Line
from fmcts.search.scoring import logarithms
from fmcts.search.tree import Node
from fmcts.state import Do, State, do, get, put

R = TypeVar('R', bound=Rng)


class Grown(NamedTuple):
    """A tree, and whether it may grow on.

    `room` is how many nodes may still be added (infinity: as many as you like; a tree that is too
    large already has less than none), and `ended` whether the next iteration would need more, or
    nothing is left to find out.
    """

    tree: Node
    room: float
    ended: bool


def expand(node: Node, plan: Plan, index: int | None) -> State[tuple[tuple[Node, ...], int], R]:
    """The children of `node` with a new one (`full`: all), and the place of the one to simulate.

    `index` is that of its move, where selection has chosen it.
    """
    children, moves = node.children, node.moves
    if index is not None:
        place = before(index, moves, children)
        return State.from_value((with_leaf(node, moves[index], place, plan), place))
    if plan.expansion == 'in-order':
        place = first_untried(moves, children)
        return State.from_value((with_leaf(node, moves[place], place, plan), place))
    choices = untried(moves, children)
    draw: State[int, R] = drawn_below(len(choices))
    if plan.expansion == 'full':
        return draw.map(lambda drawn: (with_leaves(node, plan), choices[drawn]))

    def with_drawn(drawn: int) -> tuple[tuple[Node, ...], int]:
        place = choices[drawn] - drawn  # so many moves before it are untried
        return with_leaf(node, moves[choices[drawn]], place, plan), place

    return draw.map(with_drawn)


def descend(
    path: Path, node: Node, index: int | None, plan: Plan, log: Sequence[float]
) -> State[tuple[Path, Node, int | None], R]:
    """Where a descent ends that jumps (see `jumping`), or that ends without visits (`chains`)."""

    @do
    def descended() -> Do[tuple[Path, Node, int | None], R]:
        above, here, chosen = path, node, index
        while plan.jumps and untried_left(here) and can_jump(here, plan.settling):
            drawn = yield drawn_below(len(here.moves) + 1)
            if drawn < len(here.children):
                break
            above, here, chosen = go_on(above, here, plan, log)
        if plan.chains:
            above, here = first_unvisited(above, here)
        return above, here, chosen

    return descended()


def drawn_below(count: int) -> State[int, R]:
    """A number below `count`, all equally likely."""
    return State(lambda rng: rng.uniform(0, count - 1))


def iterate(
    root: Node, room: float, plan: Plan, log: Sequence[float], forced: Forced
) -> State[Grown, R]:
    """An iteration that draws before it is known how many nodes it makes.

    If there is no room for them, the tree and the generator are as they were.
    """

    @do
    def iterated() -> Do[Grown, R]:
        before_it = yield get()
        descent = select(root, plan, log, forced)
        path, node, index = yield descend(*descent, plan, log)
        needed = 0
        if node.moves and not (plan.chains and path and not node.visits):
            needed = added(plan.expansion, node.moves, node.children)
            if lacks_room(needed, room):
                yield put(before_it)
                return Grown(root, room, ended=True)
            children, place = yield expand(node, plan, index)
            path.append((node, children, place))
            node = children[place]
        if plan.chains and node.moves:
            outcome, node, made = yield State(partial(simulate_chain, node, plan))
            needed += made
        else:
            outcome = yield simulate(node, plan)
        if lacks_room(needed, room):
            yield put(before_it)
            return Grown(root, room, ended=True)
        return Grown(backup(path, node, outcome, plan), room - needed, ended=False)

    return iterated()


def simulate(node: Node, plan: Plan) -> State[Any, R]:
    """What a playout from `node` is worth; a finished node's own worth, without a draw."""
    if not node.moves:
        return State.from_value(ended(node.state, plan))

    def playout(rng: R) -> tuple[Any, R]:
        draws = thaw(rng)
        outcome = plan.playout(node.state, draws.draw)
        return outcome, draws.freeze()  # type: ignore[return-value]

    return State(playout)


def grow(root: Node, room: float, plan: Plan, iterations: int, forced: Forced) -> State[Grown, R]:
    """The tree after so many more iterations, of which those that add no node need no `room`.

    It ends before the iteration that the room does not suffice for, and when the root is settled.
    `forced` is the index of the
    root's move to take, when it is not to be chosen.
    """
    log = logarithms(root.visits + iterations)

    @do
    def grown() -> Do[Grown, R]:
        tree, left = root, room
        for _ in range(iterations):
            if settled(tree, plan):
                return Grown(tree, left, ended=True)
            if plan.undoes:
                made: Grown = yield iterate(tree, left, plan, log, forced)
                if made.ended:
                    return made
                tree, left, _ = made
                continue
            path, node, index = select(tree, plan, log, forced)
            if node.moves:
                needed = added(plan.expansion, node.moves, node.children)
                if needed > left:
                    return Grown(tree, left, ended=True)
                left -= needed
                children, place = yield expand(node, plan, index)
                path.append((node, children, place))
                node = children[place]
            if plan.memories:
                outcome = yield simulate(node, knowing(tree, path, node, plan))
                tree = backup_and_remember(tree, path, node, outcome, plan)
            else:
                outcome = yield simulate(node, plan)
                tree = backup(path, node, outcome, plan)
        return Grown(tree, left, ended=False)

    return grown()


@frozen
class Monadic(Generic[R]):
    """A search under way as a value: an advance runs one action, and gives another."""

    grown: Grown
    rng: R
    plan: Plan

    @property
    def visits(self) -> int:
        """The visits of the root."""
        return self.grown.tree.visits

    @property
    def ended(self) -> bool:
        """Whether the next iteration would need more room than there is."""
        return self.grown.ended

    def advance(self, iterations: int, forced: Forced = None) -> Monadic[R]:
        """After so many more iterations."""
        tree, room, _ = self.grown
        action: State[Grown, R] = grow(tree, room, self.plan, iterations, forced)
        grown, rng = action.run(self.rng)
        return Monadic(grown, rng, self.plan)

    def stats(self, line: Line = ()) -> tuple[MoveStats[Any], ...]:
        """The statistics of the root's moves, or of those at the end of a line."""
        return stats_along(self.grown.tree, line)

    def finish(self) -> tuple[Node, R]:
        """The tree, and the generator to use next."""
        return self.grown.tree, self.rng


def begin(root: Node, rng: R, search: Search) -> Monadic[R]:
    """The search of that root, before its first iteration."""
    grown = Grown(root, room_left(root, search.max_nodes), ended=False)
    return Monadic(grown, rng, plan_of(search, root.state))
