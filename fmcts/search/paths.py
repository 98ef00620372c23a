"""Path copying: what the engines that return new nodes share.

Nothing here draws a number, so it is the same however an engine threads its generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from fmcts.game import Player, reward
from fmcts.search.expansion import filled
from fmcts.search.scoring import ucb1
from fmcts.search.tree import Draft, Node, seal

Path: TypeAlias = list[tuple[Node, int]]
"""The nodes from the root down, each with the position of the child that leads on."""

X: Final = Player.X
NOWHERE: Final = -1  # the position after the last node of a path


def select(root: Node, c: float, log: Sequence[float]) -> tuple[Path, Node]:
    """Descend by UCB1 to the first node that is finished or has untried moves."""
    path: Path = []
    node = root
    while (children := node.children) and (width := len(children)) == len(node.moves):
        position = ucb1(children, log[1 + node.visits], c) if width > 1 else 0
        path.append((node, position))
        node = children[position]
    return path, node


def with_leaf(node: Node, move: Any, place: int) -> Node:
    """`node` with one more child, the one that `move` leads to, before those from `place` on."""
    children = node.children
    return seal(node.draft((*children[:place], leaf(node, move), *children[place:])))


def with_leaves(node: Node) -> Node:
    """`node` with a child for every move."""
    children = filled(node.moves, node.children, lambda move: leaf(node, move))
    return seal(node.draft(tuple(children)))


def leaf(node: Node, move: Any) -> Node:
    """The child of `node` that `move` leads to, before its first visit."""
    state = node.state.play(move)
    return seal(Draft(move, node.state.player, state, state.moves, 0, 0.0, 0.0, ()))


def backup(path: Path, node: Node, winner: Player | None) -> Node:
    """A new root: `node` and everything above it with one visit and its reward more."""
    for_x = reward(winner, X)
    for_o = 1.0 - for_x
    path.append((node, NOWHERE))
    new: Any = None
    for old, position in reversed(path):
        children = old.children
        if position != NOWHERE:
            siblings = list(children)
            siblings[position] = new
            children = tuple(siblings)
        visits = old.visits + 1
        total = old.reward + (for_x if old.mover is X else for_o)
        new = Draft(
            old.move, old.mover, old.state, old.moves, visits, total, total / visits, children
        )
        new.__class__ = Node  # `seal`, without a call for every node of every path
    return new  # type: ignore[no-any-return]
