"""The choice of the move to play when the search is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from fmcts._arguments import amount
from fmcts._arithmetic import logarithm_of
from fmcts._engines.selection import visited_scores
from fmcts.errors import IterationsError, NoRoomError
from fmcts.search import Node, Search, stats_of
from fmcts.search.methods import Method


def choose(tree: Node, search: Search) -> Any:
    """Return the root move that `search.final` prefers among the visited children.

    A schedule that has a function `chosen` chooses in its place.

    With a solver the shortest proven win comes first, and proven losses last, the longest first.

    `max` returns the first of equals, and children are in canonical order, so ties go to the first
    in move order.

    :raises IterationsError: `final` is `robust-of-all`, and a move has no visit.
    :raises MethodError: a user's rule gives NaN, or minus infinity for every move.
    :raises NoRoomError: no move has a visit, because `search.max_nodes` is too small.
    """
    visited = tree.visited()
    if not visited:
        raise NoRoomError(f'max_nodes {search.max_nodes} leaves no room for the first iteration')
    chosen = getattr(search.schedule, 'chosen', None)
    if chosen is not None:
        return tree.moves[chosen(stats_of(tree))]
    final, resolution = search.final, search.resolution
    moves = len(tree.moves)
    if final == 'robust-of-all' and len(visited) < moves:
        raise IterationsError(
            f'final robust-of-all needs a visit for each of the {moves} moves, and '
            f'{amount(tree.visits, "iteration")} visited {len(visited)} of them: use more, or '
            'another final'
        )
    among = list(range(len(visited)))
    if resolution is not None:
        children = [child for child in tree.children if child.visits]
        values = [child.value for child in children]
        among = resolution.preferred([*map(resolution.of, children)], values)
    if isinstance(final, str) and final in PREFERENCES:
        return preferred([visited[index] for index in among], final)
    rule = None if isinstance(final, str) else final
    log_offset = search.method.log_offset if rule is None else Method.log_offset
    scores = visited_scores(search.method, tree, logarithm_of(tree.visits + log_offset), rule)
    return visited[max(among, key=lambda index: scores[index])][0]


def preferred(visited: Sequence[tuple[Any, int, float]], final: str) -> Any:
    """Return the move that a preference chooses, given moves, visits and rewards in move order."""
    key = PREFERENCES[final]
    return max(visited, key=lambda row: key(*row[1:]))[0]


PREFERENCES: Final[Mapping[str, Callable[[int, float], tuple[float, ...]]]] = {
    'robust': lambda visits, reward: (visits, reward / visits),
    'first-robust': lambda visits, _reward: (visits,),
    'robust-of-all': lambda visits, _reward: (visits,),
    'max': lambda visits, reward: (reward / visits, visits),
}
"""The keys to compare if only visits and rewards count; the greatest is chosen."""
