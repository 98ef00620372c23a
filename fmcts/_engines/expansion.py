"""The decisions of a descent at a node with untried moves, shared by all engines.

Children are stored in the canonical order of moves, each knows its move, and any move may be
without one, because different expansions may grow the same tree.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from fmcts._engines.selection import Choose
from fmcts.search._tree import Node
from fmcts.search.resolution import Resolution


class Child(Protocol):
    """A child, however an engine stores it."""

    @property
    def move(self) -> Any:
        """The move that leads to it."""


C = TypeVar('C', bound=Child)

Step: TypeAlias = tuple[int, int, int]
"""The index of a move, the index of its child among the children, and how many nodes are made.

None are made if the move has a child, to which the descent continues; more than one means a child
for every move.
"""

NO_STEP: Final[Step] = (0, 0, 0)
"""No node is made: the iteration ends at the node itself."""

Chances: TypeAlias = Callable[[Any, Sequence[Any], Any], int]
"""`chances(node, children, path)`: the range of a number drawn before a step; 0: no draw."""

Turn: TypeAlias = Callable[[Any, Sequence[Any], float, Any, int], Step]
"""`step(node, children, log_visits, path, drawn)`: the step from a node with untried moves.

The arguments are those of `Choose`, and the number that was drawn, else 0.
"""

LIMITLESS: Final = math.inf
"""Room for any number of nodes."""


def room_left(tree: Node, max_nodes: int | None) -> float:
    """Return how many nodes may be added to `tree`; no bound is infinity."""
    return LIMITLESS if max_nodes is None else max(0, max_nodes - tree.count())


def missing(node: Any, children: Sequence[Any], _path: Any = None) -> int:
    """Return the number of untried moves."""
    return len(node.moves) - len(children)


def in_order(
    node: Any, children: Sequence[Any], _log_visits: float, _path: Any, _drawn: int
) -> Step:
    """Return the step to the first untried move."""
    place = first_untried(node.moves, children)
    return place, place, 1


def at_random(
    node: Any, children: Sequence[Any], _log_visits: float, _path: Any, drawn: int
) -> Step:
    """Return the step to an untried move."""
    index = untried(node.moves, children)[drawn]
    return index, index - drawn, 1  # this many moves before it are untried


def all_at_once(
    node: Any, children: Sequence[Any], _log_visits: float, _path: Any, drawn: int
) -> Step:
    """Return the step to an untried move, when every move gets a child."""
    index = untried(node.moves, children)[drawn]
    return index, index, missing(node, children)


def selecting(choose: Choose) -> Turn:
    """Return the step to the move that is chosen, tried or not."""

    def step(node: Any, children: Sequence[Any], log_visits: float, path: Any, _drawn: int) -> Step:
        moves = node.moves
        index = choose(node, children, log_visits, path) if len(moves) > 1 else 0
        return step_to(index, moves, children)

    return step


def step_to(index: int, moves: Sequence[Any], children: Sequence[Child]) -> Step:
    """Return the step to the move of this index, which has a child or gets one."""
    place, count = 0, len(children)
    for move in moves[:index]:
        if place < count and children[place].move == move:
            place += 1
    there = place < count and children[place].move == moves[index]
    return index, place, 0 if there else 1


def first_untried(moves: Sequence[Any], children: Sequence[Child]) -> int:
    """Return the index of the first move without a child, where its child will be stored too."""
    place = len(children)
    if place and children[-1].move != moves[place - 1]:  # there are gaps
        place = next(i for i, child in enumerate(children) if child.move != moves[i])
    return place


def untried(moves: Sequence[Any], children: Sequence[Child]) -> list[int]:
    """Return the indices of all moves without a child, ascending."""
    left, position = [], 0
    for index, move in enumerate(moves):
        if position < len(children) and children[position].move == move:
            position += 1
        else:
            left.append(index)
    return left


def filled(moves: Sequence[Any], children: Sequence[C], make: Callable[[Any], C]) -> list[C]:
    """Return a child for every move: the existing one, or `make(move)`."""
    missing = set(untried(moves, children))
    present = iter(children)
    return [make(move) if index in missing else next(present) for index, move in enumerate(moves)]


EXPANSIONS: Final[dict[str, tuple[Chances | None, Turn]]] = {
    'in-order': (None, in_order),
    'random': (missing, at_random),
    'full': (missing, all_at_once),
}
"""The expansions that depend only on which moves were tried, by their names in `Search`."""


def jumping(onward: Choose, resolution: Resolution | None) -> tuple[Chances, Turn]:
    """Return the range drawn from at a node with untried moves, and the step from there.

    A jump continues past a node that still has untried moves; `onward` chooses among the existing
    children. It is "Exploration en longueur" in the second part of the French series ("Exploration
    de possibilités"). At a node with children for k of its n moves, k neither 0 nor n, a number
    from 0 to n is drawn, both included: below k the node gets a child, else the descent continues
    to the best of the existing children. So it continues with probability (n + 1 - k)/(n + 1).

    The text describes it in two ways, and its program is followed here. Its prose has a number up
    to the count of unexplored moves, n - k, and a jump if it is above k. It also says that jumps
    become more frequent with exploration; by its program they become rarer. And at a node without
    children its program always continues, to the best child of an empty list; here such a node gets
    its first child, without a draw. So does one whose children are all resolved (see
    `fmcts.search.resolution`).
    """

    def chances(node: Any, _children: Sequence[Any], _path: Any) -> int:
        return len(node.moves) + 1 if can_jump(node, resolution) else 0

    def step(node: Any, children: Sequence[Any], log_visits: float, path: Any, drawn: int) -> Step:
        if drawn < max(1, len(children)):
            return in_order(node, children, log_visits, path, drawn)
        place = onward(node, children, log_visits, path)
        return place, place, 0

    return chances, step


def can_jump(node: Any, resolution: Resolution | None) -> bool:
    """Return whether there is a child to continue to: one that is not left out."""
    if not node.visits:
        return False
    if resolution is None:
        return bool(node.children)
    return not all(resolution.leaves_out(child.columns.own[-1]) for child in node.children)
