"""The move that is played when the search is over."""

from __future__ import annotations

from typing import Any

from fmcts.search.description import Search
from fmcts.search.scoring import logarithm_of
from fmcts.search.selection import visited_scores
from fmcts.search.tree import Node


def choose(tree: Node, search: Search) -> Any:
    """The root move that `search.final` prefers among the visited children.

    With a solver the shortest proven win comes first, and proven losses last, the longest first.

    `max` returns the first of its equals, and children stand in
    canonical order, so ties go to the first in move order.

    :raises MethodError: a rule of one's own gives NaN, or minus infinity for every move.
    """
    visited = [child for child in tree.children if child.visits]
    final, settling = search.final, search.settling
    among = list(range(len(visited)))
    if settling is not None:
        among = settling.preferred([child.columns.own[-1] for child in visited])
    if isinstance(final, str) and final != 'ucb':
        return max((visited[index] for index in among), key=_PREFERENCES[final]).move
    rule = None if isinstance(final, str) else final
    scores = visited_scores(search.method, tree, logarithm_of(tree.visits + 1), rule)
    return visited[max(among, key=lambda index: scores[index])].move


def _robust(child: Node) -> tuple[float, float]:
    return child.visits, child.reward / child.visits


def _first_robust(child: Node) -> tuple[float]:
    return (child.visits,)


def _max(child: Node) -> tuple[float, float]:
    return child.reward / child.visits, child.visits


_PREFERENCES = {'robust': _robust, 'first-robust': _first_robust, 'max': _max}
