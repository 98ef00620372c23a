"""The reference engine: path copying. Each iteration returns a new root and changes nothing.

It stands where the pure functions of the Haskell articles stand: the generator is passed and
returned by hand, and a tree is a value. The other engines make the same trees to the bit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from fmcts.rng import Rng, thaw
from fmcts.search.description import Search
from fmcts.search.expansion import added, before, first_untried, room_left, untried
from fmcts.search.paths import backup, select, with_leaf, with_leaves
from fmcts.search.plan import Plan, ended, plan_of
from fmcts.search.scoring import logarithms
from fmcts.search.tree import Node
from fmcts.search.watch import BATCH, Watch

R = TypeVar('R', bound=Rng)


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


def simulate(node: Node, plan: Plan, rng: R) -> tuple[Any, R]:
    """What a playout from `node` is worth; a finished node's own worth, without a draw."""
    if not node.moves:
        return ended(node.state, plan), rng
    draws = thaw(rng)
    outcome = plan.playout(node.state, draws.draw)
    return outcome, draws.freeze()  # type: ignore[return-value]


def grow(root: Node, rng: R, search: Search) -> Iterator[tuple[Node, R]]:
    """The stream of trees after one, two, three... iterations, each with its generator.

    It ends before the iteration that would take the tree over `search.max_nodes`, else never.
    """
    plan = plan_of(search, root.state)
    bounded = search.max_nodes is not None
    room = room_left(root, search.max_nodes)
    log: Sequence[float] = ()
    while True:
        if len(log) < root.visits + 2:
            log = logarithms(root.visits + 1)
        path, node, index = select(root, plan, log)
        if node.moves:
            if bounded:
                room -= added(plan.expansion, node.moves, node.children)
                if room < 0:
                    return
            children, place, rng = expand(node, plan, index, rng)
            path.append((node, children, place))
            node = children[place]
        outcome, rng = simulate(node, plan, rng)
        root = backup(path, node, outcome, plan)
        yield root, rng


def run(root: Node, rng: R, search: Search, watch: Watch) -> tuple[Node, R]:
    """`search.iterations` more iterations on `root`; `watch` is told how many are done."""
    stream = grow(root, rng, search)
    begin, left = root.visits, search.iterations
    while batch := deque(islice(stream, min(BATCH, left)), maxlen=1):
        ((root, rng),) = batch
        left = search.iterations - (root.visits - begin)
        watch(root.visits - begin)
    return root, rng
