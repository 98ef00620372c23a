"""Rollout expansion: the states of a playout join the tree.

It is "Rollout - Expand" in the second part of the French series ("Exploration de possibilités"),
which aims to call the rules less often: a state computed by a playout is not computed again. Every
move of a playout gets a child, without visits, if it has none; a playout from a node with children
passes through those that it draws. Only the path down to the node where the playout began is
credited.

"Putting the scores back in place" is implemented as follows. The text adds a node's own score when
it is visited for the first time, and does not define that score while its game is not over. Here a
descent ends at a node without visits. A finished one has its exact result, any other a playout of
its own; neither gets a child first, nor counts for anything more. So every visit has one reward, as
in every other search, and the text's bias remains: in a search with closing a finished node is
visited once.

If `max_nodes` leaves too little room for all nodes of an iteration, the search ends before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from fmcts._engines.expansion import opened
from fmcts._promises import checked_moves
from fmcts.search import freeze_in_place

Leaf: TypeAlias = Callable[..., Any]
"""`leaf(node, move, state)`: the child of `node` that `move` leads to, in `state`."""


class Rollout:
    """The moves of one playout from `node`, in any engine: recorded, without changing the tree.

    `steps` are the moves and their states; `made` counts those that are not in the tree yet.
    """

    def __init__(self, node: Any) -> None:
        self.steps: list[tuple[Any, Any]] = []
        self.made = 0
        self._node = node

    def play(self, state: Any, move: Any) -> Any:
        """Return the state after the move; call the rules if it is not in the tree."""
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


def extend(node: Any, chain: Rollout, leaf: Leaf, *, in_place: bool) -> Any:
    """Return the node with a child for each step of the chain, below one another.

    In place it is the node itself.
    """
    line = [node]
    for move, state in chain.steps:
        above = line[-1]
        child = _child(above, move)
        if child is None:
            if not above.places:
                checked_moves(above.state)
            child = leaf(above, move, state)
        line.append(child)
    below = line.pop()
    while line:
        above = line.pop()
        places = opened(above)
        places[above.moves.index(below.move)] = below
        if in_place:
            above.places, below = places, above
        else:
            below = freeze_in_place(above.mutable_copy(tuple(places)))
    return below
