"""Integers of users' functions: exact as in Python, or known not to be."""

import math
import operator
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from numba import njit, types

from fmcts._numba import bits, operators  # noqa: F401 - makes fmcts.bits known
from fmcts._numba.intrinsics import inlined
from fmcts._numba.register import EXACT, entering
from fmcts._numba.whole import EXACT as ALL, LEFT, known_of, made, plain, value_of
from fmcts.bits import popcount

NEAR = st.one_of(
    st.sampled_from([0, 1, -1, 2, 3, 7, 63, 64, 65, 2**31, 2**32, 2**53, 2**62]),
    st.sampled_from([2**63 - 1, -(2**63), 2**63, 2**64 - 1, 2**64, -(2**63) + 1]),
    st.integers(-(2**70), 2**70),
    st.integers(-100, 100),
)
KNOWN = st.one_of(st.just(ALL), st.just(64), st.integers(0, 64))


def known_of_integer(number, known):
    """The value and how many bits of it are known, at most `known`."""
    if known == ALL and not -(2**63) <= number < 2**63:
        known = 64
    image = (number + 2**63) % 2**64 - 2**63
    return image if known >= 64 else image % 2**known, known


def compiled(operation):
    @njit(error_model='numpy')
    def apply(a, of_a, b, of_b):
        found = operation(made(a, of_a), made(b, of_b))
        return value_of(found), known_of(found)

    return apply


BINARY = {
    name: (operation := getattr(operator, name), compiled(operation))
    for name in ('add', 'sub', 'mul', 'and_', 'or_', 'xor', 'lshift', 'rshift', 'floordiv', 'mod')
}
BINARY['pow'] = operator.pow, compiled(operator.pow)


@given(one=NEAR, of_one=KNOWN, two=NEAR, of_two=KNOWN)
@example(one=-(2**63), of_one=ALL, two=-1, of_two=ALL)
@example(one=2**63, of_one=64, two=8, of_two=ALL)
def test_what_is_inferred_of_a_result_holds(one, of_one, two, of_two):
    for name in BINARY:
        holds_of_a_result(name, one, of_one, two, of_two)


def holds_of_a_result(name, one, of_one, two, of_two):
    python, machine = BINARY[name]
    if name in ('lshift', 'rshift', 'pow'):
        two = abs(two) % 70  # or Python would take long
    try:
        expected = python(one, two)
    except ZeroDivisionError:
        expected = None
    told = *known_of_integer(one, of_one), *known_of_integer(two, of_two)
    try:
        value, known = machine(*told)
    except ZeroDivisionError:
        assert expected is None, name
        return
    except OverflowError as error:
        assert str(error) == LEFT  # noqa: PT017 - often there is none
        # What is known is enough.
        assert ALL not in (told[1], told[3]) or told[1] != told[3], name
        return
    assert expected is not None, name
    if known == ALL:
        assert value == expected, name
    else:
        assert (value - expected) % 2**known == 0, name
    if (told[1], told[3]) == (ALL, ALL) and -(2**63) <= expected < 2**63:
        assert known == ALL or name == 'pow'  # nothing is refused without need


COMPARING = {
    name: (operation := getattr(operator, name), njit(error_model='numpy')(
        lambda a, of_a, b, of_b, operation=operation: operation(made(a, of_a), made(b, of_b))
    ))
    for name in ('eq', 'ne', 'lt', 'ge')
}  # fmt: skip


@given(one=NEAR, of_one=KNOWN, two=NEAR, of_two=KNOWN, same=st.booleans())
def test_comparisons_are_right_or_raise(one, of_one, two, of_two, same):
    two = one if same else two
    told = *known_of_integer(one, of_one), *known_of_integer(two, of_two)
    for name, (python, machine) in COMPARING.items():
        try:
            assert machine(*told) == python(one, two), name
        except OverflowError:
            assert (told[1], told[3]) != (ALL, ALL), name


# ---- whole functions ----


class Pair(NamedTuple):
    a: int
    b: int


BIG = 2**64 - 1
TABLE = np.array([3, 1, 4, 1, 5, 9, 2**61, -1])
NARROW = np.array([1, 2, 3], np.int8)
UNSIGNED = np.array([1, 2, 3], np.uint64)


def hashed(p):
    return (p[0] * 2654435761 * 2654435761 * 97) % 1000 / 1000


def counted(p):
    total = 0
    for step in range(p.b & 7):
        total += step * p.a
        if total > 2**40 and not p.b:
            break
    return total


def shifted(p):
    return ((1 << (p.b & 63)) & p.a != 0) + popcount(p.a & BIG) + (p.a >> 3 & 255)


def helped(p):
    return halves(p.a * 3) + halves(p.b)


def halves(number):
    return number // 2 - (-number) % 3


def floats(p):
    score = 0
    score += 0.5 * p.a
    return score + p.b / 3 + (p.b & 15) ** 9 + math.sqrt(abs(p.b)) + float(p.a)


def looked_up(p):
    return TABLE[p.b & 7] * 2 + min(p.a, 5) + len(TABLE)


def rounded(p):
    return int(p.a * 1e3) + round(p.b * 0.25) + math.floor(p.a / 7) + abs(p.b)


def compared(p):
    return (p.a < p.b) + 2 * (p.a == p.b) + 4 * (p.a * p.b >= 2.5) + 8 * bool(p.a & 6)


def negated(p):
    return ~p.a + -p.b - (p.a - 1 & ~p.b) + (not p.a)


def constants(_p):
    return (BIG - 7) * BIG % 1000 + 7 % BIG


def chosen(p):
    if p.a:
        return 0.5
    return p.b * p.b


def of_known_signs(p):
    """Sums that LLVM could call positive or negative, as numba's own additions never overflow."""
    more = p.a + 1 if p.a > 0 else p.a - 1
    return abs(p.a) + abs(p.b) if p.a % 5 else more + (p.b % 1000 + max(p.a, 1))


FUNCTIONS = [
    hashed, counted, shifted, helped, floats, looked_up, rounded, compared, negated, constants,
    chosen, of_known_signs,
]  # fmt: skip
MADE = {}


def machine(function):
    if function not in MADE:
        EXACT.update((function, halves))
        enter = entering(function)
        as_real = inlined(lambda it: float(plain(it)))

        @njit(error_model='numpy')
        def apply(a, b):
            return as_real(enter(Pair(a, b)))

        apply.compile((types.int64, types.int64))
        MADE[function] = apply
    return MADE[function]


WORD = st.one_of(
    st.integers(0, 100), st.integers(-(2**63), 2**64 - 1), st.sampled_from([2**53 + 1, 2**62])
)


@given(a=WORD, b=WORD)
@example(a=7, b=5)
@example(a=2**63 - 1, b=2**63 - 1)
@example(a=2**63 - 3, b=2**63 - 1)
@example(a=-(2**63), b=1)
def test_functions_equal_python_or_raise(a, b):
    words = [(number + 2**63) % 2**64 - 2**63 for number in (a, b)]
    for function in FUNCTIONS:
        try:
            with np.errstate(over='raise'):  # NumPy's integers wrap in Python too
                expected = float(function(Pair(a, b)))
        except (ZeroDivisionError, OverflowError, FloatingPointError):
            continue
        try:
            assert machine(function)(*words) == expected, function
        except OverflowError as error:
            assert str(error) == LEFT  # noqa: PT017 - often there is none


@pytest.mark.parametrize('function', FUNCTIONS, ids=lambda function: function.__name__)
def test_integers_within_64_bits_are_accepted(function):
    if function in (hashed, constants):
        with pytest.raises(OverflowError, match=LEFT):
            machine(function)(7, 5)
    else:
        assert machine(function)(7, 5) == float(function(Pair(7, 5)))


def narrow(p):
    return NARROW[p.a & 1] * 100


def unsigned(p):
    return UNSIGNED[p.a & 1] - 5


def unsigned_second(p):
    return p.a - UNSIGNED[p.a & 1]


def summed(p):
    return sum((p.a, p.b))


def power(p):
    return pow(p.a, 3)


@pytest.mark.parametrize('function', [narrow, unsigned, unsigned_second, summed, power])
def test_silent_wraparound_is_refused(function):
    with pytest.raises(Exception, match=r'take int|sum: machine|pow: machine'):
        machine(function)
