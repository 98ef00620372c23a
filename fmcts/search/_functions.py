"""Formulas as plain Python functions of numbers, and the parameters that they use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from fmcts._arguments import amount, shown
from fmcts._expressions import function_of, symbols, trace
from fmcts.errors import MethodError
from fmcts.formulas import evaluate


class Parametric:
    """A frozen attrs class whose numeric fields its functions may use as `self.c`."""

    __slots__ = ()

    @property
    def parameters(self) -> dict[str, float]:
        """The numeric fields as floats: the values of `self` in compiled code."""
        values = {field.name: getattr(self, field.name) for field in attrs.fields(type(self))}  # type: ignore[arg-type]
        return {
            name: float(value) for name, value in values.items() if isinstance(value, int | float)
        }

    @property
    def integers(self) -> tuple[str, ...]:
        """The names of the parameters that are integers."""
        fields = (field.name for field in attrs.fields(type(self)))  # type: ignore[arg-type]
        return tuple(name for name in fields if isinstance(getattr(self, name), int))


def numbers_of(
    function: Callable[..., Any], row: Any, called: str, *, count: int = 0, more: int = 0
) -> Callable[..., tuple[float, ...]]:
    """Return a function of the numbers of a `row`, and of `more` besides, to the numbers it gives.

    The formula `function` takes a `row`, a class of named tuples (`None`: no row), and the other
    numbers. It gives a tuple of `count` numbers, or one number where that is 0. An error calls it
    `called`.

    :raises MethodError: (the function) the formula gives something else.
    """
    width = len(row._fields) if row else 0
    names = tuple(f'x{place}' for place in range(width + more))
    symbolic = symbols(names)

    def arguments(given: tuple[Any, ...]) -> tuple[Any, ...]:
        return (row(*given[:width]), *given[width:]) if row else given

    formula = trace(function, *arguments(symbolic), count=count)
    if formula is not None:
        return function_of(formula, names)
    return lambda *given: checked_numbers(evaluate(function, *arguments(given)), called, count)


def checked_numbers(given: Any, called: str, count: int) -> tuple[float, ...]:
    """Return what a formula gave as a tuple of floats: `count` of them, or one number if that is 0.

    :raises MethodError: it is something else; the error calls the formula `called`.
    """
    found = given if count else (given,)
    if (
        isinstance(found, tuple)
        and len(found) == (count or 1)
        and all(isinstance(number, int | float) for number in found)
    ):
        return tuple(map(float, found))
    wanted = f'a tuple of {amount(count, "number")}' if count else 'a number'
    raise MethodError(f'{called} must return {wanted}, not {shown(given)}')
