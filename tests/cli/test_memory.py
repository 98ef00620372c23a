"""A search is ended while there is memory left to report it."""

import pytest

from fmcts.cli import _progress as progress
from fmcts.cli._progress import RESERVE, memory_left, within_memory

MEGABYTE = 1 << 20


def looked_at(rooms):
    """Which of the looks, at so much room each, are passed on to the watch."""
    left, heard = iter(rooms), []
    watch = within_memory(heard.append, lambda: next(left))
    for number in range(len(rooms)):
        try:
            watch(number)
        except MemoryError:
            return heard, number
    return heard, None


@pytest.mark.parametrize(
    ('rooms', 'ended_at'),
    [
        ([1000 * MEGABYTE, RESERVE, RESERVE - 1], 2),
        ([10 * MEGABYTE, 5 * MEGABYTE, 5 * MEGABYTE - 1], 2),
        ([2 * RESERVE - 2, RESERVE - 1, RESERVE - 2], 2),
        ([1000 * MEGABYTE, None, 999 * MEGABYTE], None),
        ([None, None, 1], None),
        ([0, 0, 0], None),
    ],
)
def test_a_search_ends_at_the_memory_reserve(rooms, ended_at):
    heard, ended = looked_at(rooms)
    assert ended == ended_at
    assert heard == [*range(len(rooms) if ended is None else ended)]


def test_the_watch_s_answer_is_passed_on():
    assert within_memory(lambda done: done + 1, lambda: None)(7) == 8


def test_available_memory_is_read(monkeypatch, tmp_path):
    resource = pytest.importorskip('resource')
    monkeypatch.setattr(progress, 'PROC', tmp_path)
    assert memory_left() is None  # as where there is no such file
    (tmp_path / 'self').mkdir()
    (tmp_path / 'meminfo').write_text('MemTotal: 9000 kB\nMemAvailable:   7000 kB\n')
    (tmp_path / 'self' / 'statm').write_text('25 5 5 5 0 5 0\n')
    page = resource.getpagesize()
    for limit, left in ((resource.RLIM_INFINITY, 7000 << 10), (1000 * page, 975 * page)):
        monkeypatch.setattr(resource, 'getrlimit', lambda _kind, limit=limit: (limit, limit))
        assert memory_left() == left
    (tmp_path / 'meminfo').write_text('MemTotal: 9000 kB\n')
    monkeypatch.setattr(resource, 'getrlimit', lambda _kind: (resource.RLIM_INFINITY,) * 2)
    assert memory_left() is None
