"""Rows of any length by shifts, against walking along each line."""

import itertools
import random

import pytest

from fmcts.games._rules import cells


@pytest.mark.parametrize('length', [2, 3, 4, 5, 6, 7])
def test_rows_equal_those_found_by_walking(length):
    columns, lines = 7, 8
    stride = columns + 1
    has_row = cells.finder(stride, length)
    source = random.Random(length)  # noqa: S311 - no secrets here
    found = 0
    for _ in range(200):
        share = source.random()
        stones = {
            cell
            for cell in itertools.product(range(lines), range(columns))
            if source.random() < share
        }
        walked = any(
            all((line + n * down, column + n * right) in stones for n in range(length))
            for line, column in stones
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        )
        assert has_row(sum(1 << stride * line + column for line, column in stones)) == walked
        found += walked
    assert 0 < found < 200


def test_shifts_cover_every_length():
    for length in range(1, 20):
        run = (1 << 40) - 1
        for by in cells.shifts(1, length):
            run &= run >> by
        assert run == (1 << 40 - length + 1) - 1
