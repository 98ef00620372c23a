"""The verb `select`: the child with the highest score, by the source of a method's own score.

Scores are computed for eight children at once where the score can be typed so (it is made of what
`fmcts.formulas` names), else one child at a time.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable
from typing import Any, Final

from numba import types
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target

from fmcts.formulas import where
from fmcts.search.compiled.columns import column
from fmcts.search.compiled.lanes import (
    LANES,
    WIDTH,
    best,
    best_of_any,
    doubles_at,
    instead_of_nan,
    reals_at,
)
from fmcts.search.compiled.layout import HALVES, VISITS, cell
from fmcts.search.compiled.machine import get, get_real, inlined, stands_for
from fmcts.search.compiled.teach import teach
from fmcts.search.methods import UCB1, Method, Parent, Rule
from fmcts.search.methods.method import edge_type

__all__ = ['ALL_EXCLUDED', 'NOT_A_NUMBER', 'method_parts', 'parameters_of', 'selection']

Verb = Callable[..., Any]

# What `select` gives instead of an index.
ALL_EXCLUDED: Final = -1
NOT_A_NUMBER: Final = -2


def parameters_of(method: Method) -> Any:
    """What stands for a method's `self` in compiled code: a named tuple of its numbers."""
    return namedtuple(type(method).__name__, method.parameters)  # noqa: PYI024 - known only now


def method_parts(method: Method) -> tuple[object, ...]:
    """What makes one method's code differ from another's: not the values of its parameters."""
    functions = (scored_by(method), type(method).update if method.columns else None)
    return (method.scores_unvisited, tuple(method.parameters), *method.names, *functions)


def scored_by(method: Method) -> Callable[..., Any]:
    """The plain function behind a method's score; of a `Rule`, without `self`."""
    return method.function if isinstance(method, Rule) else type(method).score


def selection(method: Method, *, unvisited: bool) -> Verb:
    """`select(words, block, total, parent, parameters)`: the index of the child to descend to.

    `unvisited`: whether there may be moves without visits. Below 0 it says why there is none.
    """
    if isinstance(method, UCB1):
        return _ucb1(unvisited=unvisited)
    return _by_score(method, unvisited=unvisited)


def _ucb1(*, unvisited: bool) -> Verb:
    """UCB1 needs no test of its scores: they are at least 0, and NaN only without visits."""
    score = UCB1.score
    teach(score)
    edge = edge_type(UCB1().names)

    @inlined
    def scores(words: Any, visits_at: Any, halves_at: Any, parent: Any, parameters: Any) -> Any:
        visits = doubles_at(words, visits_at)
        reward = 0.5 * doubles_at(words, halves_at)
        values = score(parameters, edge(visits, reward, reward / visits), parent)
        # A child not visited yet, whose value is 0/0, comes before all others.
        return instead_of_nan(values, math.inf) if unvisited else values

    @inlined
    def select(words: Any, block: Any, total: Any, parent: Any, parameters: Any) -> Any:
        # What is read past the end of a row is masked by `best`.
        visits = cell(block, total, VISITS, 0)
        halves = cell(block, total, HALVES, 0)
        highest, chosen = best(scores(words, visits, halves, parent, parameters), total)
        low = WIDTH
        while low < total:
            more = scores(words, visits + low, halves + low, parent, parameters)
            top, index = best(more, total - low)
            if top > highest:
                highest, chosen = top, low + index
            low += WIDTH
        return chosen

    return select


def _by_score(method: Method, *, unvisited: bool) -> Verb:
    score = scored_by(method)
    teach(score)
    edge, rows = edge_type(method.names), len(method.columns) + len(method.move_columns)
    first = unvisited and not method.scores_unvisited
    if isinstance(method, Rule):

        @inlined
        def scored(_parameters: Any, edge: Any, parent: Any) -> Any:
            return score(edge, parent)

    else:
        scored = inlined(lambda parameters, edge, parent: score(parameters, edge, parent))

    at_once = _edges(edge, rows, doubles_at, reals_at, unvisited=unvisited)
    single = _edges(edge, rows, _double_at, get_real, unvisited=unvisited)

    @inlined
    def scores(words: Any, block: Any, total: Any, low: Any, parent: Any, parameters: Any) -> Any:
        told = at_once(words, block, total, low)
        values = scored(parameters, told, parent)
        return where(told.visits > 0.0, values, math.inf) if first else values

    @inlined
    def one_score(words: Any, block: Any, total: Any, index: Any, parent: Any, parameters: Any) -> Any:
        told = single(words, block, total, index)
        if first and not told.visits > 0.0:
            return math.inf
        return float(scored(parameters, told, parent))

    def by_lanes(words: Any, block: Any, total: Any, parent: Any, parameters: Any) -> Any:
        highest, chosen, broken = best_of_any(
            scores(words, block, total, 0, parent, parameters), total
        )
        low = WIDTH
        while low < total:
            top, index, more = best_of_any(
                scores(words, block, total, low, parent, parameters), total - low
            )
            broken |= more
            if top > highest:
                highest, chosen = top, low + index
            low += WIDTH
        if broken != 0:
            return NOT_A_NUMBER
        return chosen if highest > -math.inf else ALL_EXCLUDED

    def one_by_one(words: Any, block: Any, total: Any, parent: Any, parameters: Any) -> Any:
        highest, chosen = -math.inf, ALL_EXCLUDED
        for index in range(total):
            value = one_score(words, block, total, index, parent, parameters)
            if value != value:  # noqa: PLR0124 - NaN
                return NOT_A_NUMBER
            if value > highest:
                highest, chosen = value, index
        return chosen

    def choose(words: Any, block: Any, total: Any, parent: Any, parameters: Any) -> Any:
        raise NotImplementedError  # compiled code only

    @stands_for(choose)
    def _choose(words: Any, block: Any, total: Any, parent: Any, parameters: Any) -> Any:
        lanes = types.NamedUniTuple(LANES, 3 + rows, edge)
        told = (lanes, parent) if isinstance(method, Rule) else (parameters, lanes, parent)
        return by_lanes if _gives(score, told) is LANES else one_by_one

    @inlined
    def select(words: Any, block: Any, total: Any, parent: Any, parameters: Any) -> Any:
        # Of one move, that one: no score is asked for, as in the other engines.
        return 0 if total == 1 else choose(words, block, total, parent, parameters)

    return select


@inlined
def _double_at(words: Any, index: Any) -> Any:
    return float(get(words, index))


def _edges(edge: Any, rows: int, integer_at: Verb, real_at: Verb, *, unvisited: bool) -> Verb:
    """`edges(words, block, total, index)`: what a score is told of the child, or of the lanes."""

    @inlined
    def seen(words: Any, block: Any, total: Any, index: Any) -> Any:
        visits = integer_at(words, cell(block, total, VISITS, index))
        reward = 0.5 * integer_at(words, cell(block, total, HALVES, index))
        if unvisited:  # without a child it is -1
            visits = where(visits > 0.0, visits, 0.0)
            return visits, reward, where(visits > 0.0, reward / visits, 0.0)
        return visits, reward, reward / visits

    # One source a number of columns, as a tuple's length must be known to numba.
    more = ', '.join(f'real_at(words, column(block, total, {row}, index))' for row in range(rows))
    names: dict[str, Any] = {'seen': seen, 'edge': edge, 'column': column, 'real_at': real_at}
    source = (
        'def edges(words, block, total, index):\n'
        '    visits, reward, value = seen(words, block, total, index)\n'
        f'    return edge(visits, reward, value, {more})'
    )
    exec(source, names)  # noqa: S102 - see above
    return inlined(names['edges'])  # type: ignore[no-any-return]


def _gives(function: Verb, kinds: tuple[Any, ...]) -> Any:
    """The type of what the function gives for arguments of these types; `None`: it takes none."""
    context = cpu_target.typing_context
    context.refresh()
    try:
        return context.resolve_value_type(function).get_call_type(context, kinds, {}).return_type
    except NumbaError:
        return None
