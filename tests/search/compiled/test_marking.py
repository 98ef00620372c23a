"""Marks of moves as bits and as stamps give the same answers."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numba import njit

from fmcts._compiled.marking import marking
from fmcts._numba.intrinsics import address


def told_by(keys):
    """`told(marks, sides, played, stamp)`, compiled: which moves are marked after these."""
    clear, mark, has, _, _ = marking(keys)

    @njit
    def told(array, sides, played, stamp):
        marks = address(array)
        clear(marks)
        for index in range(len(sides)):
            mark(marks, sides[index], played[index], stamp)
        found = np.zeros((2, keys), np.bool_)
        for side in range(2):
            for key in range(keys):
                found[side, key] = has(marks, side, key, stamp)
        return found

    return told


@pytest.mark.parametrize('keys', [1, 64, 65])
def test_exactly_the_marked_moves_are_marked(keys):
    """Iteration after iteration in the same memory; 1 key has too little of it for bits."""
    told, array = told_by(keys), np.zeros(2 * keys, np.int32)
    places = st.lists(st.tuples(st.integers(0, 1), st.integers(0, keys - 1)), max_size=9)

    @given(st.lists(places, min_size=2, max_size=4))
    @settings(max_examples=50)
    def holds(iterations):
        for moves in iterations:
            stamps.append(len(stamps) + 1)
            sides = np.array([side for side, _ in moves], np.int64)
            played = np.array([key for _, key in moves], np.int64)
            found = told(array, sides, played, stamps[-1])
            assert {(int(side), int(key)) for side, key in np.argwhere(found)} == {*moves}

    stamps = []
    holds()


def test_few_keys_use_bits():
    assert [marking(keys).bits is None for keys in (1, 2, 64, 65)] == [True, False, False, True]
