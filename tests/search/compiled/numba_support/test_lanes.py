"""The language of formulas on eight lanes: what Python gives for each, to the bit."""

import itertools
import math
import struct

import numpy as np
from numba import njit

from fmcts.formulas import evaluate, maximum, minimum, sqrt, where
from fmcts.search.compiled.numba_support.intrinsics import address
from fmcts.search.compiled.numba_support.marks import put_reals
from fmcts.search.compiled.numba_support.simd import WIDTH, reals_at

NAN, INF = math.nan, math.inf
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
)


def lanes_of(formula):
    compiled = njit(error_model='numpy')(formula)

    @njit(error_model='numpy')
    def apply(ones, twos, out):
        put_reals(address(out), 0, compiled(reals_at(address(ones), 0), reals_at(address(twos), 0)))

    return apply


def bits(number):
    return struct.pack('>d', number) if number == number else 'not a number'  # noqa: PLR0124 - NaN


def test_lanes_are_what_python_gives():
    for formula in FORMULAS:
        apply = lanes_of(formula)
        for begin in range(0, len(PAIRS), WIDTH):
            pairs = PAIRS[begin : begin + WIDTH]
            ones, twos = (np.array(column) for column in zip(*pairs, strict=True))
            out = np.empty(WIDTH)
            apply(*(array.view(np.int32) for array in (ones, twos, out)))
            expected = [evaluate(formula, *pair) for pair in pairs]
            assert [*map(bits, out)] == [*map(bits, expected)], pairs
