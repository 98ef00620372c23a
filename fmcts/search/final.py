"""The move that is played when the search is over."""

from __future__ import annotations

from typing import Any

from fmcts.search.description import FinalChoice
from fmcts.search.scoring import logarithm_of, ucb1
from fmcts.search.tree import Node


def choose(tree: Node, rule: FinalChoice, c: float) -> Any:
    """The root move that `rule` prefers among the visited children.

    `rule` and `c` are as in `Search`; `max` returns the first of its equals, and children stand in
    canonical order, so ties go to the first in move order.
    """
    visited = [child for child in tree.children if child.visits]
    if rule == 'ucb':
        return visited[ucb1(visited, logarithm_of(tree.visits + 1), c)].move
    return max(visited, key=_PREFERENCES[rule]).move


def _robust(child: Node) -> tuple[float, float]:
    return child.visits, child.reward / child.visits


def _first_robust(child: Node) -> tuple[float]:
    return (child.visits,)


def _max(child: Node) -> tuple[float, float]:
    return child.reward / child.visits, child.visits


_PREFERENCES = {'robust': _robust, 'first-robust': _first_robust, 'max': _max}
