"""Chains: the states of a playout join the tree.

It is "Rollout - Expand" in the second part of the French series ("Exploration de possibilités"),
which wants the rules called less often: a state that a playout has computed is not computed again.
Every move of a playout gets a child where it has none, of no visits; a playout from a node that has
children goes through those that it draws. Only the path down to the node that the playout began at
is credited.

"Putting the scores back in place" is stated here as follows. The text adds a node's own score when
it is visited for the first time, and leaves open what that is while its game goes on. Here a
descent ends at a node without visits: that is the node's own turn. A finished one is worth its
exact result, any other a playout of its own, and neither gets a child first, nor does it count for
anything more. So every visit has one reward, as in every other search, and the text's bias stays:
in a search with closing a finished node is visited once.

Where `max_nodes` has no room for all that an iteration makes, the search ends before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from fmcts._engines.expansion import step_to
from fmcts.game import checked_moves
from fmcts.search._tree import MutableNode, Node, freeze_in_place

__all__ = ['Chain', 'extend', 'extended']

Leaf: TypeAlias = Callable[..., Any]
"""`leaf(node, move, state)`: the child of `node` that `move` leads to, in `state`."""


class Chain:
    """The moves of one playout from `node`, of any engine: written down, the tree left as it is.

    `steps` are the moves and their states, `made` how many of these the tree has not.
    """

    def __init__(self, node: Any) -> None:
        self.steps: list[tuple[Any, Any]] = []
        self.made = 0
        self._node = node

    def play(self, state: Any, move: Any) -> Any:
        """The state after the move: the rules are called where the tree does not know it."""
        self._node = None if self._node is None else _child(self._node, move)
        if self._node is None:
            self.made += 1
            after = state.play(move)
        else:
            after = self._node.state
        self.steps.append((move, after))
        return after


def _child(node: Any, move: Any) -> Any:
    return next((child for child in node.children if child.move == move), None)


def extended(node: Node, chain: Chain, leaf: Leaf) -> Node:
    """The node with a child for each step of the chain, below one another; all else is shared."""
    line = [node]
    for move, state in chain.steps:
        above = line[-1]
        line.append(_child(above, move) or _joined(above, move, state, leaf))
    below = line.pop()
    while line:
        above = line.pop()
        _, place, made = step_to(above.moves.index(below.move), above.moves, above.children)
        rest = place + 1 - made
        copy = above.mutable_copy((*above.children[:place], below, *above.children[rest:]))
        below = freeze_in_place(copy)
    return below


def extend(node: MutableNode, chain: Chain, leaf: Leaf) -> MutableNode:
    """Give the node a child for each step of the chain, below one another, and return it."""
    above = node
    for move, state in chain.steps:
        child = _child(above, move)
        if child is None:
            child = _joined(above, move, state, leaf)
            _, place, _ = step_to(above.moves.index(move), above.moves, above.children)
            above.children.insert(place, child)
        above = child
    return node


def _joined(above: Any, move: Any, state: Any, leaf: Leaf) -> Any:
    """The new child that `move` leads to, in `state`."""
    if not above.children:
        checked_moves(above.state)
    return leaf(above, move, state)
