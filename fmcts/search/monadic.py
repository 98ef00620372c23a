"""The reference search written in `State`: the container threads the generator.

It stands where the State-monad version of the Haskell articles stands, and reads beside
`persistent` line by line: what takes and returns a generator there is an action here, and what
draws no number is the same pure function. The trees and generators are equal to the bit.
"""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

from fmcts.game import Player
from fmcts.playout import Simulator, simulator_of
from fmcts.rng import Rng, thaw
from fmcts.search.description import Expansion, Search
from fmcts.search.expansion import added, first_untried, room_left, untried
from fmcts.search.paths import backup, select, with_leaf, with_leaves
from fmcts.search.scoring import logarithms
from fmcts.search.tree import Node
from fmcts.search.watch import BATCH, Watch
from fmcts.state import Do, State, do

R = TypeVar('R', bound=Rng)

Grown: TypeAlias = tuple[Node, float]
"""A tree, and how many nodes may still be added to it (infinity: as many as you like)."""


def expand(node: Node, expansion: Expansion) -> State[tuple[tuple[Node, ...], int], R]:
    """The children of `node` with a new one (`full`: all), and the place of the one to simulate."""
    children, moves = node.children, node.moves
    if expansion == 'in-order':
        place = first_untried(moves, children)
        return State.from_value((with_leaf(node, moves[place], place), place))
    choices = untried(moves, children)
    draw: State[int, R] = State(lambda rng: rng.uniform(0, len(choices) - 1))
    if expansion == 'full':
        return draw.map(lambda drawn: (with_leaves(node), choices[drawn]))

    def with_drawn(drawn: int) -> tuple[tuple[Node, ...], int]:
        place = choices[drawn] - drawn  # so many moves before it are untried
        return with_leaf(node, moves[choices[drawn]], place), place

    return draw.map(with_drawn)


def simulate(node: Node, simulator: Simulator[Any]) -> State[Player | None, R]:
    """The winner of a playout from `node`; a finished node's own winner, without a draw."""
    if not node.moves:
        return State.from_value(node.state.winner)

    def playout(rng: R) -> tuple[Player | None, R]:
        draws = thaw(rng)
        winner = simulator(node.state, draws.draw)
        return winner, draws.freeze()  # type: ignore[return-value]

    return State(playout)


def grow(root: Node, room: float, search: Search, iterations: int) -> State[Grown, R]:
    """The tree after so many more iterations, and the room left: how many nodes may be added.

    It ends before the iteration that the room does not suffice for, which leaves it below zero.
    """
    simulator = simulator_of(root.state)
    log = logarithms(root.visits + iterations)

    @do
    def grown() -> Do[Grown, R]:
        tree, left = root, room
        for _ in range(iterations):
            path, node = select(tree, search.c, log)
            if node.moves:
                left -= added(search.expansion, node.moves, node.children)
                if left < 0:
                    break
                children, place = yield expand(node, search.expansion)
                path.append((node, children, place))
                node = children[place]
            winner = yield simulate(node, simulator)
            tree = backup(path, node, winner)
        return tree, left

    return grown()


def run(root: Node, rng: R, search: Search, watch: Watch) -> tuple[Node, R]:
    """`search.iterations` more iterations on `root`; `watch` is told how many are done."""
    # Below zero means that the search has ended; a tree that is too large may still be visited.
    room = max(0, room_left(root, search.max_nodes))
    done, begin = 0, root.visits
    while room >= 0 and done < search.iterations:
        batch: State[Grown, R] = grow(root, room, search, min(BATCH, search.iterations - done))
        (root, room), rng = batch.run(rng)
        done = root.visits - begin
        watch(done)
    return root, rng
