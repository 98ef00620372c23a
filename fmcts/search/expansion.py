"""Which untried moves get a child: the decisions that every engine shares.

Children stand in the canonical order of moves, each knows its move, and any move may be without
one, since a tree may be grown by one expansion and then by another.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeVar

from fmcts.search.description import Expansion
from fmcts.search.tree import Node


class Child(Protocol):
    """What is read of a child, however an engine stores it."""

    @property
    def move(self) -> Any:
        """The move that leads to it."""


C = TypeVar('C', bound=Child)


LIMITLESS: Final = math.inf
"""Room for any number of nodes."""


def added(expansion: Expansion, moves: Sequence[Any], children: Sequence[Child]) -> int:
    """How many nodes the next expansion of a node with these moves and children makes."""
    return len(moves) - len(children) if expansion == 'full' else 1


def lacks_room(nodes: int, room: float) -> bool:
    """Whether there is no room for so many nodes; none at all need none, in a tree too large."""
    return nodes > 0 and room < nodes


def room_left(tree: Node, max_nodes: int | None) -> float:
    """How many nodes may be added to `tree`; no bound is infinity."""
    return LIMITLESS if max_nodes is None else max_nodes - tree.count()


def untried_left(node: Any) -> bool:
    """Whether a node has a move without a child."""
    return len(node.children) < len(node.moves)


def first_untried(moves: Sequence[Any], children: Sequence[Child]) -> int:
    """The index of the first move without a child; its child will stand there too."""
    place = len(children)
    if place and children[-1].move != moves[place - 1]:  # there are gaps
        place = next(i for i, child in enumerate(children) if child.move != moves[i])
    return place


def place_of(index: int, moves: Sequence[Any], children: Sequence[Child]) -> int | None:
    """Where among the children that of move number `index` stands; `None` while there is none."""
    place = before(index, moves, children)
    if place < len(children) and children[place].move == moves[index]:
        return place
    return None


def before(index: int, moves: Sequence[Any], children: Sequence[Child]) -> int:
    """How many of the moves before that of this index have a child."""
    left = untried(moves, children)
    return index - sum(1 for other in left if other < index)


def untried(moves: Sequence[Any], children: Sequence[Child]) -> list[int]:
    """The indices of all moves without a child, ascending."""
    left, position = [], 0
    for index, move in enumerate(moves):
        if position < len(children) and children[position].move == move:
            position += 1
        else:
            left.append(index)
    return left


def filled(moves: Sequence[Any], children: Sequence[C], make: Callable[[Any], C]) -> list[C]:
    """A child for every move: those there are, and `make(move)` where there is none."""
    missing = set(untried(moves, children))
    present = iter(children)
    return [make(move) if index in missing else next(present) for index, move in enumerate(moves)]
