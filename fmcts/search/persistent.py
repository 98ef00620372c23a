"""The reference engine: path copying. Each iteration returns a new root and changes nothing.

It stands where the pure functions of the Haskell articles stand: the generator is passed and
returned by hand, and a tree is a value. The other engines make the same trees to the bit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeAlias, TypeVar

from fmcts.game import Player, reward
from fmcts.playout import Simulator, simulator_of
from fmcts.rng import Rng, thaw
from fmcts.search.description import Expansion, Search
from fmcts.search.expansion import filled, first_untried, untried
from fmcts.search.scoring import logarithms, ucb1
from fmcts.search.tree import Draft, Node, seal

R = TypeVar('R', bound=Rng)

Path: TypeAlias = list[tuple[Node, int]]
"""The nodes from the root down, each with the position of the child that leads on."""

BATCH: Final = 100  # iterations between two calls of `watch`
X = Player.X


def select(root: Node, c: float, log: Sequence[float]) -> tuple[Path, Node]:
    """Descend by UCB1 to the first node that is finished or has untried moves."""
    path: Path = []
    node = root
    while (children := node.children) and len(children) == len(node.moves):
        position = ucb1(children, log[1 + node.visits], c)
        path.append((node, position))
        node = children[position]
    return path, node


def expand(node: Node, expansion: Expansion, rng: R) -> tuple[Node, int, R]:
    """`node` with a new child, and the position of the child to simulate."""
    children, moves = node.children, node.moves
    if expansion == 'in-order':
        place = first_untried(moves, children)
        children = (*children[:place], leaf(node, moves[place]), *children[place:])
    else:
        choices = untried(moves, children)
        drawn, rng = rng.uniform(0, len(choices) - 1)
        place = choices[drawn]
        if expansion == 'random':
            move, place = moves[place], place - drawn  # so many moves before it are untried
            children = (*children[:place], leaf(node, move), *children[place:])
        else:
            children = tuple(filled(moves, children, lambda move: leaf(node, move)))
    return seal(node.draft(children)), place, rng


def leaf(node: Node, move: Any) -> Node:
    """The child of `node` that `move` leads to, before its first visit."""
    state = node.state.play(move)
    return seal(Draft(move, node.state.player, state, state.moves, 0, 0.0, 0.0, ()))


def simulate(node: Node, simulator: Simulator[Any], rng: R) -> tuple[Player | None, R]:
    """The winner of a playout from `node`; a finished node's own winner, without a draw."""
    if not node.moves:
        return node.state.winner, rng
    draws = thaw(rng)
    winner = simulator(node.state, draws)
    return winner, draws.freeze()  # type: ignore[return-value]


def backup(path: Path, node: Node, winner: Player | None) -> Node:
    """A new root: `node` and everything above it with one visit and its reward more."""
    for_x = reward(winner, X)
    for_o = 1.0 - for_x
    children = node.children
    while True:
        visits = node.visits + 1
        total = node.reward + (for_x if node.mover is X else for_o)
        new = Draft(
            node.move, node.mover, node.state, node.moves, visits, total, total / visits, children
        )
        new.__class__ = Node  # `seal`, without a call for every node of every path
        if not path:
            return new  # type: ignore[return-value]
        node, position = path.pop()
        siblings = list(node.children)
        siblings[position] = new  # type: ignore[call-overload]
        children = tuple(siblings)


def grow(root: Node, rng: R, search: Search) -> Iterator[tuple[Node, R]]:
    """The endless stream of trees after one, two, three... iterations, each with its generator."""
    simulator = simulator_of(root.state)
    log: Sequence[float] = ()
    while True:
        if len(log) < root.visits + 2:
            log = logarithms(2 * root.visits)
        path, node = select(root, search.c, log)
        if node.moves:
            node, position, rng = expand(node, search.expansion, rng)
            path.append((node, position))
            node = node.children[position]
        winner, rng = simulate(node, simulator, rng)
        root = backup(path, node, winner)
        yield root, rng


def run(root: Node, rng: R, search: Search, watch: Callable[[int], None]) -> tuple[Node, R]:
    """`search.iterations` more iterations on `root`; `watch` is told how many are done."""
    stream = grow(root, rng, search)
    done = 0
    while done < search.iterations:
        batch = min(BATCH, search.iterations - done)
        ((root, rng),) = deque(islice(stream, batch), maxlen=1)
        done += batch
        watch(done)
    return root, rng
