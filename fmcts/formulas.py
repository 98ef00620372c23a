"""The language of formulas, with one meaning in every engine.

A formula combines numbers by `+ - * /`, unary minus, comparisons, `&` and `|` of comparisons, and
the functions of this module. IEEE 754 fixes each of these operations to the bit, so that Python's
floats and machine code, for one number or for eight at once, give the same results.

Where Python deviates from IEEE 754, formulas follow IEEE 754: `x / 0` is an infinity or NaN (see
`evaluate`). There is no `log`, whose results differ between platforms; `parent.log_visits` is a
logarithm computed exactly.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from typing import Any, Final

from fmcts._expressions import Expression

__all__ = ['evaluate', 'maximum', 'minimum', 'sqrt', 'where', 'with_sqrt']

NAN: Final = math.nan


def sqrt(number: float | Expression) -> float:
    """Return the square root; NaN for a negative number.

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
    """Return `yes` if the condition holds, else `no`; both are evaluated.

    >>> where(1.0 < 2.0, 3.0, 4.0)
    3.0
    """
    if isinstance(condition, Expression):
        return Expression('where', condition, yes, no)  # type: ignore[return-value]
    return yes if condition else no


def minimum(one: float, two: float) -> float:
    """Return the smaller number; `two` if they are equal or either is NaN.

    >>> minimum(1.0, 2.0)
    1.0
    """
    return where(one < two, one, two)


def maximum(one: float, two: float) -> float:
    """Return the greater number; `two` if they are equal or either is NaN.

    >>> maximum(1.0, 2.0)
    2.0
    """
    return where(one > two, one, two)


def with_sqrt(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with this module's `sqrt` in place of `math.sqrt`.

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
            raise TypeError(f'{self!r} is not a whole number')
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


def _divided(one: float, two: float | Expression) -> Any:
    if isinstance(two, Expression):
        return NotImplemented  # it divides by itself, as a formula is traced
    if two:
        return Ieee(float(one) / float(two))
    if not one or one != one:  # noqa: PLR0124 - NaN
        return Ieee(NAN)
    return Ieee(math.copysign(math.inf, one) * math.copysign(1.0, two))


Ieee.__truediv__ = _divided  # type: ignore[method-assign]
Ieee.__rtruediv__ = lambda self, other: _divided(other, self)  # type: ignore[method-assign]


def evaluate(formula: Callable[..., Any], *arguments: Any) -> Any:
    """Compute the formula for named tuples (or single numbers) of floats.

    Where Python would refuse to divide by zero, the formula is evaluated once more, with arguments
    that divide as IEEE 754 does.

    >>> from collections import namedtuple
    >>> edge = namedtuple('Edge', 'visits')
    >>> [evaluate(lambda edge: -1.0 / edge.visits, edge(visits)) for visits in (4.0, 0.0)]
    [-0.25, -inf]

    :raises ZeroDivisionError: neither number of a division comes from the arguments.
    """
    try:
        return formula(*arguments)
    except ZeroDivisionError:
        return formula(*map(_as_ieee, arguments))


def _as_ieee(value: Any) -> Any:
    """Return the value with an `Ieee` for every number in it."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Ieee(value)
    if isinstance(value, tuple):
        parts = map(_as_ieee, value)
        return value._make(parts) if hasattr(value, '_make') else tuple(parts)
    return value
