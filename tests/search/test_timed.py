"""Searches by time: when they end, and what they refuse."""

from itertools import islice

import pytest
from returns.unsafe import unsafe_perform_io

from fmcts import (
    STOP,
    EngineError,
    FinishedGameError,
    IllegalMoveError,
    Search,
    SplitMix,
    analyse,
    analyse_for,
)
from fmcts._running import timed
from fmcts.errors import FmctsWarning
from fmcts.games import tictactoe
from fmcts.search import _watch as chunks
from fmcts.search._watch import ChunkSize

RNG = SplitMix.from_seed(1)


def test_the_clock_is_read_after_every_chunk(monkeypatch):
    """It begins to count when the search does, and the first iteration is always made."""
    now = []
    monkeypatch.setattr(timed, 'perf_counter', lambda: now[-1])

    def iterations(seconds, times):
        told = []

        def watch(done):
            now.append(times[min(len(told), len(times) - 1)])
            told.append(done)

        found = analyse_for(
            tictactoe.start, RNG, Search(5), seconds=seconds, watch=watch, engine='persistent'
        )
        return told, unsafe_perform_io(found)[0].iterations

    told, made = iterations(3.0, [1000.0, 1002.9, 1002.9, 1003.0])
    assert (len(told), told[-1]) == (4, made)
    told, made = iterations(1e-9, [5.0, 6.0])
    assert (told, made) == ([0, 1], 1)


@pytest.mark.parametrize('seconds', [0, -1, float('nan'), float('inf'), 10**400, '1', True, None])
def test_invalid_times_are_refused(seconds):
    with pytest.raises(ValueError, match=r'seconds must be a finite number above 0, not '):
        analyse_for(tictactoe.start, RNG, seconds=seconds)


def test_refuses_what_analyse_refuses():
    over = tictactoe.parse('XXXOO....').unwrap()
    with pytest.raises(TypeError, match='search must be a Search, not 5'):
        analyse_for(over, RNG, 5, seconds=1)
    with pytest.raises(EngineError, match="unknown engine 'zzz'"):
        analyse_for(over, RNG, seconds=1, engine='zzz')
    with pytest.raises(FinishedGameError):
        analyse_for(over, RNG, seconds=1)


def test_the_class_of_the_state_is_checked_first():
    heir = type('Heir', (tictactoe.TicTacToe,), {})
    with pytest.warns(FmctsWarning, match='Heir is played out move by move'):
        analyse_for(heir(), RNG, seconds=1e-9, engine='inplace')


@pytest.mark.parametrize(('limit', 'made'), [(50, 50), (30, 31), (20, 31)])
def test_root_visits_are_limited(monkeypatch, engine, limit, made):
    tree, rng = analyse(tictactoe.start, RNG, Search(30))
    monkeypatch.setattr(timed, 'VISITS_LIMIT', limit)
    found = analyse_for(tictactoe.start, rng, seconds=1000, tree=tree, engine=engine)
    assert unsafe_perform_io(found)[0].iterations == made


def test_continues_a_tree(engine):
    first, rng = analyse(tictactoe.start, RNG, Search(30))
    found, after = unsafe_perform_io(
        analyse_for(tictactoe.start, rng, seconds=0.001, tree=first, engine=engine)
    )
    again = Search(found.iterations - 30)
    assert analyse(tictactoe.start, rng, again, tree=first) == (found, after)


@pytest.fixture
def still(monkeypatch):
    """A clock that a test sets: it reads `still[0]`."""
    now = [50.0]
    monkeypatch.setattr(timed, 'perf_counter', lambda: now[0])
    return now


def test_watch_receives_progress_and_can_stop(still):
    """While there is time, only the watch ends a search; and what it is told is the truth."""
    told = []

    def watch(done):
        told.append(done)
        return STOP if done >= 4 else None

    found = analyse_for(tictactoe.start, RNG, seconds=1.0, watch=watch, engine='persistent')
    assert unsafe_perform_io(found)[0].iterations == told[-1] >= 4
    assert told[0] == 0
    assert still == [50.0]


def test_ends_as_soon_as_the_time_is_over(still):
    """At the very moment; and what the watch says then is no matter."""
    for passed, ended in ((0.5, True), (0.4375, False), (7.0, True)):
        still[0], told = 50.0, []

        def watch(done, told=told, passed=passed):
            told.append(done)
            if done:
                still[0] = 50.0 + passed
            return STOP if len(told) > 3 else 'else'

        analysis, _ = unsafe_perform_io(
            analyse_for(tictactoe.start, RNG, seconds=0.5, watch=watch, engine='persistent')
        )
        assert len(told) == (2 if ended else 4)
        assert analysis.iterations == told[-1]


def test_root_moves_are_respected():
    found = analyse_for(tictactoe.start, RNG, seconds=1e-9, root_moves=[2, 7], engine='inplace')
    assert unsafe_perform_io(found)[0].tree.moves == (2, 7)
    with pytest.raises(IllegalMoveError):
        analyse_for(tictactoe.start, RNG, seconds=1e-9, root_moves=[9], engine='inplace')


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
        (1000, 0.002, 8000),  # by eight at most
        (1000, 0.0, 8000),  # a coarse clock
        (1000, 0.125, 160),
        (1000, 1.0, 125),  # to an eighth at least
        (3, 1.0, 1),  # and never to none
        (1, 1.0, 1),
    ],
)
def test_the_next_size_follows_from_the_elapsed_time(size, seconds, following):
    assert after(size, seconds) == following
    assert isinstance(after(size, seconds), int)


def test_a_chunk_is_at_most_the_remaining_iterations():
    chunk = ChunkSize(64, Clock())
    assert [chunk.begin(most) for most in (63, 64, 65, 1)] == [63, 64, 64, 1]
    assert chunk.size == 64


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
