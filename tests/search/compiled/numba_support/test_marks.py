"""Marking several moves at once."""

import numpy as np
from hypothesis import given, settings, strategies as st
from numba import njit

from fmcts._expressions import symbols, trace
from fmcts._numba.formula_code import emitted
from fmcts._numba.intrinsics import address
from fmcts._numba.marks import looked_up, marked, marked_bits, put_reals
from fmcts._numba.simd import WIDTH, reals_at
from fmcts._numba.traced import without_function
from fmcts.formulas import where

KEYS = 5
one_more = emitted(
    without_function(trace(lambda old, _: old + 1.0, *symbols(('old', 'no'))), ('old', 'no'))
)


@njit
def add_one_where_marked(words, keys, stamps, begin, count, stamp):  # compiled
    place, given = address(words), address(keys)
    played = marked(address(stamps), begin, reals_at(given, 0), count, stamp)
    old = reals_at(place, 0)
    put_reals(place, 0, where(played, one_more(old, 0.0), old))


doubles = st.floats(width=64, allow_nan=True)


@given(
    st.lists(doubles, min_size=WIDTH + 2, max_size=WIDTH + 2),
    st.lists(st.integers(0, KEYS - 1), min_size=1, max_size=WIDTH),
    st.lists(st.integers(-1, 2), min_size=2 * KEYS, max_size=2 * KEYS),
    st.integers(0, 1),
    st.integers(1, 2),
    st.sampled_from([float('nan'), 1e300, -7.0, float('inf')]),
)
@settings(max_examples=200)
def test_only_marked_moves_change(numbers, keys, stamps, side, stamp, behind):
    """To the bit; what stands behind the last key is not looked up, whatever it is."""
    before = np.array(numbers)
    words = before.copy()
    padded = np.array([*map(float, keys), *[behind] * (WIDTH - len(keys))])
    add_one_where_marked(
        words.view(np.int32),
        padded.view(np.int32),
        np.array(stamps, np.int32),
        side * KEYS,
        len(keys),
        stamp,
    )
    expected = before.copy()
    for lane, key in enumerate(keys):
        if stamps[side * KEYS + key] == stamp:
            expected[lane] += 1.0
    changed = [stamps[side * KEYS + key] == stamp for key in keys]
    kept = [not any(changed[lane : lane + 1]) for lane in range(len(numbers))]
    assert (words.view(np.int64)[kept] == before.view(np.int64)[kept]).all()
    np.testing.assert_array_equal(words, expected)


@njit
def add_one_where_the_bit_is_set(words, keys, mask, count):  # compiled
    place, given = address(words), address(keys)
    old = reals_at(place, 0)
    put_reals(
        place, 0, where(marked_bits(mask, reals_at(given, 0), count), one_more(old, 0.0), old)
    )


@given(
    st.lists(st.integers(0, 63), min_size=1, max_size=WIDTH),
    st.integers(-(2**63), 2**63 - 1),
    st.sampled_from([float('nan'), 1e300, -7.0, float('inf')]),
)
@settings(max_examples=200)
def test_only_moves_with_a_bit_change(keys, mask, behind):
    """The highest bit, the sign, is one as any other."""
    words = np.zeros(WIDTH)
    padded = np.array([*map(float, keys), *[behind] * (WIDTH - len(keys))])
    add_one_where_the_bit_is_set(words.view(np.int32), padded.view(np.int32), mask, len(keys))
    expected = [mask >> key & 1 for key in keys]
    assert words.tolist() == [*expected, *[0] * (WIDTH - len(keys))]


@njit
def look_up(words, table, places, count):  # compiled
    put_reals(address(words), 0, looked_up(address(table), reals_at(address(places), 0), count))


@given(
    st.lists(doubles, min_size=3, max_size=6),
    st.lists(st.integers(0, 2), min_size=1, max_size=WIDTH),
    st.sampled_from([float('nan'), 1e300, -7.0, float('inf'), 100.0]),
)
@settings(max_examples=200)
def test_only_requested_numbers_are_looked_up(table, places, behind):
    """To the bit; what stands behind the last place leads nowhere, whatever it is."""
    found, numbers = np.zeros(WIDTH), np.array(table)
    padded = np.array([*map(float, places), *[behind] * (WIDTH - len(places))])
    look_up(found.view(np.int32), numbers, padded.view(np.int32), len(places))
    wanted = numbers.view(np.int64)[[*places, *[0] * (WIDTH - len(places))]]
    assert (found.view(np.int64) == wanted).all()


def test_negative_places_read_the_first():
    """Where moves have no child their visits are -1."""
    found, places = np.zeros(WIDTH), np.array([-1.0, 1.0] * (WIDTH // 2))
    look_up(found.view(np.int32), np.array([5.0, 6.0]), places.view(np.int32), WIDTH)
    assert found.tolist() == [5.0, 6.0] * (WIDTH // 2)
