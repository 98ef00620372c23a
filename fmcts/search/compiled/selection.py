"""The verb `select`: the child with the highest score, by the source of a method's own score.

Scores are computed for eight children at once where the score can be typed so (it is made of what
`fmcts.formulas` names), else one child at a time.
"""

from __future__ import annotations

import dis
import math
import types
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from fmcts import formulas
from fmcts.formulas import where
from fmcts.reached import reached
from fmcts.search.compiled.numba_support.intrinsics import get, get_real, inlined, int64
from fmcts.search.compiled.numba_support.marks import looked_up
from fmcts.search.compiled.numba_support.register import register
from fmcts.search.compiled.numba_support.simd import (
    WIDTH,
    best,
    best_of_any,
    doubles_at,
    instead_of_nan,
    of_the_first,
)
from fmcts.search.compiled.numba_support.whole import plain
from fmcts.search.compiled.settling import leaving_out
from fmcts.search.compiled.statuses import ALL_EXCLUDED, NOT_A_NUMBER
from fmcts.search.compiled.structure import Structure
from fmcts.search.compiled.tree.columns import first_reals, real_at
from fmcts.search.compiled.tree.layout import HALVES, VISITS, cell, column
from fmcts.search.methods import UCB1, Parent

__all__ = ['selection', 'summing', 'takes_lanes']

Verb: TypeAlias = Callable[..., Any]

JUMPS: Final = frozenset((*dis.hasjrel, *dis.hasjabs))
OPERATORS: Final = frozenset('+-*/&|')
OTHERS: Final = frozenset(('UNARY_NOT', 'UNARY_INVERT', 'IS_OP', 'CONTAINS_OP', 'BINARY_SUBSCR'))


def selection(structure: Structure) -> Verb:
    """`select(words, block, total, parent, parameters, table)`: the index of a child to descend to.

    Below 0 it is a status turned round: why there is none. `table`: see the module `by_visits`.
    """
    return _ucb1(structure) if structure.plain else _by_score(structure)


def _ucb1(structure: Structure) -> Verb:
    """UCB1 needs no test of its scores: they are at least 0, and NaN only without visits."""
    score, unvisited = UCB1.score, structure.unvisited
    settles, jumps = structure.settling is not None, structure.jumps
    leaves_out, number_at = leaving_out(structure)
    register(score)
    edge = UCB1().edge

    @inlined
    def scores(words: Any, block: Any, total: Any, low: Any, parent: Any, parameters: Any) -> Any:
        visits = doubles_at(words, cell(block, total, VISITS, low))
        reward = 0.5 * doubles_at(words, cell(block, total, HALVES, low))
        values = score(parameters, edge(visits, reward, reward / visits), parent)
        # A child not visited yet, whose value is 0/0, comes before all others.
        if unvisited:
            values = instead_of_nan(values, math.inf)
        if jumps:
            values = where(visits < 0.0, LEFT_OUT, values)
        if settles:
            number = first_reals(words, number_at(block, total, low), total - low)
            return where(leaves_out(number), LEFT_OUT, values)
        return values

    @inlined
    def select(
        words: Any, block: Any, total: Any, parent: Any, parameters: Any, _table: Any
    ) -> Any:
        # What is read past the end of a row is masked by `best`.
        highest, chosen = best(scores(words, block, total, 0, parent, parameters), total)
        low = WIDTH
        while low < total:
            more = scores(words, block, total, low, parent, parameters)
            top, index = best(more, total - low)
            if top > highest:
                highest, chosen = top, low + index
            low += WIDTH
        return chosen

    return select


LEFT_OUT: Final = -0.5  # below all scores of UCB1, and above what `best` writes past the last


def _by_score(structure: Structure) -> Verb:  # noqa: C901 - small verbs for numba
    method, score = structure.method, structure.functions.score
    register(score)
    first = structure.unvisited and not method.scores_unvisited
    if structure.functions.bare:

        @inlined
        def scored(_parameters: Any, edge: Any, parent: Any) -> Any:
            return plain(score(edge, parent))

    else:
        scored = inlined(lambda parameters, edge, parent: plain(score(parameters, edge, parent)))

    settles, jumps = structure.settling is not None, structure.jumps
    leaves_out, number_at = leaving_out(structure)
    at_once = _edges(structure, _first_doubles, first_reals, looked_up)
    single = _edges(structure, _double_at, real_at, _entry_at)

    @inlined
    def scores(
        words: Any, block: Any, total: Any, low: Any, parent: Any, parameters: Any, table: Any
    ) -> Any:
        told = at_once(words, block, total, low, table)
        values = scored(parameters, told, parent)
        # What is one number for all moves becomes lanes here, too.
        if first:
            values = where(told.visits > 0.0, values, math.inf)
        else:
            values = where(told.visits > 0.0, values, values)
        if jumps:  # not of moves without a child
            visits = doubles_at(words, cell(block, total, VISITS, low))
            values = where(visits < 0.0, -math.inf, values)
        if settles:
            number = first_reals(words, number_at(block, total, low), total - low)
            return where(leaves_out(number), -math.inf, values)
        return values

    @inlined
    def one_score(
        words: Any, block: Any, total: Any, index: Any, parent: Any, parameters: Any, table: Any
    ) -> Any:
        if settles and leaves_out(get_real(words, number_at(block, total, index))):
            return -math.inf
        if jumps and get(words, cell(block, total, VISITS, index)) < 0:
            return -math.inf
        told = single(words, block, total, index, table)
        if first and not told.visits > 0.0:
            return math.inf
        return float(scored(parameters, told, parent))

    def by_lanes(
        words: Any, block: Any, total: Any, parent: Any, parameters: Any, table: Any
    ) -> Any:
        highest, chosen, broken = best_of_any(
            scores(words, block, total, 0, parent, parameters, table), total
        )
        low = WIDTH
        while low < total:
            top, index, more = best_of_any(
                scores(words, block, total, low, parent, parameters, table), total - low
            )
            broken |= more
            if top > highest:
                highest, chosen = top, low + index
            low += WIDTH
        if broken != 0:
            return -NOT_A_NUMBER
        return chosen if highest > -math.inf else -ALL_EXCLUDED

    def one_by_one(
        words: Any, block: Any, total: Any, parent: Any, parameters: Any, table: Any
    ) -> Any:
        highest, chosen = -math.inf, -ALL_EXCLUDED
        for index in range(total):
            value = one_score(words, block, total, index, parent, parameters, table)
            if value != value:  # noqa: PLR0124 - NaN
                return -NOT_A_NUMBER
            if value > highest:
                highest, chosen = value, index
        return chosen

    choose = inlined(by_lanes if takes_lanes(score) else one_by_one)
    with_total = summing(structure)

    @inlined
    def select(words: Any, block: Any, total: Any, parent: Any, parameters: Any, table: Any) -> Any:
        # Of one move, that one: no score is asked for, as in the other engines.
        if total == 1:
            return 0
        told = with_total(words, block, total, parent, parameters, table)
        return choose(words, block, total, told, parameters, table)

    return select


def summing(structure: Structure) -> Verb:
    """`with_total(words, block, total, parent, parameters, table)`: `parent`, its moves' sum."""
    method = structure.method
    if not method.sums:
        return inlined(lambda _words, _block, _total, parent, _parameters, _table: parent)
    formula = structure.functions.summed
    register(formula)
    single = _edges(structure, _double_at, real_at, _entry_at)

    @inlined
    def with_total(
        words: Any, block: Any, total: Any, parent: Any, parameters: Any, table: Any
    ) -> Any:
        summed = 0.0
        for index in range(total):  # in this order, as floating-point sums depend on it
            summed += float(plain(formula(parameters, single(words, block, total, index, table))))
        return Parent(parent.visits, parent.log_visits, parent.value, summed)

    return with_total


_first_doubles: Final = inlined(
    lambda words, index, count: of_the_first(doubles_at(words, index), count)
)
_double_at: Final = inlined(lambda words, index, _count: float(get(words, index)))
_entry_at: Final = inlined(lambda table, visits, _count: get(table, int64(visits)))


def _edges(structure: Structure, integer_at: Verb, real_at: Verb, entry_at: Verb) -> Verb:
    """`edges(words, block, total, index, table)`: what a score is told of a child, or of lanes."""
    edge, own = structure.method.edge, structure.own
    rows = (*range(structure.settled_row), *range(own, own + structure.moves))
    unvisited = structure.unvisited or structure.jumps  # a jump goes on past moves without a child
    real, reward_row = structure.real, structure.reward_row

    @inlined
    def seen(words: Any, block: Any, total: Any, index: Any) -> Any:
        count = total - index
        visits = integer_at(words, cell(block, total, VISITS, index), count)
        if real:
            reward = real_at(words, column(block, total, reward_row, index), count)
        else:
            reward = 0.5 * integer_at(words, cell(block, total, HALVES, index), count)
        if unvisited:  # without a child it is -1
            visits = where(visits > 0.0, visits, 0.0)
            return visits, reward, where(visits > 0.0, reward / visits, 0.0)
        return visits, reward, reward / visits

    # One source a number of columns, as a tuple's length must be known to numba.
    more = ''.join(f'real_at(words, column(block, total, {row}, index), count), ' for row in rows)
    if structure.method.counts:
        more += 'entry_at(table, visits, count)'
    names: dict[str, Any] = {'seen': seen, 'edge': edge, 'column': column}
    names |= {'real_at': real_at, 'entry_at': entry_at}
    source = (
        'def edges(words, block, total, index, table):\n'
        '    visits, reward, value = seen(words, block, total, index)\n'
        '    count = total - index\n'
        f'    return edge(visits, reward, value, {more})'
    )
    exec(source, names)  # noqa: S102 - see above
    return inlined(names['edges'])


def takes_lanes(function: Verb) -> bool:
    """Whether a score can be computed for several moves at once.

    It can when it has no branches and no operators but those of formulas, and calls nothing but the
    functions of `fmcts.formulas`, `math.sqrt` and such functions as itself.
    """
    if not isinstance(function, types.FunctionType):
        return False
    steps = dis.get_instructions(function)
    return all(_is_for_lanes(step, function.__globals__) for step in steps) and all(
        _fits_lanes(value) for _, value in reached(function)
    )


def _is_for_lanes(step: dis.Instruction, known: Mapping[str, object]) -> bool:
    """Whether an instruction of a score means the same for several moves at once."""
    if step.opname == 'BINARY_OP':
        return step.argrepr.removesuffix('=') in OPERATORS
    if step.opname == 'LOAD_GLOBAL':
        return step.argval in known  # else it is built in, as `abs` is
    if step.opname in ('LOAD_ATTR', 'LOAD_METHOD'):  # as in `math.exp`
        return step.argval == 'sqrt' or not callable(getattr(math, step.argval, None))
    return step.opcode not in JUMPS and step.opname not in OTHERS


def _fits_lanes(value: object) -> bool:
    if value is None or value is formulas or value is math or isinstance(value, int | float):
        return True
    if isinstance(value, tuple):
        return all(map(_fits_lanes, value))
    if isinstance(value, types.FunctionType):
        return value.__module__ == formulas.__name__ or takes_lanes(value)
    return value is math.sqrt
