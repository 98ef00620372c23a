"""Jumps: a descent that may go on past a node that still has untried moves.

It is "Exploration en longueur" in the second part of the French series ("Exploration de
possibilités"). At a node with children for k of its n moves, k neither 0 nor n, a number from 0 to
n is drawn, both included: below k the node gets a child, else the descent goes on to the best of
the children that there are. So it goes on with probability (n + 1 - k)/(n + 1).

The text says it in two ways, and its program is followed here. Its prose has a number up to the
count of unexplored moves, n - k, and a jump where it is above k. It also says that jumps become
likelier with exploration; by its program they become rarer. And at a node without children its
program always goes on, to the best child of none; here such a node gets its first child, without a
draw. The same goes for one whose children are all settled (see `fmcts.search.settling`).
"""

from __future__ import annotations

from typing import Any

from fmcts.search.settling import Settling

__all__ = ['can_jump']


def can_jump(node: Any, settling: Settling | None) -> bool:
    """Whether there is a child to go on to: the node was visited, and not all are left out."""
    if not node.visits:
        return False
    if settling is None:
        return bool(node.children)
    return not all(settling.leaves_out(child.columns.own[-1]) for child in node.children)
