"""Formulas as machine code, for one number and for eight, equal Python to the bit."""

import itertools
import math
import struct

import numpy as np
from numba import njit

from fmcts._expressions import symbols, trace
from fmcts._numba.formula_code import emitted
from fmcts._numba.intrinsics import address, get_real, put_real
from fmcts._numba.marks import put_reals
from fmcts._numba.simd import WIDTH, reals_at
from fmcts._numba.traced import without_function
from fmcts.formulas import evaluate, maximum, minimum, sqrt, where

NAN, INF = math.nan, math.inf
KNOWN = True
NUMBERS = (0.0, -0.0, 0.5, -0.5, 1.0, 3.0, 1e300, -1e300, 5e-324, INF, -INF, NAN)
PAIRS = [*itertools.product(NUMBERS, repeat=2)]
PAIRS += [(1.0, 2.0)] * (-len(PAIRS) % WIDTH)

FORMULAS = (
    lambda one, two: one + two,
    lambda one, two: one - two,
    lambda one, two: one * two,
    lambda one, two: one / two,
    lambda one, two: -one + sqrt(two),
    lambda one, two: minimum(one, two),  # noqa: PLW0108 - numba compiles a lambda
    lambda one, two: maximum(one, two),  # noqa: PLW0108 - as above
    lambda one, two: maximum(one, 0.5) - minimum(0.5, two),
    lambda one, two: where(one < two, one, two),
    lambda one, two: where(one <= two, 1.0, two),
    lambda one, two: where(one > two, one, 0.0),
    lambda one, two: where(one >= two, 1.0, 0.0),
    lambda one, two: where(one == two, 1.0, 0.0),
    lambda one, two: where(one != two, 1.0, 0.0),
    lambda one, two: where((one < two) & (one > -1.0), 1.0, 0.0),
    lambda one, two: where((one > two) | (two == 0.5), 1.0, 0.0),
    lambda one, two: where(one, two, 3.0),
    lambda one, two: where(KNOWN, two, one),
    lambda one, two: where(KNOWN & (one < two), one, 3.0),
    lambda one, two: (one < two) + (one > two) * 2.0,
    lambda one, two: -(one < two) / two,
    lambda one, two: where((one < two) == (two < 1.0), 1.0, 0.0),
    lambda one, _two: one < 1.0,
    lambda _one, _two: 0.25,
)


def compiled(formula):
    """The formula as machine code: of two arrays of eight numbers, for all at once and for each."""
    traced = trace(formula, *symbols(('one', 'two')))
    compute = emitted(without_function(traced, ('one', 'two')))

    @njit
    def both(ones, twos, out, each):
        put_reals(address(out), 0, compute(reals_at(address(ones), 0), reals_at(address(twos), 0)))
        for index in range(WIDTH):
            put_real(
                address(each),
                2 * index,
                compute(get_real(address(ones), 2 * index), get_real(address(twos), 2 * index)),
            )

    return both


def bits(number):
    return struct.pack('>d', number) if number == number else 'not a number'  # noqa: PLR0124 - NaN


def test_scalars_and_lanes_equal_python():
    for formula in FORMULAS:
        apply = compiled(formula)
        for begin in range(0, len(PAIRS), WIDTH):
            pairs = PAIRS[begin : begin + WIDTH]
            ones, twos = (np.array(column) for column in zip(*pairs, strict=True))
            out, each = np.empty(WIDTH), np.empty(WIDTH)
            apply(*(array.view(np.int32) for array in (ones, twos, out, each)))
            expected = [bits(evaluate(formula, *pair)) for pair in pairs]
            assert [*map(bits, out)] == [*map(bits, each)] == expected, pairs


@njit
def chosen(one, two):
    return minimum(one, two), maximum(one, two), where(one < two, one, two)


def test_minimum_maximum_and_where_equal_python_in_untraced_functions():
    for one, two in PAIRS:
        expected = minimum(one, two), maximum(one, two), where(one < two, one, two)
        assert [*map(bits, chosen(one, two))] == [*map(bits, expected)], (one, two)
