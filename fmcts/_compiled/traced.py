"""The functions of a method as formulas, which machine code is made of (see `fmcts.expressions`).

Nothing here needs numba.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

from attrs import frozen

from fmcts._content.reached import OWN
from fmcts.expressions import LEAVES, TRUTHS, Expression, Formula, Step, symbols, trace
from fmcts.formulas import with_sqrt
from fmcts.search.methods import Method, Parent, Rule
from fmcts.search.methods.method import edge_type, row_of

__all__ = ['Traced', 'traced', 'without_function']


@frozen
class Traced:
    """A formula in place of a function with these `arguments`.

    Its symbols are such as `visits`, for an argument, `edge.visits`, for a field of one, and
    `row.0`, for a place in a tuple. `numbers` are those of the formula in hexadecimal: zeros of
    both signs, which are equal, make different machine code. `single`: it gives one number and not
    a tuple.
    """

    arguments: tuple[str, ...]
    steps: tuple[Step, ...]
    results: tuple[int, ...]
    numbers: tuple[str, ...]
    single: bool = True

    def expression(self, known: dict[str, Expression]) -> Any:
        """Return the first result, with other expressions for the symbols that are `known`."""
        made: list[Any] = []
        for kind, *rest in self.steps:
            if kind == 'symbol':
                name, whole = rest
                made.append(known[name] if name in known else Expression(name, whole=whole))
            elif kind == 'number':
                made.append(float.fromhex(self.numbers[rest[0]]))
            elif kind == 'truth':
                made.append(rest[0])
            else:
                made.append(Expression(kind, *(made[place] for place in rest)))
        return made[self.results[0]]


def without_function(
    formula: Formula | None, arguments: tuple[str, ...], *, single: bool = True
) -> Traced | None:
    """Return a formula for machine code.

    `None`: there is none, or it combines numbers by `&` or `|`, which only comparisons have, or
    adds or multiplies integers, which machine code would round.
    """
    if formula is None or not all(_can_be_emitted(step, formula.steps) for step in formula.steps):
        return None
    numbers = tuple(number.hex() for number in formula.numbers)
    return Traced(arguments, formula.steps, formula.results, numbers, single)


def _can_be_emitted(step: Step, steps: tuple[Step, ...]) -> bool:
    kind, *rest = step
    if kind in LEAVES:
        return True
    operands = [steps[place] for place in rest]
    if kind in ('&', '|'):
        return all(operand[0] in TRUTHS for operand in operands)
    integers = [operand[0] == 'symbol' and operand[2] for operand in operands]
    if kind == 'where':  # which would let an integer pass for a float
        return not any(integers[1:])
    # An integer beside a number that is not known to be a float: Python may not round the result.
    others = [operand[0] == 'number' for operand in operands]
    return not any(integers) or sum(integers) + sum(others) < len(operands)


def traced(method: Method, name: str) -> Traced | Callable[..., Any]:
    """Return a function of a method as its formula, or as it is where it cannot be traced.

    The method's numbers are symbols, so that the formula does not depend on them.
    """
    kind: Any = type(method)
    function: Callable[..., Any] = getattr(kind, name)
    if isinstance(method, Rule):
        return _rule(method)
    if kind.__module__.partition('.')[0] == OWN:
        return _of_own(kind, name, function)
    return _traced(method, name, function)


@functools.lru_cache(maxsize=1 << 8)
def _of_own(kind: Any, name: str, function: Callable[..., Any]) -> Traced | Callable[..., Any]:
    """Return what is traced of a method of this library, which never changes, for any numbers."""
    return _traced(kind(), name, function)


def _traced(method: Method, name: str, function: Callable[..., Any]) -> Traced | Callable[..., Any]:
    given = _symbolic(method)
    arguments, told = _arguments(method, name)
    count = {'update_move': len(method.move_columns), 'update': len(method.columns)}
    count['update_above_end'] = count['update']
    length = count.get(name, 0)
    found = trace(function, given, *told, count=length) or trace(
        with_sqrt(function), given, *told, count=length
    )
    return without_function(found, ('self', *arguments), single=name not in count) or function


def _rule(rule: Rule) -> Traced | Callable[..., Any]:
    """Return the formula of a user's function, whose numbers are the fields `k0`... of `self`."""
    formula = rule.formula
    found = without_function(formula, ('self', 'edge', 'parent'))
    if found is None or formula is None:
        return rule.function
    steps = tuple(
        ('symbol', f'self.k{step[1]}', False) if step[0] == 'number' else step
        for step in formula.steps
    )
    return Traced(found.arguments, steps, formula.results, ())


def _symbolic(method: Method) -> Method:
    """Return the method with a symbol for each of its numbers."""
    given = copy.copy(method)
    integers = method.integers
    for name in method.parameters:
        object.__setattr__(given, name, Expression(f'self.{name}', whole=name in integers))
    return given


def _arguments(method: Method, name: str) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Return the names of what a function is called with beside `self`, and symbols for it."""
    if name == 'score':
        return ('edge', 'parent'), (_fields('edge', method.edge), _fields('parent', Parent))
    if name == 'summed':
        return ('edge',), (_fields('edge', method.edge),)
    if name == 'by_visits':
        return ('visits',), symbols(('visits',))
    kind = row_of(method.names) if name == 'update_move' else edge_type(method.own_names)
    return ('edge', 'reward'), (_fields('edge', kind), *symbols(('reward',)))


def _fields(name: str, kind: Any) -> Any:
    return kind(*symbols(f'{name}.{field}' for field in kind._fields))
