"""Path copying: what the engines that return new nodes share.

Nothing here draws a number, so it is the same however an engine threads its generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from fmcts.game import Player, checked_moves, score
from fmcts.search.expansion import filled
from fmcts.search.scoring import ucb1
from fmcts.search.tree import Draft, Node, seal

Path: TypeAlias = list[tuple[Node, tuple[Node, ...], int]]
"""The nodes from the root down, each with its children and the position of the one that leads on.

The children are those of the node, or those that an expansion gives it: `backup` makes the node
that has them, so a new child costs one new parent and not two.
"""

X: Final = Player.X
_new: Final = object.__new__


def select(root: Node, c: float, log: Sequence[float]) -> tuple[Path, Node]:
    """Descend by UCB1 to the first node that is finished or has untried moves."""
    path: Path = []
    node = root
    while (children := node.children) and (width := len(children)) == len(node.moves):
        position = ucb1(children, log[1 + node.visits], c) if width > 1 else 0
        path.append((node, children, position))
        node = children[position]
    return path, node


# The moves of a node are checked when it gets its first child: looking at those of every leaf would
# take a twentieth of the time of a search, and most leaves never have children.


def with_leaf(node: Node, move: Any, place: int) -> tuple[Node, ...]:
    """The children of `node` and the one that `move` leads to, before those from `place` on."""
    children = node.children
    if not children:
        checked_moves(node.state)
    return (*children[:place], leaf(node, move), *children[place:])


def with_leaves(node: Node) -> tuple[Node, ...]:
    """A child of `node` for every move."""
    if not node.children:
        checked_moves(node.state)
    return tuple(filled(node.moves, node.children, lambda move: leaf(node, move)))


def leaf(node: Node, move: Any) -> Node:
    """The child of `node` that `move` leads to, before its first visit."""
    state = node.state.play(move)
    moves = state.moves or checked_moves(state)  # an end; a state with moves has its turn above
    return seal(Draft(move, node.state.player, state, moves, 0, 0.0, 0.0, ()))


def backup(path: Path, node: Node, winner: Player | None) -> Node:
    """A new root: `node` and everything above it with one visit and its reward more."""
    for_x = score(node.state, winner)
    for_o = 1.0 - for_x
    children = node.children
    while True:
        visits = node.visits + 1
        total = node.reward + (for_x if node.mover is X else for_o)
        # `seal(Draft(...))`, written out: two calls fewer for every node of every path.
        new: Any = _new(Draft)
        new.move = node.move
        new.mover = node.mover
        new.state = node.state
        new.moves = node.moves
        new.visits = visits
        new.reward = total
        new.value = total / visits
        new.children = children
        new.__class__ = Node
        if not path:
            return new  # type: ignore[no-any-return]
        node, children, position = path.pop()
        siblings = [*children]
        siblings[position] = new
        children = tuple(siblings)
