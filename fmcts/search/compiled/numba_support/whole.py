"""Integers of users' functions in machine code: exact as Python's are, or an error.

A `Whole` is 64 bits and how many of them are known. Where it is exact, the bits are the integer. A
sum that leaves 64 bits goes on as its low bits, as does a field of a position with bit 63 set, of
which machine code cannot say whether Python has it below 0 or beyond 2**63. Sets of bits and masks
need no more than that. What depends on the whole integer (a comparison, a quotient, an index, a
float) raises `OverflowError` with the message `LEFT` instead of being wrong.

The module `exact` puts these integers in place in a function.
"""

from __future__ import annotations

import operator
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

from fmcts.search.compiled.numba_support.intrinsics import inlined, overload_for

__all__ = [
    'INPLACE',
    'LEFT',
    'WHOLE',
    'floored',
    'from_word',
    'plain',
    'rounded',
    'truth',
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
        """What integers become where either may come."""
        return Conversion.safe if isinstance(other, types.Integer | types.Boolean) else None


WHOLE: Final = WholeType()


@register_model(WholeType)
class WholeModel(models.StructModel):
    """The two numbers side by side."""

    def __init__(self, manager: Any, numba_type: Any) -> None:
        super().__init__(manager, numba_type, [('value', types.int64), ('known', types.int64)])


def _is_integer(kind: Any) -> bool:
    return kind is WHOLE or isinstance(kind, types.Integer | types.Boolean)


def _refuse_narrow(kind: Any) -> None:
    """Refuse NumPy's narrower integers, which make Python's arithmetic wrap."""
    if isinstance(kind, types.Integer) and kind.bitwidth < BITS:
        raise TypingError(
            f'arithmetic on integers of {kind.bitwidth} bits ({kind}), which wrap in Python: '
            'take int(...) of them first'
        )


@intrinsic
def made(_context: Any, _value: Any, _known: Any) -> Any:
    """The `Whole` of these bits."""

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


@intrinsic
def _product(_context: Any, _one: Any, _two: Any) -> Any:
    """The low 64 bits of a product, and whether that is less than all of it."""

    def generate(context: Any, build: Any, sig: Any, args: Any) -> Any:
        both = build.smul_with_overflow(*args)
        parts = [build.extract_value(both, place) for place in range(2)]
        return context.make_tuple(build, sig.return_type, parts)

    pair = types.Tuple((types.int64, types.boolean))
    return pair(types.int64, types.int64), generate


@intrinsic
def _shifted(_context: Any, _bits: Any, _places: Any) -> Any:
    """The bits moved down, with zeros above."""
    return types.int64(types.int64, types.int64), lambda _cg, build, _sig, args: build.lshr(*args)


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
    _refuse_narrow(number)
    if number.signed:
        return lambda number: made(np.int64(number), EXACT)
    return lambda number: from_word(np.int64(number))


def whole_or_truth(number: Any) -> Any:  # compiled
    """The same, but for truth values, which stay."""
    raise NotImplementedError  # compiled code only


@overload_for(whole_or_truth)
def _whole_or_truth(number: Any) -> Any:
    if isinstance(number, types.Boolean):
        return lambda number: number
    if isinstance(number, types.Integer) and number.bitwidth < BITS:
        return lambda number: made(np.int64(number), EXACT)
    return lambda number: whole(number)


def operand(number: Any) -> Any:  # compiled
    """An integer of any width, or a truth value, as a `Whole`."""
    raise NotImplementedError  # compiled code only


@overload_for(operand)
def _operand(number: Any) -> Any:
    if isinstance(number, types.Boolean) or (
        isinstance(number, types.Integer) and number.bitwidth < BITS
    ):
        return lambda number: made(np.int64(number), EXACT)
    return lambda number: whole(number)


def from_word(bits: Any) -> Any:  # compiled
    """The integer in [0, 2**64) or [-2**63, 2**63) that has these low bits; else as `whole`."""
    raise NotImplementedError  # compiled code only


@overload_for(from_word)
def _from_word(bits: Any) -> Any:
    if isinstance(bits, types.Integer):
        return lambda bits: made(np.int64(bits), EXACT if np.int64(bits) >= 0 else BITS)
    if not isinstance(bits, types.BaseNamedTuple):
        return lambda bits: bits
    return _each(bits, from_word)


def _each(kind: Any, change: Any) -> Any:
    """What makes a named tuple of what `change` gives for each field."""
    fields = ', '.join(f'change(it[{place}])' for place in range(len(kind.types)))
    names: dict[str, Any] = {'make': kind.instance_class, 'change': change}
    exec(f'def convert(it):\n    return make({fields})', names)  # noqa: S102 - one source a width
    return names['convert']


def plain(number: Any) -> Any:  # compiled
    """A `Whole` as an integer of numba's, if it is exact; anything else as it is."""
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
    """The low 64 bits of a `Whole`, or of each in a named tuple; anything else as it is."""
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
    """Whether a `Whole` is not 0; anything else as it is."""
    raise NotImplementedError  # compiled code only


@overload_for(truth)
def _truth(number: Any) -> Any:
    if number is not WHOLE:
        return lambda number: number

    def not_zero(number: Any) -> Any:  # compiled
        known = known_of(number)
        if known == EXACT or not _low(value_of(number), known):
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
    if isinstance(number, types.Integer | types.Boolean) and number.bitwidth < BITS:
        return lambda number: np.int64(number)
    return lambda number: whole(number)


def floored(number: Any) -> Any:  # compiled
    """The double itself, if it is small enough to be rounded to an integer."""
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
def _low(value: Any, known: Any) -> Any:
    """The bits that are known."""
    return value if known >= BITS else value & ((np.int64(1) << known) - 1)


@inlined
def _real(number: Any) -> Any:
    return float(plain(number))


@inlined
def _small(number: Any) -> Any:
    """The same where no two integers become one double."""
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
def _to_real(context: Any, build: Any, _whole: Any, kind: Any, value: Any) -> Any:
    number = context.compile_internal(build, lambda it: _real(it), types.float64(WHOLE), (value,))
    return context.cast(build, number, types.float64, kind)


# ---- operators ----


@inlined
def _plus(one: Any, two: Any) -> Any:
    a, b = value_of(one), value_of(two)
    known, total = min(known_of(one), known_of(two)), a + b
    if known == EXACT and (a ^ total) & (b ^ total) < 0:
        known = BITS
    return made(total, known)


@inlined
def _minus(one: Any, two: Any) -> Any:
    a, b = value_of(one), value_of(two)
    known, total = min(known_of(one), known_of(two)), a - b
    if known == EXACT and (a ^ b) & (a ^ total) < 0:
        known = BITS
    return made(total, known)


@inlined
def _times(one: Any, two: Any) -> Any:
    known = min(known_of(one), known_of(two))
    total, left = _product(value_of(one), value_of(two))
    if left and known == EXACT:
        known = BITS
    return made(total, known)


@inlined
def _and(one: Any, two: Any) -> Any:
    a, b, of_a, of_b = value_of(one), value_of(two), known_of(one), known_of(two)
    known = min(of_a, of_b)
    if (of_a == EXACT and a >= 0 and _low(a, of_b) == a) or (
        of_b == EXACT and b >= 0 and _low(b, of_a) == b
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
    if b > 0 and b & (b - 1) == 0 and _low(b - 1, known_of(one)) == b - 1:
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
    return _small(one) / _small(two)


def _arithmetic(operation: Any, on_integers: Any, *, real: bool = True) -> None:
    """Give an operation its meaning on these integers, and beside what is not an integer."""

    @overload_for(operation)
    def typed(one: Any, two: Any) -> Any:
        if WHOLE not in (one, two):
            return None
        if real:
            _refuse_narrow(one)
            _refuse_narrow(two)
        if _is_integer(one) and _is_integer(two):
            return lambda one, two: on_integers(operand(one), operand(two))
        if not real:
            return None
        if one is WHOLE:
            return lambda one, two: operation(_real(one), two)
        return lambda one, two: operation(one, _real(two))


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
    _arithmetic(_operation, _kernel, real=False)


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
        if not (_is_integer(one) and _is_integer(two)):
            if one is WHOLE:
                return lambda one, two: operation(_small(one), two)
            return lambda one, two: operation(one, _small(two))
        if not equality:
            return lambda one, two: operation(plain(operand(one)), plain(operand(two)))

        def equal(one: Any, two: Any) -> Any:  # compiled
            a, b = operand(one), operand(two)
            known = min(known_of(a), known_of(b))
            if known != EXACT and _low(value_of(a) ^ value_of(b), known):
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
    """What stands for `one += two` and the like."""
    names: dict[str, Any] = {}
    source = f'def apply(one, two):\n    one {sign}= two\n    return one'
    exec(source, names)  # noqa: S102 - one source an operator
    apply = names['apply']

    def stand_in(one: Any, two: Any) -> Any:
        raise NotImplementedError  # compiled code only

    @overload_for(stand_in)
    def typed(one: Any, two: Any) -> Any:
        if WHOLE in (one, two):
            return lambda one, two: operation(one, two)
        return apply

    return stand_in


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
"""What stands in the place of each operator that may change its first operand."""
