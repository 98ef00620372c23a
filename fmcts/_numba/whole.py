"""Integers of users' functions in machine code: exact as Python's are, or an error.

A `Whole` is 64 bits and how many of them are known. Where it is exact, the bits are the integer. A
sum that leaves 64 bits goes on as its low bits, as does a field of a position with bit 63 set, of
which machine code cannot say whether Python has it below 0 or beyond 2**63. Sets of bits and masks
need no more than that. What depends on the whole integer (a comparison, a quotient, an index, a
float) raises `OverflowError` with the message `LEFT` instead of being wrong.

The module `exact` puts these integers in place in a function.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.errors import TypingError
from numba.core.imputils import lower_cast
from numba.core.typeconv import Conversion
from numba.extending import intrinsic, register_model

from fmcts._numba.intrinsics import inlined, overload_for

__all__ = [
    'BITS',
    'EXACT',
    'LEFT',
    'WHOLE',
    'WholeType',
    'floored',
    'from_word',
    'known_of',
    'low_bits',
    'made',
    'operand',
    'plain',
    'real',
    'refuse_narrow',
    'rounded',
    'small',
    'truth',
    'value_of',
    'whole',
    'whole_or_truth',
    'word',
]

LEFT: Final = 'an integer leaves 64 bits'
EXACT: Final = 128  # bits known
BITS: Final = 64
REALS: Final = 1 << 53  # up to which every integer is a double
BOUND: Final = 2.0**63


class WholeType(types.Type):
    """The numba type of integers that are exact, or known to be not."""

    def __init__(self) -> None:
        super().__init__(name='Whole')

    def unify(self, _context: Any, other: Any) -> Any:
        """With an integer it is one of these, with a double a double."""
        if isinstance(other, types.Integer | types.Boolean):
            return self
        return types.float64 if isinstance(other, types.Float) else None

    def can_convert_from(self, _context: Any, other: Any) -> Any:
        """Return the conversion of integers where either type is accepted."""
        return Conversion.safe if isinstance(other, types.Integer | types.Boolean) else None


WHOLE: Final = WholeType()


@register_model(WholeType)
class WholeModel(models.StructModel):
    """The two numbers side by side."""

    def __init__(self, manager: Any, numba_type: Any) -> None:
        super().__init__(manager, numba_type, [('value', types.int64), ('known', types.int64)])


def refuse_narrow(kind: Any) -> None:
    """Refuse NumPy's narrower and unsigned integers, which make Python's arithmetic wrap."""
    if isinstance(kind, types.Integer) and (kind.bitwidth < BITS or not kind.signed):
        raise TypingError(f'arithmetic on {kind}, which wraps in Python: take int(...) of it first')


@intrinsic
def made(_context: Any, _value: Any, _known: Any) -> Any:
    """Return the `Whole` with these bits."""

    def generate(context: Any, build: Any, _sig: Any, args: Any) -> Any:
        both = cgutils.create_struct_proxy(WHOLE)(context, build)
        both.value, both.known = args
        return both._getvalue()  # noqa: SLF001 - as numba spells it

    return WHOLE(types.int64, types.int64), generate


def _part(name: str) -> Any:
    @intrinsic
    def part(_context: Any, _number: Any) -> Any:
        def generate(context: Any, build: Any, _sig: Any, args: Any) -> Any:
            return getattr(cgutils.create_struct_proxy(WHOLE)(context, build, args[0]), name)

        return types.int64(WHOLE), generate

    return part


value_of, known_of = _part('value'), _part('known')


# ---- integers in and out ----


def whole(number: Any) -> Any:  # compiled
    """An integer as a `Whole`; anything else as it is."""
    raise NotImplementedError  # compiled code only


@overload_for(whole)
def _whole(number: Any) -> Any:
    if isinstance(number, types.Boolean):
        return lambda number: made(np.int64(number), EXACT)
    if not isinstance(number, types.Integer):
        return lambda number: number
    refuse_narrow(number)
    return lambda number: made(np.int64(number), EXACT)


def whole_or_truth(number: Any) -> Any:  # compiled
    """Return what `whole` does, but leave truth values unchanged."""
    raise NotImplementedError  # compiled code only


@overload_for(whole_or_truth)
def _whole_or_truth(number: Any) -> Any:
    if isinstance(number, types.Boolean):
        return lambda number: number
    return lambda number: operand(number)


def operand(number: Any) -> Any:  # compiled
    """An integer of any width, or a truth value, as a `Whole`."""
    raise NotImplementedError  # compiled code only


@overload_for(operand)
def _operand(number: Any) -> Any:
    if isinstance(number, types.Boolean) or (
        isinstance(number, types.Integer) and number.bitwidth < BITS
    ):
        return lambda number: made(np.int64(number), EXACT)
    if isinstance(number, types.Integer) and not number.signed:
        return lambda number: from_word(number)
    return lambda number: whole(number)


def from_word(bits: Any) -> Any:  # compiled
    """Return the integer in [0, 2**64) or [-2**63, 2**63) with these low bits; else see `whole`."""
    raise NotImplementedError  # compiled code only


@overload_for(from_word)
def _from_word(bits: Any) -> Any:
    if isinstance(bits, types.Integer):
        return lambda bits: made(np.int64(bits), EXACT if np.int64(bits) >= 0 else BITS)
    if not isinstance(bits, types.BaseNamedTuple):
        return lambda bits: bits
    return _each(bits, from_word)


def _each(kind: Any, change: Any) -> Any:
    """Return a function that makes a named tuple from the results of `change` for each field."""
    fields = ', '.join(f'change(it[{place}])' for place in range(len(kind.types)))
    names: dict[str, Any] = {'make': kind.instance_class, 'change': change}
    exec(f'def convert(it):\n    return make({fields})', names)  # noqa: S102 - one source a width
    return names['convert']


def plain(number: Any) -> Any:  # compiled
    """Return a `Whole` as an integer of numba, if it is exact; anything else unchanged."""
    raise NotImplementedError  # compiled code only


@overload_for(plain)
def _plain(number: Any) -> Any:
    if number is not WHOLE:
        return lambda number: number

    def exact(number: Any) -> Any:  # compiled
        if known_of(number) != EXACT:
            raise OverflowError(LEFT)
        return value_of(number)

    return exact


def word(number: Any) -> Any:  # compiled
    """Return the low 64 bits of a `Whole`, or of each in a named tuple; anything else unchanged."""
    raise NotImplementedError  # compiled code only


@overload_for(word)
def _word(number: Any) -> Any:
    if isinstance(number, types.BaseNamedTuple):
        return _each(number, word)
    if number is not WHOLE:
        return lambda number: number

    def low(number: Any) -> Any:  # compiled
        if known_of(number) < BITS:
            raise OverflowError(LEFT)
        return value_of(number)

    return low


def truth(number: Any) -> Any:  # compiled
    """Return whether a `Whole` is not 0; anything else unchanged."""
    raise NotImplementedError  # compiled code only


@overload_for(truth)
def _truth(number: Any) -> Any:
    if number is not WHOLE:
        return lambda number: number

    def not_zero(number: Any) -> Any:  # compiled
        known = known_of(number)
        if known == EXACT or not low_bits(value_of(number), known):
            return plain(number) != 0
        return True

    return not_zero


def rounded(number: Any) -> Any:  # compiled
    """`int(number)`: of a double an error where 64 bits are too few."""
    raise NotImplementedError  # compiled code only


@overload_for(rounded)
def _rounded(number: Any) -> Any:
    if isinstance(number, types.Float):

        def toward_zero(number: Any) -> Any:  # compiled
            if not -BOUND <= number < BOUND:
                raise OverflowError(LEFT)
            return np.int64(number)

        return toward_zero
    return lambda number: operand(number)


def floored(number: Any) -> Any:  # compiled
    """Return the double itself, if it is small enough to be rounded to an integer."""
    raise NotImplementedError  # compiled code only


@overload_for(floored)
def _floored(number: Any) -> Any:
    if isinstance(number, types.Float):

        def in_bounds(number: Any) -> Any:  # compiled
            if not -BOUND <= number < BOUND:
                raise OverflowError(LEFT)
            return number

        return in_bounds
    return lambda number: plain(number)


@inlined
def low_bits(value: Any, known: Any) -> Any:
    """Return the known bits."""
    return value if known >= BITS else value & ((np.int64(1) << known) - 1)


@inlined
def real(number: Any) -> Any:
    """Return the nearest double, as in Python."""
    return float(plain(number))


@inlined
def small(number: Any) -> Any:
    """Return the integer as a double, if no other integer gives the same double."""
    value = plain(number)
    if value > REALS or value < -REALS:
        raise OverflowError(LEFT)
    return float(value)


@lower_cast(types.Integer, WholeType)
@lower_cast(types.Boolean, WholeType)
def _from_integer(context: Any, build: Any, kind: Any, _whole: Any, value: Any) -> Any:
    kind = types.unliteral(kind)
    bits = context.cast(build, value, kind, types.int64)
    both = cgutils.create_struct_proxy(WHOLE)(context, build)
    both.value, both.known = bits, ir.IntType(64)(EXACT)
    if isinstance(kind, types.Integer) and not kind.signed:
        below = build.icmp_signed('<', bits, bits.type(0))
        both.known = build.select(below, ir.IntType(64)(BITS), both.known)
    return both._getvalue()  # noqa: SLF001 - as numba spells it


@lower_cast(WholeType, types.Float)
def _toreal(context: Any, build: Any, _whole: Any, kind: Any, value: Any) -> Any:
    number = context.compile_internal(build, lambda it: small(it), types.float64(WHOLE), (value,))
    return context.cast(build, number, types.float64, kind)
