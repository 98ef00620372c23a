"""The language of formulas: what a selection rule may use, with one meaning in every engine.

A formula combines numbers by `+ - * /`, unary minus, comparisons, `&` and `|` of comparisons, and
the functions of this module. IEEE 754 fixes each of these operations to the bit, so that Python's
floats, one number of compiled code and eight of them side by side give the same.

What an interpreter does otherwise than IEEE 754 is mended: `x / 0` is an infinity or NaN here too
(see `evaluate`). Natural logarithms of counts are given ready-made, from a table, since `log` is
not fixed: `parent.log_visits`.
"""

from __future__ import annotations

import copy
import math
import types
from collections.abc import Callable, Iterator
from typing import Any, Final

import attrs

from fmcts.expressions import Expression

__all__ = ['evaluate', 'maximum', 'minimum', 'sqrt', 'where', 'with_sqrt']

NAN: Final = math.nan


def sqrt(number: float | Expression) -> float:
    """The square root; NaN for a negative number.

    >>> sqrt(2.25), sqrt(-1.0)
    (1.5, nan)
    """
    if isinstance(number, Expression):
        return Expression('sqrt', number)  # type: ignore[return-value]
    if not number >= 0:  # a NaN is not
        return Ieee(NAN)
    root = math.sqrt(number)
    return Ieee(root) if isinstance(number, Ieee) else root


def where(condition: bool | Expression, yes: float, no: float) -> float:  # noqa: FBT001 - its first operand
    """`yes` where the condition holds, else `no`; both are evaluated.

    >>> where(1.0 < 2.0, 3.0, 4.0)
    3.0
    """
    if isinstance(condition, Expression):
        return Expression('where', condition, yes, no)  # type: ignore[return-value]
    return yes if condition else no


def minimum(one: float, two: float) -> float:
    """The smaller: `where(one < two, one, two)`, so the second of equals and beside a NaN.

    >>> minimum(1.0, 2.0)
    1.0
    """
    return where(one < two, one, two)


def maximum(one: float, two: float) -> float:
    """The greater: `where(one > two, one, two)`, so the second of equals and beside a NaN.

    >>> maximum(1.0, 2.0)
    2.0
    """
    return where(one > two, one, two)


def with_sqrt(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with `sqrt` where it names that of the module `math`.

    The latter takes no symbols. Functions that it calls stay as they are.
    """
    if not isinstance(function, types.FunctionType):
        return function
    known = {math: types.SimpleNamespace(**{**vars(math), 'sqrt': sqrt}), math.sqrt: sqrt}
    names = {
        name: known[it] if it is math or it is math.sqrt else it
        for name, it in function.__globals__.items()
    }
    code, closure = function.__code__, function.__closure__
    other = types.FunctionType(code, names, function.__name__, function.__defaults__, closure)
    other.__kwdefaults__ = function.__kwdefaults__
    return other


class Ieee(float):
    """A float whose `/` never raises: as IEEE 754 has it, and compiled code."""

    __slots__ = ()

    def __index__(self) -> int:  # it may stand for an integer
        if not self.is_integer():
            raise TypeError(f'{self!r} is no whole number')
        return int(self)


def _closed(name: str) -> Callable[..., Any]:
    operation = getattr(float, name)

    def apply(*operands: Any) -> Any:
        result = operation(*operands)
        return result if result is NotImplemented else Ieee(result)

    return apply


for _name in ('add', 'sub', 'mul'):
    setattr(Ieee, f'__{_name}__', _closed(f'__{_name}__'))
    setattr(Ieee, f'__r{_name}__', _closed(f'__r{_name}__'))
for _name in ('__neg__', '__pos__', '__abs__'):
    setattr(Ieee, _name, _closed(_name))


def _divided(one: float, two: float) -> Ieee:
    if two:
        return Ieee(float(one) / float(two))
    if not one or one != one:  # noqa: PLR0124 - NaN
        return Ieee(NAN)
    return Ieee(math.copysign(math.inf, one) * math.copysign(1.0, two))


Ieee.__truediv__ = _divided  # type: ignore[method-assign]
Ieee.__rtruediv__ = lambda self, other: _divided(other, self)  # type: ignore[method-assign]


def evaluate(formula: Callable[..., Any], *told: Any) -> Any:
    """What the formula gives for named tuples (or single numbers) of floats.

    Where Python would refuse to divide by zero, the formula is evaluated once more, by numbers that
    divide as IEEE 754 does: those that it is told, and all that it names.

    >>> from collections import namedtuple
    >>> edge = namedtuple('Edge', 'visits')
    >>> [evaluate(lambda edge: -1.0 / edge.visits, edge(visits)) for visits in (4.0, 0.0)]
    [-0.25, -inf]
    >>> evaluate(lambda edge: edge.visits + 1.0 / 0.0, edge(2.0))
    inf
    """
    try:
        return formula(*told)
    except ZeroDivisionError:
        numbers = [_ieee(it, {}) for it in told]
    try:
        return formula(*numbers)
    except ZeroDivisionError:  # of a number that it names by one that it names
        return _ieee(formula, {})(*numbers)


def _ieee(value: Any, made: dict[int, Any]) -> Any:
    """The same with every number in it an `Ieee`; `made` are the functions seen so far."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Ieee(value)
    if isinstance(value, tuple):
        parts = [_ieee(part, made) for part in value]
        return value._make(parts) if hasattr(value, '_make') else tuple(parts)
    if isinstance(value, types.MethodType):  # of an attrs class: its numbers are fields
        return types.MethodType(_ieee(value.__func__, made), _object(value.__self__, made))
    if isinstance(value, types.FunctionType) and value not in _OWN:
        return made.get(id(value)) or _function(value, made)
    return value


def _object(value: Any, made: dict[int, Any]) -> Any:
    other = copy.copy(value)
    for field in attrs.fields(type(value)) if attrs.has(type(value)) else ():
        object.__setattr__(other, field.name, _ieee(getattr(value, field.name), made))
    return other


def _function(function: types.FunctionType, made: dict[int, Any]) -> types.FunctionType:
    """A copy, with its constants, defaults, and what it names, seen through `_ieee`."""
    code, names = _code(function.__code__), function.__globals__
    cells = tuple(types.CellType() for _ in code.co_freevars)
    known = {name: names[name] for name in _names(code) if name in names}
    other = types.FunctionType(code, known, function.__name__, closure=cells)
    made[id(function)] = other  # before all that it names, which may name it in turn
    known.update((name, _ieee(value, made)) for name, value in [*known.items()])
    for cell, old in zip(cells, function.__closure__ or (), strict=True):
        cell.cell_contents = _ieee(old.cell_contents, made)
    other.__defaults__ = _ieee(function.__defaults__, made)
    other.__kwdefaults__ = {
        name: _ieee(value, made) for name, value in (function.__kwdefaults__ or {}).items()
    }
    return other


def _code(code: types.CodeType) -> types.CodeType:
    """The code with other constants, that of the functions in it too."""
    constants = (
        _code(it) if isinstance(it, types.CodeType) else _ieee(it, {}) for it in code.co_consts
    )
    return code.replace(co_consts=tuple(constants))


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


_OWN: Final = (sqrt, where, minimum, maximum)
