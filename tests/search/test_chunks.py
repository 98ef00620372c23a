"""The sizes of chunks between two readings of a simulated clock."""

from itertools import islice

import pytest

from fmcts.search import _watch as chunks
from fmcts.search._watch import ChunkSize


class Clock:
    """Stands still but for what a test lets pass."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def after(size, seconds):
    """The next size, when a chunk of this one took so long."""
    clock = Clock()
    chunk = ChunkSize(size, clock)
    assert chunk.begin(10**9) == size
    clock.now += seconds
    chunk.end()
    return chunk.size


@pytest.mark.parametrize(
    ('size', 'seconds', 'following'),
    [
        (1000, 0.03125, 640),  # 1000 * 0.02 / 0.03125
        (1000, 0.015625, 1280),
        (1000, 0.01, 2000),
        (1000, 0.0025, 8000),
        (1000, 0.002, 8000),  # by eight at most
        (1000, 0.0, 8000),  # a coarse clock
        (1000, 0.125, 160),
        (1000, 0.16015625, 125),
        (1000, 1.0, 125),  # to an eighth at least
        (1000, 1000.0, 125),
        (8, 1.0, 1),
        (3, 1.0, 1),  # and never to none
        (1, 1.0, 1),
        (1, 0.015625, 1),
        (2, 0.015625, 2),
        (1, 0.0, 8),
        (100_000_000, 1e-6, 800_000_000),
    ],
)
def test_the_next_size_follows_from_the_elapsed_time(size, seconds, following):
    assert after(size, seconds) == following
    assert isinstance(after(size, seconds), int)


def test_time_is_measured_from_the_start_of_the_chunk():
    clock = Clock()
    chunk = ChunkSize(128, clock)
    for following in (163, 208, 266):  # each 1.28 times the one before, rounded down
        clock.now += 77.0  # between two chunks nobody waits
        chunk.begin(9999)
        clock.now += 0.015625
        chunk.end()
        assert chunk.size == following


def test_a_chunk_is_at_most_the_remaining_iterations():
    chunk = ChunkSize(64, Clock())
    assert [chunk.begin(most) for most in (63, 64, 65, 1)] == [63, 64, 64, 1]
    assert chunk.size == 64


def test_the_first_chunk_has_one_iteration():
    assert ChunkSize().begin(9) == 1


def test_chunks_add_up_to_the_total():
    with chunks.chunks_by_count():
        assert list(chunks.chunks(100)) == [1, 8, 64, 27]
        assert list(chunks.chunks(73)) == [1, 8, 64]
        assert list(chunks.chunks(1)) == [1]
        assert list(chunks.chunks(0)) == []


def test_the_clock_is_read_around_each_chunk():
    clock = Clock()
    token = chunks._clock.set(clock)
    seen = []
    for chunk in islice(chunks.chunks(10**6), 5):
        seen.append(chunk)
        clock.now += chunk / 4096  # 81.92 of them in 0.02 seconds
    chunks._clock.reset(token)
    assert seen == [1, 8, 64, 81, 81]


def test_counted_suspends_the_clock():
    before = chunks._clock.get()
    with chunks.chunks_by_count():
        assert ChunkSize().clock() == 0.0
        with chunks.chunks_by_count():
            pass
        assert ChunkSize().clock() == 0.0
    assert chunks._clock.get() is before
    with pytest.raises(KeyError), chunks.chunks_by_count():
        raise KeyError
    assert chunks._clock.get() is before


def test_chunks_that_are_cut_short_repeatedly():
    """As those of a schedule whose steps have one iteration each: the size stays a small number."""
    chunk = ChunkSize(1, Clock())
    for _ in range(2000):
        assert chunk.begin(1) == 1
        chunk.end()
    assert chunk.begin(10**9) == 10**9
