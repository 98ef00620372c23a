"""The shared table of logarithms: any limit, any order, any thread."""

import numpy as np
import pytest

from fmcts._arithmetic import logarithms
from fmcts._linked import tables

EXPECTED = np.array(logarithms(9000)[:9000])


@pytest.fixture
def table(monkeypatch):
    """A table of its own for a test, filled a little at a time; it begins as the real one does."""
    monkeypatch.setattr(tables, '_logarithms', (np.zeros(1 << 10), 2))
    monkeypatch.setattr(tables, 'FILLED_AT_ONCE', 100)
    return tables


def right(values, limit):
    """Whether all entries that were asked for are there."""
    return len(values) > limit and np.array_equal(values[1 : limit + 1], EXPECTED[1 : limit + 1])


EDGES = (1, 2, 3, 99, 100, 101, 102, 103, 1022, 1023, 1024, 1025, 2047, 2048)


@pytest.mark.parametrize('first', EDGES)
def test_limits_around_each_boundary(table, first):
    """Of what is filled, of what is filled at once, and of the memory."""
    assert right(table.logarithms(first), first)
    for limit in sorted({first - 1, first, first + 1, first + 99, first + 100, first + 101, 4096}):
        assert right(table.logarithms(limit), limit)


def test_returned_tables_never_change(table):
    few = table.logarithms(500)
    many = table.logarithms(5000)
    assert few is not many
    assert right(few, 500)
    assert right(many, 5000)


def test_many_at_once_are_those_of_python(table, monkeypatch):
    monkeypatch.undo()
    limit = 300_000
    expected = np.array(logarithms(limit)[1 : limit + 1])
    assert np.array_equal(table.logarithms(limit)[1 : limit + 1], expected)
