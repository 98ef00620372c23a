"""The language of formulas: what a selection rule may use, with one meaning in every engine.

A formula combines numbers by `+ - * /`, unary minus, comparisons, `&` and `|` of comparisons, and
the functions of this module. IEEE 754 fixes each of these operations to the bit, so that Python's
floats, one number of compiled code and eight of them side by side give the same.

What an interpreter does otherwise than IEEE 754 is mended: `x / 0` is an infinity or NaN here too
(see `evaluate`). Natural logarithms of counts are given ready-made, from a table, since `log` is
not fixed: `parent.log_visits`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

__all__ = ['evaluate', 'maximum', 'minimum', 'sqrt', 'where']

NAN: Final = math.nan


def sqrt(number: float) -> float:
    """The square root; NaN for a negative number.

    >>> sqrt(2.25), sqrt(-1.0)
    (1.5, nan)
    """
    if not number >= 0:  # a NaN is not
        return Ieee(NAN)
    root = math.sqrt(number)
    return Ieee(root) if isinstance(number, Ieee) else root


def where(condition: bool, yes: float, no: float) -> float:  # noqa: FBT001 - its first operand
    """`yes` where the condition holds, else `no`; both are evaluated.

    >>> where(1.0 < 2.0, 3.0, 4.0)
    3.0
    """
    return yes if condition else no


def minimum(one: float, two: float) -> float:
    """The smaller: `where(one < two, one, two)`, so the second of equals and beside a NaN.

    >>> minimum(1.0, 2.0)
    1.0
    """
    return min(two, one)


def maximum(one: float, two: float) -> float:
    """The greater: `where(one > two, one, two)`, so the second of equals and beside a NaN.

    >>> maximum(1.0, 2.0)
    2.0
    """
    return max(two, one)


class Ieee(float):
    """A float whose `/` never raises: as IEEE 754 has it, and compiled code."""

    __slots__ = ()


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
    divide as IEEE 754 does.

    >>> from collections import namedtuple
    >>> edge = namedtuple('Edge', 'visits')
    >>> [evaluate(lambda edge: -1.0 / edge.visits, edge(visits)) for visits in (4.0, 0.0)]
    [-0.25, -inf]
    """
    try:
        return formula(*told)
    except ZeroDivisionError:
        return formula(*map(_ieee, told))


def _ieee(told: Any) -> Any:
    return told._make(map(Ieee, told)) if isinstance(told, tuple) else Ieee(told)  # type: ignore[attr-defined]
