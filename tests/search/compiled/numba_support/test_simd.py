"""Copying lanes: which are kept, and which are cleared."""

import numpy as np
from hypothesis import given, settings, strategies as st
from numba import njit

from fmcts._numba.intrinsics import address
from fmcts._numba.marks import put_reals
from fmcts._numba.simd import WIDTH, first_reals_at


@njit
def copy_the_first(words, given, count):  # compiled
    put_reals(address(words), 0, first_reals_at(address(given), 0, count))


@given(st.lists(st.floats(width=64), min_size=WIDTH, max_size=WIDTH), st.integers(0, 2 * WIDTH))
@settings(max_examples=200)
def test_lanes_past_the_count_are_zero(numbers, count):
    """To the bit, whatever is there: a NaN, an infinity or a subnormal number."""
    found, expected = np.full(WIDTH, 7.0), np.array(numbers)
    copy_the_first(found.view(np.int32), expected.view(np.int32), count)
    expected[count:] = 0.0
    assert (found.view(np.int64) == expected.view(np.int64)).all()
