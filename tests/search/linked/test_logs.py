"""The shared table of logarithms."""

import numpy as np
import pytest

from fmcts._arithmetic import logarithms
from fmcts._linked import tables

LIMIT = 300_000
EXPECTED = np.array(logarithms(LIMIT))


@pytest.mark.parametrize('limits', [(1, 63, 64, 65), (127, 128, 126), (100, LIMIT), (LIMIT, 2)])
def test_tables_are_those_of_python(monkeypatch, limits):
    monkeypatch.setattr(tables, '_logarithms', tables.logarithms(63)[:64])
    found = [tables.logarithms(limit) for limit in limits]
    for limit, values in zip(limits, found, strict=True):  # which later ones do not change
        assert len(values) > limit
        assert np.array_equal(values[1 : limit + 1], EXPECTED[1 : limit + 1])
