"""Operators on `Whole` integers: derive the known bits of a result from those of the operands."""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np
from numba import types
from numba.extending import intrinsic

from fmcts._numba.intrinsics import compiled_only, inlined, overload_for
from fmcts._numba.whole import (
    BITS,
    EXACT,
    LEFT,
    WHOLE,
    is_integer,
    known_of,
    low_bits,
    made,
    operand,
    plain,
    real,
    refuse_narrow,
    small,
    truth,
    value_of,
)


def _with_overflow(operation: str) -> Any:
    """Return a function of two integers: the low 64 bits of the result, and whether it overflows.

    numba tells LLVM that its own operators never overflow, so a test of their results may go.
    """

    @intrinsic
    def found(_context: Any, _one: Any, _two: Any) -> Any:
        def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
            both = getattr(build, f'{operation}_with_overflow')(*args)
            parts = [build.extract_value(both, place) for place in range(2)]
            return context.make_tuple(build, sig.return_type, parts)

        pair = types.Tuple((types.int64, types.boolean))
        return pair(types.int64, types.int64), generate

    return found


@intrinsic
def _shifted(_context: Any, _bits: Any, _places: Any) -> Any:
    """Return the bits shifted right logically."""
    return types.int64(types.int64, types.int64), lambda _cg, build, _sig, args: build.lshr(*args)


def _noting_overflow(operation: Any) -> Any:
    """Return an operation on whole numbers; if it leaves 64 bits, only the low bits are known."""

    @inlined
    def found(one: Any, two: Any) -> Any:
        known = min(known_of(one), known_of(two))
        result, left = operation(value_of(one), value_of(two))
        return made(result, BITS if left and known == EXACT else known)

    return found


_plus, _minus, _times = map(_noting_overflow, map(_with_overflow, ('sadd', 'ssub', 'smul')))


@inlined
def _and(one: Any, two: Any) -> Any:
    a, b, of_a, of_b = value_of(one), value_of(two), known_of(one), known_of(two)
    known = min(of_a, of_b)
    if (of_a == EXACT and a >= 0 and low_bits(a, of_b) == a) or (
        of_b == EXACT and b >= 0 and low_bits(b, of_a) == b
    ):
        known = EXACT
    return made(a & b, known)


@inlined
def _or(one: Any, two: Any) -> Any:
    return made(value_of(one) | value_of(two), min(known_of(one), known_of(two)))


@inlined
def _xor(one: Any, two: Any) -> Any:
    return made(value_of(one) ^ value_of(two), min(known_of(one), known_of(two)))


@inlined
def _up(one: Any, two: Any) -> Any:
    bits, known, places = value_of(one), known_of(one), plain(two)
    if places < 0:
        raise ValueError('negative shift count')
    if known == EXACT and bits == 0:
        return one
    if places >= BITS:
        return made(np.int64(0), min(known, np.int64(BITS)))
    moved = bits << places
    if known != EXACT:
        known = min(known + places, np.int64(BITS))
    elif moved >> places != bits:
        known = BITS
    return made(moved, known)


@inlined
def _down(one: Any, two: Any) -> Any:
    bits, known, places = value_of(one), known_of(one), plain(two)
    if places < 0:
        raise ValueError('negative shift count')
    if known == EXACT:
        return made(bits >> min(places, np.int64(63)), known)
    if places >= known:
        return made(np.int64(0), np.int64(0))
    return made(_shifted(bits, places), known - places)


@inlined
def _quotient(one: Any, two: Any) -> Any:
    a, b = plain(one), plain(two)
    if b == 0:
        raise ZeroDivisionError('integer division or modulo by zero')
    if b == -1:
        return _minus(made(np.int64(0), EXACT), one)
    return made(a // b, EXACT)


@inlined
def _remainder(one: Any, two: Any) -> Any:
    b = plain(two)
    if b == 0:
        raise ZeroDivisionError('integer division or modulo by zero')
    if b == -1:
        return made(plain(one) * 0, EXACT)
    if b > 0 and b & (b - 1) == 0 and low_bits(b - 1, known_of(one)) == b - 1:
        return made(value_of(one) & (b - 1), EXACT)
    return made(plain(one) % b, EXACT)


@inlined
def _power(one: Any, two: Any) -> Any:
    left = plain(two)
    if left < 0:
        raise OverflowError(LEFT)  # not an integer
    result, factor = made(np.int64(1), EXACT), one
    while left > 0:
        if left & 1:
            result = _times(result, factor)
        left >>= 1
        if left > 0:
            factor = _times(factor, factor)
    return result


@inlined
def _ratio(one: Any, two: Any) -> Any:
    return small(one) / small(two)


def _arithmetic(operation: Any, on_integers: Any, *, on_reals: bool = True) -> None:
    """Define an operation on two `Whole` integers, and on one with a number of another type."""

    @overload_for(operation)
    def typed(one: Any, two: Any) -> Any:
        if WHOLE not in (one, two):
            return None
        if on_reals:
            refuse_narrow(one)
            refuse_narrow(two)
        if is_integer(one) and is_integer(two):
            return lambda one, two: on_integers(operand(one), operand(two))
        if not on_reals:
            return None
        if one is WHOLE:
            return lambda one, two: operation(real(one), two)
        return lambda one, two: operation(one, real(two))


for _operation, _kernel in (
    (operator.add, _plus),
    (operator.sub, _minus),
    (operator.mul, _times),
    (operator.floordiv, _quotient),
    (operator.mod, _remainder),
    (operator.pow, _power),
    (operator.truediv, _ratio),
):
    _arithmetic(_operation, _kernel)
for _operation, _kernel in (
    (operator.and_, _and),
    (operator.or_, _or),
    (operator.xor, _xor),
    (operator.lshift, _up),
    (operator.rshift, _down),
):
    _arithmetic(_operation, _kernel, on_reals=False)


@overload_for(operator.neg)
def _neg(number: Any) -> Any:
    return (lambda number: _minus(made(0, EXACT), number)) if number is WHOLE else None


@overload_for(operator.pos)
def _pos(number: Any) -> Any:
    return (lambda number: number) if number is WHOLE else None


@overload_for(operator.invert)
def _invert(number: Any) -> Any:
    if number is not WHOLE:
        return None
    return lambda number: made(~value_of(number), known_of(number))


@overload_for(operator.not_)
def _not(number: Any) -> Any:
    return (lambda number: not truth(number)) if number is WHOLE else None


@overload_for(abs)
def _abs(number: Any) -> Any:
    if number is not WHOLE:
        return None
    return lambda number: -number if plain(number) < 0 else number


def _comparison(operation: Any) -> None:
    equality = operation in (operator.eq, operator.ne)
    differ = operation is operator.ne

    @overload_for(operation)
    def typed(one: Any, two: Any) -> Any:
        if WHOLE not in (one, two):
            return None
        if not (is_integer(one) and is_integer(two)):
            if one is WHOLE:
                return lambda one, two: operation(small(one), two)
            return lambda one, two: operation(one, small(two))
        if not equality:
            return lambda one, two: operation(plain(operand(one)), plain(operand(two)))

        def equal(one: Any, two: Any) -> Any:  # compiled
            a, b = operand(one), operand(two)
            known = min(known_of(a), known_of(b))
            if known != EXACT and low_bits(value_of(a) ^ value_of(b), known):
                return differ
            return operation(plain(a), plain(b))

        return equal


for _operation in (
    operator.eq,
    operator.ne,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
):
    _comparison(_operation)


def _inplace(sign: str, operation: Any) -> Any:
    """Return the replacement of an in-place operator such as `one += two`."""
    names: dict[str, Any] = {}
    source = f'def apply(one, two):\n    one {sign}= two\n    return one'
    exec(source, names)  # noqa: S102 - one source for each operator
    apply = names['apply']

    @compiled_only
    def typed(one: Any, two: Any) -> Any:
        if WHOLE in (one, two):
            return lambda one, two: operation(one, two)
        return apply

    return typed


INPLACE: Final = {
    getattr(operator, f'i{name}'): _inplace(sign, operation)
    for name, sign, operation in (
        ('add', '+', operator.add),
        ('sub', '-', operator.sub),
        ('mul', '*', operator.mul),
        ('floordiv', '//', operator.floordiv),
        ('mod', '%', operator.mod),
        ('truediv', '/', operator.truediv),
        ('and', '&', operator.and_),
        ('or', '|', operator.or_),
        ('xor', '^', operator.xor),
        ('lshift', '<<', operator.lshift),
        ('rshift', '>>', operator.rshift),
    )
}
"""The replacement of each in-place operator."""
