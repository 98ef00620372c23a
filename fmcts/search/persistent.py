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
from fmcts.search.expansion import untried
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
    position = len(children)
    if expansion == 'in-order':
        children = (*children, leaf(node, moves[position]))
    elif expansion == 'random':
        choices = untried(moves, [child.move for child in children])
        drawn, rng = rng.uniform(0, len(choices) - 1)
        index = choices[drawn]
        position = index - drawn  # so many of the moves before it are tried
        children = (*children[:position], leaf(node, moves[index]), *children[position:])
    else:
        children = tuple([leaf(node, move) for move in moves])
        position, rng = rng.uniform(0, len(moves) - 1)
    return seal(node.draft(children)), position, rng


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
    root = visited(node, node.children, for_x, for_o)
    for parent, position in reversed(path):
        children = list(parent.children)
        children[position] = root
        root = visited(parent, tuple(children), for_x, for_o)
    return root


def visited(node: Node, children: tuple[Node, ...], for_x: float, for_o: float) -> Node:
    """The node after one more visit: the reward of its mover added, and these children."""
    visits = node.visits + 1
    total = node.reward + (for_x if node.mover is X else for_o)
    new = Draft(
        node.move, node.mover, node.state, node.moves, visits, total, total / visits, children
    )
    new.__class__ = Node  # `seal`, without a call for every node of every path
    return new  # type: ignore[return-value]


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
