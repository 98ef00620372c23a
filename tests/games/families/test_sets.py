"""Sets of cells against Python's own sets, and rows of any length against a walk along lines."""

import itertools
import random

import pytest
from hypothesis import given, strategies as st

from fmcts.games.families import _shared as sets

SIZE = 250
some = st.frozensets(st.integers(0, SIZE - 1))
WORDS = sets.words_for(SIZE)


def words_of(members):
    words = (0,) * WORDS
    for cell in members:
        words = sets.with_cell(words, cell)
    return words


@given(some, st.integers(0, SIZE - 1))
def test_words_are_sets(members, cell):
    words = words_of(members)
    assert all(0 <= word < 1 << sets.WIDTH for word in words)
    assert [at for at in range(SIZE) if sets.holds(words, at)] == sorted(members)
    assert sets.with_cell(words, cell) == words_of(members | {cell})
    assert sets.without_cell(words, cell) == words_of(members - {cell})
    assert sets.cardinality(words) == len(members)
    assert [sets.picked(words, index) for index in range(len(members))] == sorted(members)
    assert sets.picked(words, len(members)) == -1


def test_every_cell():
    for size in (1, 59, 60, 61, 120, 121, SIZE):
        words = sets.every(size)
        assert len(words) == sets.words_for(size) == len(sets.fields('x', size))
        assert sets.cardinality(words) == size
        assert sets.picked(words, size - 1) == size - 1


@pytest.mark.parametrize('length', [2, 3, 4, 5, 6, 7])
def test_rows_equal_those_found_by_walking(length):
    columns, lines = 7, 8
    stride = columns + 1
    has_row = sets.finder(stride, length)
    source = random.Random(length)  # noqa: S311 - no secrets here
    found = 0
    for _ in range(200):
        share = source.random()
        board = itertools.product(range(lines), range(columns))
        stones = {cell for cell in board if source.random() < share}
        walked = any(
            all((line + n * down, column + n * right) in stones for n in range(length))
            for line, column in stones
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        )
        assert has_row(sum(1 << stride * line + column for line, column in stones)) == walked
        found += walked
    assert 0 < found < 200
