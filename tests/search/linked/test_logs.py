"""The shared table of logarithms: any limit, any order, any thread."""

import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest

from fmcts._linked import logarithms as logs
from fmcts._linked.tree.code import without_game
from fmcts.search._arithmetic import logarithms

EXPECTED = np.array(logarithms(9000)[:9000])


@pytest.fixture
def table(monkeypatch):
    """A table of its own for a test, filled a little at a time; it begins as the real one does."""
    monkeypatch.setattr(logs, '_table', (np.zeros(1 << 10), 2))
    monkeypatch.setattr(logs, 'FILLED_AT_ONCE', 100)
    code = without_game('fill_logarithms')
    return SimpleNamespace(logarithms=lambda limit: logs.logarithms(limit, code))


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


def test_every_limit_in_ascending_order(table):
    for limit in range(1, 3000):
        values = table.logarithms(limit)
        assert len(values) > limit
        assert values[limit] == EXPECTED[limit]
    assert right(values, 2999)


def test_returned_tables_never_change(table):
    few = table.logarithms(500)
    many = table.logarithms(5000)
    assert few is not many
    assert right(few, 500)
    assert right(many, 5000)


def test_machine_code_computes_what_python_does(table, monkeypatch):
    monkeypatch.undo()
    limit = 100_000
    expected = np.array(logarithms(limit)[1 : limit + 1])
    assert np.array_equal(table.logarithms(limit)[1 : limit + 1], expected)


def test_concurrent_requests(table):
    """Each finds all that it asked for, whoever fills it."""
    start = threading.Barrier(8)

    def ask(thread):
        start.wait()
        limits = [(thread * 37 + step * 211) % 8000 + 1 for step in range(25)]
        return all(right(table.logarithms(limit), limit) for limit in limits)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(8)))
