"""The terms of a score, as text and as numbers.

The score of a method is traced (`fmcts._expressions`). Its terms are its summands: for UCB1 the
mean, `value`, and the bonus, `c * sqrt(log_visits / visits)`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

import attrs
from attrs import frozen

from fmcts._expressions import LEAVES, Formula, function_of, symbols, trace
from fmcts.search.methods import Method, Rule
from fmcts.search.methods.method import ParentNumbers

OF_PARENT: Final = ('parent_visits', 'log_visits', 'parent_value', 'total')
SUMS: Final = {'+': 0, '-': 0}
BINDING: Final = {'<': 1, '<=': 1, '>': 1, '>=': 1, '==': 1, '!=': 1, '&': 1, '|': 1} | {
    **dict.fromkeys('+-', 2),
    **dict.fromkeys('*/', 3),
}
LEAF: Final = 9


@frozen
class Terms:
    """The summands of a score: the terms as text, and a function to their values.

    The function takes an edge and a parent, as a score does. The results of `formula` are the
    terms; its `symbols` are the fields of an edge, the fields of a parent (`OF_PARENT`), and the
    method's parameters, whose values are `numbers`.
    """

    names: tuple[str, ...]
    values: Callable[[Any, ParentNumbers], tuple[float, ...]]
    formula: Formula
    symbols: tuple[str, ...]
    numbers: tuple[float, ...]


def terms_of(method: Method) -> Terms | None:
    """Return the terms of a method's score; `None` if it branches and cannot be traced.

    >>> from fmcts.search.methods import UCB1
    >>> terms_of(UCB1()).names
    ('value', 'c * sqrt(log_visits / visits)')
    """
    fields = method.edge._fields
    own = {} if isinstance(method, Rule) else method.parameters
    names = (*fields, *OF_PARENT, *own)
    if len(set(names)) < len(names):  # a parameter has the name of a column
        own, names = {}, (*fields, *OF_PARENT)
    leaves = symbols(names)
    edge = method.edge(*leaves[: len(fields)])
    of_parent: Any = leaves[len(fields) : len(fields) + len(OF_PARENT)]
    parent = ParentNumbers(*of_parent)
    given = dict(zip(own, leaves[len(fields) + len(OF_PARENT) :], strict=True))
    formula = trace(_score(method, given), edge, parent)
    if formula is None:
        return None
    places = _summands(formula, formula.results[0])
    if any(sign < 0 for _, sign in places):  # a difference is shown whole
        places = [(formula.results[0], 1)]
    split = attrs.evolve(formula, results=tuple(place for place, _ in places))
    compute, numbers = function_of(split, names), tuple(own.values())

    def values(edge: Any, parent: ParentNumbers) -> tuple[float, ...]:
        return compute(*edge, *parent, *numbers)

    words = tuple(_text(formula, place)[0] for place, _ in places)
    return Terms(words, values, split, names, numbers)


def _score(method: Method, given: dict[str, Any]) -> Callable[[Any, Any], Any]:
    """Return the score, with symbols in place of the method's parameters."""
    if not given:
        return method.score
    others = {it.name: getattr(method, it.name) for it in attrs.fields(type(method))}
    stand_in: Any = SimpleNamespace(**{**others, **given})
    return lambda edge, parent: type(method).score(stand_in, edge, parent)


def _summands(formula: Formula, place: int, sign: int = 1) -> list[tuple[int, int]]:
    """Return the places of what is added up there, each with its sign."""
    operator, *rest = formula.steps[place]
    if operator not in SUMS:
        return [(place, sign)]
    after = -sign if operator == '-' else sign
    return [*_summands(formula, rest[0], sign), *_summands(formula, rest[1], after)]


def _text(formula: Formula, place: int) -> tuple[str, int]:
    """Return a step as text, and how tightly it binds."""
    operator, *rest = formula.steps[place]
    if operator in LEAVES:
        number = f'{formula.numbers[rest[0]]:g}' if operator == 'number' else str(rest[0])
        return number, LEAF
    operands = [_text(formula, each) for each in rest]
    if operator == 'neg':
        return f'-{_bracketed(operands[0], LEAF)}', BINDING['*']
    if operator in BINDING:
        tight = BINDING[operator]
        one, two = _bracketed(operands[0], tight), _bracketed(operands[1], tight + 1)
        return f'{one} {operator} {two}', tight
    return _call(operator, *(text for text, _ in operands)), LEAF


def _call(function: str, *given: str) -> str:
    """Return a call as text; what chooses the smaller or the greater is called that."""
    if function == 'where':
        condition, yes, no = given
        for name, sign, other in (('min', '<', '>'), ('max', '>', '<')):
            if condition in (f'{yes} {sign} {no}', f'{no} {other} {yes}'):
                return f'{name}({yes}, {no})'
    return f'{function}({", ".join(given)})'


def _bracketed(operand: tuple[str, int], tight: int) -> str:
    text, binds = operand
    return text if binds >= tight else f'({text})'
