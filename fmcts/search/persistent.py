"""The reference engine: path copying. Each iteration returns a new root and changes nothing.

It stands where the pure functions of the Haskell articles stand: the generator is passed and
returned by hand, and a tree is a value. The other engines make the same trees to the bit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

from attrs import frozen

from fmcts.rng import Rng, thaw
from fmcts.search.analysis import MoveStats, stats_along
from fmcts.search.chains import simulate_chain
from fmcts.search.description import Search
from fmcts.search.expansion import (
    LIMITLESS,
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

R = TypeVar('R', bound=Rng)
T = TypeVar('T')


def expand(node: Node, plan: Plan, index: int | None, rng: R) -> tuple[tuple[Node, ...], int, R]:
    """The children of `node` with a new one (`full`: all), and the place of the one to simulate.

    `index` is that of its move, where selection has chosen it.
    """
    children, moves = node.children, node.moves
    if index is not None:
        place = before(index, moves, children)
        return with_leaf(node, moves[index], place, plan), place, rng
    if plan.expansion == 'in-order':
        place = first_untried(moves, children)
        return with_leaf(node, moves[place], place, plan), place, rng
    choices = untried(moves, children)
    drawn, rng = rng.uniform(0, len(choices) - 1)
    place = choices[drawn]
    if plan.expansion == 'full':
        return with_leaves(node, plan), place, rng
    move, place = moves[place], place - drawn  # so many moves before it are untried
    return with_leaf(node, move, place, plan), place, rng


def descend(
    path: Path, node: Node, index: int | None, plan: Plan, log: Sequence[float], rng: R
) -> tuple[Path, Node, int | None, R]:
    """Where a descent ends that jumps (see `jumping`), or that ends without visits (`chains`)."""
    while plan.jumps and untried_left(node) and can_jump(node, plan.settling):
        drawn, rng = rng.uniform(0, len(node.moves))
        if drawn < len(node.children):
            break
        path, node, index = go_on(path, node, plan, log)
    if plan.chains:
        path, node = first_unvisited(path, node)
    return path, node, index, rng


def iterate(
    root: Node, plan: Plan, log: Sequence[float], forced: Forced, rng: R, room: float
) -> tuple[Node, R, float] | None:
    """An iteration that draws before it is known how many nodes it makes: as one step of `grow`.

    `None`: there is no room for them.
    """
    path, node, index = select(root, plan, log, forced)
    path, node, index, rng = descend(path, node, index, plan, log, rng)
    needed = 0
    if node.moves and not (plan.chains and path and not node.visits):
        needed = added(plan.expansion, node.moves, node.children)
        if lacks_room(needed, room):
            return None
        children, place, rng = expand(node, plan, index, rng)
        path.append((node, children, place))
        node = children[place]
    if plan.chains and node.moves:
        (outcome, node, made), rng = simulate_chain(node, plan, rng)
        needed += made
    else:
        outcome, rng = simulate(node, plan, rng)
    if lacks_room(needed, room):
        return None
    return backup(path, node, outcome, plan), rng, room - needed


def simulate(node: Node, plan: Plan, rng: R) -> tuple[Any, R]:
    """What a playout from `node` is worth; a finished node's own worth, without a draw."""
    if not node.moves:
        return ended(node.state, plan), rng
    draws = thaw(rng)
    outcome = plan.playout(node.state, draws.draw)
    return outcome, draws.freeze()  # type: ignore[return-value]


def grow(
    root: Node, rng: R, plan: Plan, room: float, forced: Forced = None
) -> Iterator[tuple[Node, R, float]]:
    """The stream of trees after one, two, three... iterations, each with its generator.

    `room` is how many nodes may be added, and last comes how many still may: the stream ends before
    the iteration that would need more, or when the root is settled, else never. `forced` is the
    index of the root's move to take, when it is not to be chosen.
    """
    log: Sequence[float] = ()
    bounded, settles = room < LIMITLESS, plan.settling is not None
    undoes = plan.undoes
    remembers = bool(plan.memories)
    while True:
        if settles and settled(root, plan):
            return
        if len(log) < root.visits + 2:
            log = logarithms(root.visits + 1)
        if undoes:
            made = iterate(root, plan, log, forced, rng, room)
            if made is None:
                return
            root, rng, room = made
            yield made
            continue
        path, node, index = select(root, plan, log, forced)
        if node.moves:
            if bounded:
                room -= added(plan.expansion, node.moves, node.children)
                if room < 0:
                    return
            children, place, rng = expand(node, plan, index, rng)
            path.append((node, children, place))
            node = children[place]
        if remembers:
            outcome, rng = simulate(node, knowing(root, path, node, plan), rng)
            root = backup_and_remember(root, path, node, outcome, plan)
        else:
            outcome, rng = simulate(node, plan, rng)
            root = backup(path, node, outcome, plan)
        yield root, rng, room


@frozen
class Persistent(Generic[R]):
    """A search under way as a value: an advance changes nothing and gives another."""

    tree: Node
    rng: R
    plan: Plan
    room: float
    ended: bool = False

    @property
    def visits(self) -> int:
        """The visits of the root."""
        return self.tree.visits

    def advance(self, iterations: int, forced: Forced = None) -> Persistent[R]:
        """After so many more iterations."""
        stream = grow(self.tree, self.rng, self.plan, self.room, forced)
        tree, rng, room = last(islice(stream, iterations), (self.tree, self.rng, self.room))
        ended = tree.visits < self.visits + iterations
        return Persistent(tree, rng, self.plan, room, ended)

    def stats(self, line: Line = ()) -> tuple[MoveStats[Any], ...]:
        """The statistics of the root's moves, or of those at the end of a line."""
        return stats_along(self.tree, line)

    def finish(self) -> tuple[Node, R]:
        """The tree, and the generator to use next."""
        return self.tree, self.rng


def begin(root: Node, rng: R, search: Search) -> Persistent[R]:
    """The search of that root, before its first iteration."""
    return Persistent(root, rng, plan_of(search, root.state), room_left(root, search.max_nodes))


def last(items: Iterable[T], otherwise: T) -> T:
    """The last of the items; `otherwise` where there are none."""
    return next(iter(deque(items, maxlen=1)), otherwise)
