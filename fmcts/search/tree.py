"""Trees as values: frozen nodes with tuples of children.

An update makes new nodes on the path from the root and shares every other one, so an old root
goes on answering as before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

from fmcts.game import FinishedGameError, GameState, IllegalMoveError, Player

S = TypeVar('S', bound=GameState[Any])


class Node(NamedTuple):
    """A node of a search tree; the root stands for the whole tree.

    `move` led here and `mover` played it (a root that no search led to has move `None`, and as
    mover the opponent of the side to move). `moves` are the legal moves of `state` in canonical
    order. `visits` counts the playouts that went through the node and `reward` is their sum for
    `mover`: 1 a win, 1/2 a draw, 0 a loss; `value` is `reward / visits`, and 0 before the first
    visit. `children` stand in the order of `moves`; a move not
    tried yet has none.
    """

    move: Any
    mover: Player
    state: Any
    moves: tuple[Any, ...]
    visits: int
    reward: float
    value: float
    children: tuple[Node, ...]

    def child(self, move: object) -> Node | None:
        """The child that `move` leads to, or `None` while there is none."""
        return next((child for child in self.children if child.move == move), None)

    def __repr__(self) -> str:
        return (
            f'<Node move={self.move} mover={self.mover} visits={self.visits} '
            f'reward={self.reward} children={len(self.children)}/{len(self.moves)}>'
        )

    # A tuple compares and hashes its items recursively, and a tree may be deeper than the
    # recursion limit: these walk it.
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        pairs = [(self, other)]
        while pairs:
            one, two = pairs.pop()
            if one is two:
                continue
            if one[:-1] != two[:-1] or len(one.children) != len(two.children):
                return False
            pairs.extend(zip(one.children, two.children, strict=True))
        return True

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.move, self.state, self.visits, self.reward))


def plant(state: GameState[Any]) -> Node:
    """The tree of `state` before any search: a root without visits or children.

    :raises FinishedGameError: the game is over, so there is no move to search for.
    """
    if state.over:
        raise FinishedGameError('the game is over: there is no move to search for')
    return Node(None, state.player.other, state, state.moves, 0, 0.0, 0.0, ())


def reroot(tree: Node, move: object) -> Node:
    """The tree after `move` is played: the subtree searched so far, or a new one.

    :raises IllegalMoveError: `move` is not legal at the root.
    :raises FinishedGameError: the game is over after `move`.
    """
    child = tree.child(move)
    if child is None:
        if move not in tree.moves:
            raise IllegalMoveError(f'illegal move {move!s} at the root of the tree')
        return plant(tree.state.play(move))
    if not child.moves:
        raise FinishedGameError(f'the game is over after {move!s}: nothing is left to search')
    return child


def walk(tree: Node) -> Iterator[Node]:
    """Every node in preorder, children in canonical order; without recursion."""
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def principal_variation(tree: Node) -> tuple[Any, ...]:
    """The moves of the most visited line from the root (the first of equals) down to a leaf."""
    line = []
    while tree.children:
        tree = max(tree.children, key=lambda child: child.visits)
        if not tree.visits:
            break
        line.append(tree.move)
    return tuple(line)
