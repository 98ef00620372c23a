"""Trace the functions of a method as formulas for machine code (see `fmcts._expressions`).

Nothing here needs numba.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

from fmcts._content.reached import OWN
from fmcts._expressions import Expression, symbols, trace
from fmcts._numba.traced import Traced, without_function
from fmcts.formulas import with_sqrt
from fmcts.search.memory import Table
from fmcts.search.methods import Method, ParentNumbers, Rule
from fmcts.search.methods.method import edge_type


def traced(method: Method | Table, name: str) -> Traced | Callable[..., Any]:
    """Return the formula of a function of a method or its table; the function if it has none.

    The method's numbers are symbols, so the formula does not depend on their values.
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
    """Return `_traced` for a method of this library, computed once, as it never changes."""
    return _traced(kind(), name, function)


def _traced(method: Any, name: str, function: Callable[..., Any]) -> Traced | Callable[..., Any]:
    given = _symbolic(method)
    arguments, symbolic = _arguments(method, name)
    length = len(method.columns) if name in ('update', 'update_above_end') else 0
    found = trace(function, given, *symbolic, count=length) or trace(
        with_sqrt(function), given, *symbolic, count=length
    )
    return without_function(found, ('self', *arguments), single=not length) or function


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


def _symbolic(method: Any) -> Any:
    """Return the method or table with a symbol for each of its numbers."""
    given = copy.copy(method)
    integers = method.integers
    for name in method.parameters:
        object.__setattr__(given, name, Expression(f'self.{name}', whole=name in integers))
    return given


def _arguments(method: Any, name: str) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Return the names of a function's arguments except `self`, and symbols for them."""
    if name == 'score':
        return ('edge', 'parent'), (_fields('edge', method.edge), _fields('parent', ParentNumbers))
    if name == 'summed':
        return ('edge',), (_fields('edge', method.edge),)
    if name == 'by_visits':
        return ('visits',), symbols(('visits',))
    kind = method.row if isinstance(method, Table) else edge_type(method.own_names)
    return ('edge', 'reward'), (_fields('edge', kind), *symbols(('reward',)))


def _fields(name: str, kind: Any) -> Any:
    return kind(*symbols(f'{name}.{field}' for field in kind._fields))
