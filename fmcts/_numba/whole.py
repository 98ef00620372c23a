"""Integers of users' functions in machine code: exact as in Python, or an error.

A `Whole` is 64 bits, and the number of low bits that are known. If it is exact, the bits are the
integer. If a sum leaves 64 bits, only its low bits are kept. The same holds for a field of a
position with bit 63 set: machine code cannot tell whether it is negative or at least 2**63 in
Python. The low bits are enough for bit sets and masks. Operations that depend on the whole integer
(a comparison, a quotient, an index, a conversion to float) raise `OverflowError` with the message
`LEFT` rather than give a wrong result.

The module `exact` rewrites functions to use these integers.
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

from fmcts._arguments import amount
from fmcts._numba.intrinsics import compiled_only, inlined
from fmcts.errors import MethodError

LEFT: Final = 'an integer leaves 64 bits'
EXACT: Final = 128  # bits known
BITS: Final = 64
REALS: Final = 1 << 53  # up to which every integer is a double
BOUND: Final = 2.0**63


class WholeType(types.Type):
    """The numba type of integers that are exact or marked as inexact."""

    def __init__(self) -> None:
        super().__init__(name='Whole')

    def unify(self, _context: Any, other: Any) -> Any:
        """Return `Whole` for an integer, and a double for a double."""
        if isinstance(other, types.Integer | types.Boolean):
            return self
        return types.float64 if isinstance(other, types.Float) else None

    def can_convert_from(self, _context: Any, other: Any) -> Any:
        """Return the kind of conversion from an integer of numba."""
        return Conversion.safe if isinstance(other, types.Integer | types.Boolean) else None


WHOLE: Final = WholeType()


@register_model(WholeType)
class WholeModel(models.StructModel):
    """The data model of a `Whole`: its bits, and how many are known."""

    def __init__(self, manager: Any, numba_type: Any) -> None:
        super().__init__(manager, numba_type, [('value', types.int64), ('known', types.int64)])


def is_integer(kind: Any) -> bool:
    """Return whether this numba type is one of integers or truth values."""
    return kind is WHOLE or isinstance(kind, types.Integer | types.Boolean)


def refuse_narrow(kind: Any) -> None:
    """Refuse NumPy's narrow and unsigned integers, whose arithmetic wraps in Python too."""
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


@compiled_only
def whole(number: Any) -> Any:
    """Return an integer as a `Whole`, anything else unchanged."""
    if isinstance(number, types.Boolean):
        return lambda number: made(np.int64(number), EXACT)
    if not isinstance(number, types.Integer):
        return lambda number: number
    refuse_narrow(number)
    return lambda number: made(np.int64(number), EXACT)


@compiled_only
def whole_or_truth(number: Any) -> Any:
    """Return what `whole` returns, but truth values unchanged."""
    if isinstance(number, types.Boolean):
        return lambda number: number
    return lambda number: operand(number)


@compiled_only
def operand(number: Any) -> Any:
    """Return an integer of any width, or a truth value, as a `Whole`."""
    if isinstance(number, types.Boolean) or (
        isinstance(number, types.Integer) and number.bitwidth < BITS
    ):
        return lambda number: made(np.int64(number), EXACT)
    if isinstance(number, types.Integer) and not number.signed:
        return lambda number: from_word(number)
    return lambda number: whole(number)


@compiled_only
def from_word(bits: Any) -> Any:
    """Return the integer in [0, 2**64) or [-2**63, 2**63) with these low bits; else see `whole`."""
    if isinstance(bits, types.Integer):
        return lambda bits: made(np.int64(bits), EXACT if np.int64(bits) >= 0 else BITS)
    if not isinstance(bits, types.BaseNamedTuple):
        return lambda bits: bits
    return _each(bits, from_word)


def _each(kind: Any, change: Any) -> Any:
    """Return a function that makes a named tuple from the results of `change` for each field."""
    fields = ', '.join(f'change(it[{place}])' for place in range(len(kind.types)))
    names: dict[str, Any] = {'make': kind.instance_class, 'change': change}
    exec(f'def convert(it):\n    return make({fields})', names)  # noqa: S102 - one for each width
    return names['convert']


@compiled_only
def plain(number: Any) -> Any:
    """Return an exact `Whole` as an integer of numba, anything else unchanged."""
    if number is not WHOLE:
        return lambda number: number

    def exact(number: Any) -> Any:  # compiled
        if known_of(number) != EXACT:
            raise OverflowError(LEFT)
        return value_of(number)

    return exact


@compiled_only
def shaped_as(numbers: Any, like: Any) -> Any:
    """Return `numbers`, which a user's function gave: a tuple, as long as `like`.

    :raises MethodError: (while it is compiled) they are something else.
    """
    if not isinstance(numbers, types.BaseTuple) or len(numbers) != len(like):
        raise MethodError(f'must return a tuple of {amount(len(like), "number")}')
    return lambda numbers, like: numbers  # noqa: ARG005 - numba gives arguments by name


@compiled_only
def word(number: Any) -> Any:
    """Return the low 64 bits of a `Whole`, or of each in a named tuple; else return `number`."""
    if isinstance(number, types.BaseNamedTuple):
        return _each(number, word)
    if number is not WHOLE:
        return lambda number: number

    def low(number: Any) -> Any:  # compiled
        if known_of(number) < BITS:
            raise OverflowError(LEFT)
        return value_of(number)

    return low


@compiled_only
def truth_itself(found: Any) -> Any:
    """Return `found`, which a user's function gave: true or false.

    :raises MethodError: (while it is compiled) it is something else.
    """
    if not isinstance(found, types.Boolean | types.BooleanLiteral):
        raise MethodError('must return True or False')
    return lambda found: found


@compiled_only
def truth(number: Any) -> Any:
    """Return whether a `Whole` is not 0; return anything else unchanged."""
    if number is not WHOLE:
        return lambda number: number

    def not_zero(number: Any) -> Any:  # compiled
        known = known_of(number)
        if known == EXACT or not low_bits(value_of(number), known):
            return plain(number) != 0
        return True

    return not_zero


@compiled_only
def rounded(number: Any) -> Any:
    """Return `int(number)`; raise an error for a double that does not fit in 64 bits."""
    if isinstance(number, types.Float):

        def toward_zero(number: Any) -> Any:  # compiled
            if not -BOUND <= number < BOUND:
                raise OverflowError(LEFT)
            return np.int64(number)

        return toward_zero
    return lambda number: operand(number)


@compiled_only
def floored(number: Any) -> Any:
    """Return the double itself if its floor fits in 64 bits; otherwise raise an error."""
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
    """Return the integer as a double if that is exact; otherwise raise an error."""
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
