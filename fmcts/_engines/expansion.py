"""The decisions of a descent at a node with untried moves, shared by all engines.

A node has one place for each of its moves, in their canonical order: a child, or `None` for a move
that was not tried; and no places at all (`()`) before its first child.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from fmcts._engines.selection import Choose
from fmcts.search import Node
from fmcts.search.resolution import Resolution

Step: TypeAlias = tuple[int, int]
"""The place of a move, and how many nodes are made there.

None are made if the move has a child, to which the descent continues; more than one means a child
for every move.
"""

NO_STEP: Final[Step] = (0, 0)
"""No node is made: the iteration ends at the node itself."""

Chances: TypeAlias = Callable[[Any, Sequence[Any], Any], int]
"""`chances(node, places, path)`: the range of a number drawn before a step; 0: no draw."""

Turn: TypeAlias = Callable[[Any, Sequence[Any], float, Any, int], Step]
"""`step(node, places, log_visits, path, drawn)`: the step from a node with untried moves.

The arguments are those of `Choose`, and the number that was drawn, else 0.
"""

LIMITLESS: Final = math.inf
"""Room for any number of nodes."""


def room_left(tree: Node, max_nodes: int | None) -> float:
    """Return how many nodes may be added to `tree`; no bound is infinity."""
    return LIMITLESS if max_nodes is None else max(0, max_nodes - tree.count())


def opened(node: Any) -> list[Any]:
    """Return the places of a node in a new list, also before its first child."""
    return [*node.places] if node.places else [None] * len(node.moves)


def step_to(place: int, places: Sequence[Any]) -> Step:
    """Return the step to a place, where a child is made if there is none."""
    return place, 0 if places and places[place] is not None else 1


def in_order(
    _node: Any, places: Sequence[Any], _log_visits: float, _path: Any, _drawn: int
) -> Step:
    """Return the step to the first untried move."""
    place = 0
    for place, child in enumerate(places):  # noqa: B007 - `None in places` would compare nodes
        if child is None:
            break
    return place, 1


def missing(node: Any, places: Sequence[Any], _path: Any = None) -> int:
    """Return the number of untried moves."""
    return len(node.moves) - sum(map(bool, places))


def at_random(
    _node: Any, places: Sequence[Any], _log_visits: float, _path: Any, drawn: int
) -> Step:
    """Return the step to an untried move."""
    # Before the first child, where all moves are untried, the number drawn is the place.
    if not places:
        return drawn, 1
    return [place for place, child in enumerate(places) if child is None][drawn], 1


def all_at_once(node: Any, places: Sequence[Any], log_visits: float, path: Any, drawn: int) -> Step:
    """Return the step to an untried move, when every move gets a child."""
    place, _ = at_random(node, places, log_visits, path, drawn)
    return place, missing(node, places)


def selecting(choose: Choose) -> Turn:
    """Return the step to the move that is chosen, tried or not."""

    def step(node: Any, places: Sequence[Any], log_visits: float, path: Any, _drawn: int) -> Step:
        if len(node.moves) == 1:
            return step_to(0, places)
        return step_to(choose(node, places or opened(node), log_visits, path), places)

    return step


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

    def chances(node: Any, _places: Sequence[Any], _path: Any) -> int:
        return len(node.moves) + 1 if can_jump(node, resolution) else 0

    def step(node: Any, places: Sequence[Any], log_visits: float, path: Any, drawn: int) -> Step:
        if drawn < max(1, sum(map(bool, places))):
            return in_order(node, places, log_visits, path, drawn)
        return onward(node, places, log_visits, path), 0

    return chances, step


def can_jump(node: Any, resolution: Resolution | None) -> bool:
    """Return whether there is a child to continue to: one that is not left out."""
    if not node.visits:
        return False
    if resolution is None:
        return bool(node.places)
    return not all(resolution.leaves_out(resolution.of(child)) for child in node.children)
