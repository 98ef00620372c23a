"""Floats of users' functions in machine code: the bits and the errors of Python.

Powers call `pow` of the C library, as Python does; numba and LLVM would multiply for small
exponents. Functions of `math` raise `ValueError` and `OverflowError` where Python's do, and
division by zero raises `ZeroDivisionError`. (Scores, updates and other formulas divide by zero as
IEEE 754 does, in every engine: the module `exact` leaves `/` in them alone.)
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from fmcts._numba.intrinsics import compiled_only, inlined
from fmcts._numba.refusals import OTHERWISE
from fmcts._numba.whole import WHOLE, is_integer, plain, real, whole

DOUBLE: Final = ir.DoubleType()

DOMAIN: Final = (
    *(math.acos, math.acosh, math.asin, math.asinh, math.atan, math.atanh, math.cos, math.log),
    *(math.log10, math.log1p, math.log2, math.sin, math.sqrt, math.tan, math.tanh),
)
"""Functions whose infinite result of a finite number is a domain error."""

OVERFLOWING: Final = (math.cosh, math.exp, math.expm1, math.sinh)
"""Functions whose infinite result of a finite number is an overflow."""


def _is_number(kind: Any) -> bool:
    return is_integer(kind) or types.unliteral(kind) == types.float64


def _refuse_others(name: str, *kinds: Any) -> None:
    for kind in kinds:
        if not _is_number(kind):
            raise TypingError(f'{name} of {kind}: {OTHERWISE}')


@intrinsic
def _power_of_c(_context: Any, _one: Any, _two: Any) -> Any:
    """Return what the C library's `pow` returns, for every exponent."""

    def generate(_cg: Any, build: Any, _sig: Any, args: Any) -> Any:
        shape = ir.FunctionType(DOUBLE, [DOUBLE, DOUBLE])
        function = cgutils.get_or_insert_function(build.module, shape, 'pow')
        function.attributes.add('nobuiltin')  # or LLVM replaces the call by multiplications
        return build.call(function, args)

    return types.float64(types.float64, types.float64), generate


@inlined
def _is_finite(number: Any) -> Any:
    return number - number == 0.0


@compiled_only
def _as_real(number: Any) -> Any:
    """Return a number as a double."""
    if number is WHOLE:
        return lambda number: real(number)
    return lambda number: float(number)


# ---- powers ----


@compiled_only
def _power(one: Any, two: Any) -> Any:
    """Return `one ** two`."""
    if is_integer(one) and is_integer(two):
        return lambda one, two: operator.pow(whole(one), whole(two))
    _refuse_others('**', one, two)

    def of_reals(one: Any, two: Any) -> Any:  # compiled
        base, exponent = _as_real(one), _as_real(two)
        if base == 0.0 and exponent < 0.0 and _is_finite(exponent):
            raise ZeroDivisionError('0.0 cannot be raised to a negative power')
        found = _power_of_c(base, exponent)
        if not _is_finite(found) and _is_finite(base) and _is_finite(exponent):
            if found != found:  # noqa: PLR0124 - NaN
                raise ValueError('a fractional power of a negative number is complex')
            raise OverflowError('Numerical result out of range')
        return found

    return of_reals


@compiled_only
def _math_power(one: Any, two: Any) -> Any:
    """Return `math.pow(one, two)`."""
    _refuse_others('math.pow', one, two)

    def of_reals(one: Any, two: Any) -> Any:  # compiled
        base, exponent = _as_real(one), _as_real(two)
        found = _power_of_c(base, exponent)
        if not _is_finite(found) and _is_finite(base) and _is_finite(exponent):
            if found != found or base == 0.0:  # noqa: PLR0124 - NaN
                raise ValueError('math domain error')
            raise OverflowError('math range error')
        return found

    return of_reals


# ---- functions of `math` ----


def _guarded(function: Any, *, overflows: bool) -> Callable[..., Any]:
    """Return the replacement of a function of `math` with one argument."""
    name = f'math.{function.__name__}'

    @compiled_only
    def typed(number: Any) -> Any:
        _refuse_others(name, number)

        def found_or_raised(number: Any) -> Any:  # compiled
            given = _as_real(number)
            found = function(given)
            if not _is_finite(found):
                if found != found:  # noqa: PLR0124 - NaN
                    if given == given:  # noqa: PLR0124 - the same
                        raise ValueError('math domain error')
                elif _is_finite(given):
                    if overflows:
                        raise OverflowError('math range error')
                    raise ValueError('math domain error')
            return found

        return found_or_raised

    return typed


@compiled_only
def _scaled(number: Any, places: Any) -> Any:
    """Return `math.ldexp(number, places)`."""
    _refuse_others('math.ldexp', number, places)

    def found_or_raised(number: Any, places: Any) -> Any:  # compiled
        given, count = _as_real(number), plain(places)
        found = math.ldexp(given, max(-5000, min(5000, count)))
        if not _is_finite(found) and _is_finite(given):
            raise OverflowError('math range error')
        return found

    return found_or_raised


REALS: Final[tuple[tuple[Any, Any], ...]] = (
    (math.pow, _math_power),
    (math.ldexp, _scaled),
    *((function, _guarded(function, overflows=False)) for function in DOMAIN),
    *((function, _guarded(function, overflows=True)) for function in OVERFLOWING),
)
"""The replacements of functions of `math`."""


# ---- divisions ----


def _dividing(operation: Any, name: str, message: str, *, arrays: bool) -> Callable[..., Any]:
    """Return the replacement of an operator, which raises an error when it divides by zero.

    `arrays`: whether it also takes arrays, whose elements are divided as IEEE 754 does.
    """

    @compiled_only
    def typed(one: Any, two: Any) -> Any:
        if arrays and any(isinstance(kind, types.Array) for kind in (one, two)):
            return lambda one, two: operation(one, two)
        _refuse_others(name, one, two)
        if is_integer(one) and is_integer(two):
            if operation is not operator.truediv:
                return lambda one, two: operation(whole(one), whole(two))

            def of_integers(one: Any, two: Any) -> Any:  # compiled
                if plain(whole(two)) == 0:
                    raise ZeroDivisionError(message)
                return operation(whole(one), whole(two))

            return of_integers

        def of_reals(one: Any, two: Any) -> Any:  # compiled
            divided, divisor = _as_real(one), _as_real(two)
            if divisor == 0.0:
                raise ZeroDivisionError(message)
            return operation(divided, divisor)

        return of_reals

    return typed


_ratio = _dividing(operator.truediv, '/', 'division by zero', arrays=True)
_ratio_in_place = _dividing(operator.truediv, '/=', 'division by zero', arrays=False)
_quotient = _dividing(operator.floordiv, '//', 'division by zero', arrays=False)
_remainder = _dividing(operator.mod, '%', 'modulo by zero', arrays=False)

OPERATORS: Final[tuple[tuple[Any, Any], ...]] = (
    *((operator.pow, _power), (operator.ipow, _power)),
    *((operator.floordiv, _quotient), (operator.ifloordiv, _quotient)),
    *((operator.mod, _remainder), (operator.imod, _remainder)),
)
"""The replacements of operators in every function."""

DIVISIONS: Final[tuple[tuple[Any, Any], ...]] = (
    (operator.truediv, _ratio),
    (operator.itruediv, _ratio_in_place),
)
"""The replacements of `/` in functions of positions."""
