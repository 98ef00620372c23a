"""Choosing among the moves of a node by a method's score, in the engines that run in Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import Any, TypeAlias

from fmcts.declared import declared
from fmcts.formulas import evaluate
from fmcts.search.errors import MethodError
from fmcts.search.methods.method import Edge, Method, Parent, edge_type
from fmcts.search.settling import Settling

__all__ = ['Choose', 'chooser_of', 'edges_of', 'parent_of', 'visited_scores']

Choose: TypeAlias = Callable[[Any, Sequence[Any], float], int]
"""`choose(node, children, ln(1 + visits))`: the index of the move to descend by."""


def chooser_of(method: Method, settling: Settling | None = None) -> Choose:
    """How a search by this method chooses: by its score, or as its own class states the same.

    A subclass may have another score, so that a `chooser` serves only the class that declares it.
    """
    own: Callable[[Method], Choose] | None = declared(method, 'chooser')
    if own is None:
        return _by_score(method, settling)
    choose = own(method)
    return choose if settling is None else _among_open(choose, method, settling)


def _among_open(choose: Choose, method: Method, settling: Settling) -> Choose:
    """The same among the children that are not left out, at nodes where no move is without one."""
    leaves_out = settling.leaves_out

    def among(node: Any, children: Sequence[Any], log_visits: float) -> int:
        kept = [
            index for index, child in enumerate(children) if not leaves_out(child.columns.own[-1])
        ]
        if len(kept) == len(children):
            return choose(node, children, log_visits)
        if not kept:
            raise all_excluded(method)
        return kept[choose(node, [children[index] for index in kept], log_visits)]

    return among


def _open_moves(node: Any, children: Sequence[Any], settling: Settling) -> Iterator[bool]:
    """Of each of the node's moves, whether it is not left out."""
    following = iter(children)
    child = next(following, None)
    for move in node.moves:
        if child is not None and child.move == move:
            yield not settling.leaves_out(child.columns.own[-1])
            child = next(following, None)
        else:
            yield True


def _by_score(method: Method, settling: Settling | None) -> Choose:
    score, scores_unvisited = method.score, method.scores_unvisited

    def choose(node: Any, children: Sequence[Any], log_visits: float) -> int:
        edges = [*edges_of(method, node, children)]
        parent = parent_of(method, node, log_visits, edges)
        best, chosen = -math.inf, -1
        kept = repeat(object=True) if settling is None else _open_moves(node, children, settling)
        for index, (edge, is_kept) in enumerate(zip(edges, kept, strict=False)):
            if not is_kept:
                value = -math.inf
            elif edge.visits or scores_unvisited:
                value = evaluate(score, edge, parent)
                if value != value:  # noqa: PLR0124 - NaN
                    raise not_a_number(method)
            else:
                value = math.inf
            if value > best:
                best, chosen = value, index
        if chosen < 0:
            raise all_excluded(method)
        return chosen

    return choose


def visited_scores(
    method: Method, node: Any, log_visits: float, rule: Callable[[Any, Any], float] | None = None
) -> list[float]:
    """The scores, or the numbers that a final `rule` gives, of the children that have visits.

    :raises MethodError: one is not a number, or all are minus infinity.
    """
    score = rule or method.score
    edges = [*edges_of(method, node, node.children)]
    parent = parent_of(method, node, log_visits, edges)
    scores = [evaluate(score, edge, parent) for edge in edges if edge.visits]
    if any(map(math.isnan, scores)):
        raise not_a_number(rule or method)
    if max(scores) == -math.inf:
        raise all_excluded(rule or method)
    return scores


def not_a_number(rule: object) -> MethodError:
    """The error for a score that is NaN; the caller raises it."""
    return MethodError(f'{name_of(rule)} gives a score that is not a number (NaN)')


def all_excluded(rule: object) -> MethodError:
    """The error for a node whose every move scores minus infinity; the caller raises it."""
    return MethodError(f'{name_of(rule)} excludes every move: all scores are minus infinity')


def name_of(rule: object) -> str:
    """What an error calls a method or a final rule by: the user's function, or the class."""
    function = getattr(rule, 'function', rule)
    kind = 'selection' if isinstance(rule, Method) else 'final'
    return f'the {kind} rule {getattr(function, "__name__", None) or type(rule).__name__}'


def parent_of(method: Method, node: Any, log_visits: float, edges: Sequence[Edge]) -> Parent:
    """What a score is told of the node whose moves are these `edges`."""
    visits = node.visits
    reward = node.reward if node.mover is node.state.player else visits - node.reward
    total = 0.0
    if method.sums:
        for edge in edges:  # one after another: `sum` does otherwise in later Pythons
            total += float(evaluate(method.summed, edge))
    return Parent(float(visits), log_visits, reward / visits if visits else 0.0, total)


def edges_of(method: Method, node: Any, children: Sequence[Any]) -> Iterator[Edge]:
    """What a score is told of each of the node's moves; those without a child have no visits."""
    edge = edge_type(method.names)
    count = len(method.columns)
    none = (0.0,) * (3 + count)
    rows = zip(*node.columns.moves, strict=True) if node.columns.moves else None
    following = iter(children)
    child = next(following, None)
    for move in node.moves:
        ahead = next(rows) if rows else ()
        if child is not None and child.move == move:
            own = child.columns.own[:count]
            yield edge(float(child.visits), child.reward, child.value, *own, *ahead)
            child = next(following, None)
        else:
            yield edge(*none, *ahead)
