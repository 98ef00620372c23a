"""Jumps: a descent that may continue past a node that still has untried moves.

It is "Exploration en longueur" in the second part of the French series ("Exploration de
possibilités"). At a node with children for k of its n moves, k neither 0 nor n, a number from 0 to
n is drawn, both included: below k the node gets a child, else the descent continues to the best of
the existing children. So it continues with probability (n + 1 - k)/(n + 1).

The text describes it in two ways, and its program is followed here. Its prose has a number up to
the count of unexplored moves, n - k, and a jump if it is above k. It also says that jumps become
more frequent with exploration; by its program they become rarer. And at a node without children its
program always continues, to the best child of an empty list; here such a node gets its first child,
without a draw. So does one whose children are all resolved (see `fmcts.search.resolution`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fmcts._engines.expansion import Chances, Step, Turn, in_order
from fmcts._engines.selection import Choose
from fmcts.search.resolution import Resolution


def jumping(onward: Choose, resolution: Resolution | None) -> tuple[Chances, Turn]:
    """Return the range drawn from at a node with untried moves, and the step from there.

    `onward` chooses among the existing children.
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
