"""Who plays which game when: by stand-ins for executors, which are told apart by what they see."""

import os
import signal
import sys
import threading
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from itertools import chain
from multiprocessing import Pipe
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # importlib mode: no packages
from played import RNG, small

sys.path.pop(0)

from fmcts import Search, SplitMix, mcts, random_bot
from fmcts.games import tictactoe
from fmcts.matches import Sprt, match, play_match, running
from fmcts.matches.game import points
from fmcts.matches.running import games_of


def plain(**more):
    return small(first=random_bot, **more)


class AtOnce:
    """An executor that plays what it is given when it is given, and counts what was not taken."""

    def __init__(self, breaks_after=None):
        self.given = []
        self.untaken = 0
        self.most = 0
        self.cancelled = 0
        self.breaks_after = breaks_after

    def submit(self, function, *args):
        future = Future()
        executor = self
        if self.breaks_after is not None and len(self.given) >= self.breaks_after:
            future.set_exception(BrokenProcessPool('a process was killed'))
        else:
            future.set_result(function(*args))

        class Counted(Future):
            def result(self, timeout=None):
                executor.untaken -= 1
                return future.result(timeout)

            def cancel(self):
                executor.cancelled += 1
                return True

        self.given.append(args)
        self.untaken += 1
        self.most = max(self.most, self.untaken)
        return Counted()


# ---- by an executor ----


@pytest.fixture
def clock(monkeypatch):
    """A clock by which a game takes as long as a test says, and nothing else takes any time."""

    class Clock:
        now, game = 0.0, 1 / 32

    play = running.play_number

    def played(*told):
        Clock.now += Clock.game
        return play(*told)

    monkeypatch.setattr(running, 'play_number', played)
    monkeypatch.setattr(running, 'perf_counter', lambda: Clock.now)
    return Clock


@pytest.mark.parametrize(
    ('seconds', 'sizes'),
    [
        (1 / 32, [1] * 32 + [3] * 20),  # a call for every game would cost more than many games
        (1 / 64, [1] * 32 + [6] * 10),
        (1.0, [1] * 50),
        (0.0, [1] * 32 + [8, 64, 256, 256]),  # more than so many would be lost with a worker
    ],
)
def test_games_are_handed_out_in_their_order_as_many_as_suits_their_time(clock, seconds, sizes):
    clock.game = seconds
    described, executor = plain(games=sum(sizes)), AtOnce()
    found = play_match(described, executor=executor)
    assert found == play_match(described)
    numbers = [list(args[-1]) for args in executor.given]
    assert list(chain(*numbers)) == list(range(sum(sizes)))
    assert list(map(len, numbers)) == sizes


def test_what_was_played_before_is_not_handed_out():
    described, executor = plain(games=10), AtOnce()
    whole = play_match(described)
    assert play_match(described, executor=executor, before=whole.games[:7]) == whole
    assert list(chain(*(args[-1] for args in executor.given))) == [7, 8, 9]


@pytest.mark.usefixtures('clock')
def test_no_more_is_handed_out_than_a_little_ahead_of_what_came_back():
    """Else a match of a million games would be a million pickles before the first is played."""
    executor = AtOnce()
    games = games_of(plain(games=100_000), range(100_000), executor)
    for _ in range(1000):
        next(games)
    handed_out = sum(len(args[-1]) for args in executor.given)
    assert 1000 < handed_out <= 1000 + 200
    assert 8 < executor.most <= 50  # enough for several workers
    games.close()
    assert executor.cancelled == executor.untaken > 0


def test_a_match_that_ends_early_takes_back_what_is_waiting():
    described = small(first=mcts(Search(100)), games=4000, sprt=Sprt(0, 100))
    executor = AtOnce()
    found = play_match(described, executor=executor)
    assert found.accepted == 'elo1'
    assert found == play_match(described)
    assert executor.cancelled == executor.untaken > 0
    assert play_match(described, executor=executor, before=found.games) == found


@pytest.mark.parametrize(
    ('how', 'times'), [({}, 1), ({'executor': AtOnce()}, 4)], ids=['here', 'executor']
)
def test_each_worker_is_told_what_is_coming(how, times, monkeypatch):
    asked = []
    monkeypatch.setattr(running, 'expect_searches', asked.append)
    described = plain(games=4)
    play_match(described, **how)
    assert asked == [described] * times


# ---- by processes of one's own ----


@pytest.fixture
def pools(monkeypatch):
    """The pools that are begun, each of which breaks after as many lots as it is told."""
    begun, breaking = [], []

    class Pool(AtOnce):
        def __init__(self, jobs, **given):
            super().__init__(breaking.pop(0) if breaking else None)
            self.jobs, self.told, self.ended = jobs, given, []
            begun.append(self)

        def shutdown(self, **how):
            self.ended.append(how)

    monkeypatch.setattr(running, 'ProcessPoolExecutor', Pool)
    return begun, breaking


def test_so_many_processes_are_begun_anew_and_ended(pools):
    begun, _ = pools
    described = plain(games=10)
    assert play_match(described, jobs=3) == play_match(described)
    (pool,) = begun
    assert pool.jobs == 3
    assert pool.told['mp_context'].get_start_method() == 'spawn'
    assert pool.told['initializer'] is running._begin_process
    assert pool.ended == [{'wait': False, 'cancel_futures': True}]


def test_one_process_is_this_one(pools):
    begun, _ = pools
    play_match(plain(games=4))
    play_match(plain(games=4), jobs=1)
    play_match(plain(games=4), jobs=5, executor=AtOnce())
    assert len(list(games_of(plain(games=4), range(4)))) == 4
    assert begun == []


def test_where_processes_are_killed_others_go_on(pools):
    """With what is left: each pool here plays a game and breaks."""
    begun, breaking = pools
    breaking += [1] * 9
    described = plain(games=40)
    assert play_match(described, jobs=2) == play_match(described)
    assert len(begun) == 10
    assert [pool.given[0][-1][0] for pool in begun] == list(range(10))
    assert all(pool.ended for pool in begun)


def test_processes_that_never_play_a_game_are_given_up(pools):
    """A bot that ends its process would be begun again for ever."""
    begun, breaking = pools
    breaking += [0, 0, 0, 1] + 9 * [0]
    played = []
    with pytest.raises(BrokenProcessPool):
        play_match(plain(games=40), jobs=2, watch=played.append)
    assert len(played) == 1
    assert len(begun) == 3 + 5  # the one that played, and broke, is the first of five
    assert all(pool.ended for pool in begun)


@pytest.mark.parametrize('what', ['parent', 'told'])
def test_a_process_ends_with_the_one_that_began_it_or_when_nobody_wants_it(what, monkeypatch):
    """It waits for that in a thread that does not keep it alive."""
    ended, codes, seen = threading.Event(), [], []
    parent, told = Pipe(duplex=False), Pipe(duplex=False)

    def leave(code):
        codes.append(code)
        ended.set()

    def begun(thread=threading.Thread, **given):
        seen.append(given['daemon'])
        return thread(**given)

    monkeypatch.setattr(
        running.multiprocessing, 'parent_process', lambda: SimpleNamespace(sentinel=parent[0])
    )
    monkeypatch.setattr(running.threading, 'Thread', begun)
    monkeypatch.setattr(os, '_exit', leave)
    before = signal.getsignal(signal.SIGINT)
    try:
        running._begin_process(told[0])
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert codes == []
    (parent if what == 'parent' else told)[1].close()
    assert ended.wait(10)
    assert (codes, seen) == ([1], [True])


# ---- what is asked for ----


def test_a_match_is_described_and_played():
    told = []
    options = {'games': 6, 'rng': RNG, 'opening_plies': 1, 'names': ('one', 'two')}
    found = match(random_bot, mcts(Search(9)), tictactoe.start, watch=told.append, **options)
    assert found == play_match(
        small(first=random_bot, second=mcts(Search(9)), games=6, names=('one', 'two'))
    )
    assert tuple(told) == found.games
    executor = AtOnce()
    assert (
        match(random_bot, mcts(Search(9)), tictactoe.start, executor=executor, **options) == found
    )
    assert executor.given


def test_what_is_asked_for_may_be_named():
    bots = {'first': random_bot, 'second': random_bot}
    found = match(**bots, start=tictactoe.start, games=4, rng=RNG)
    assert play_match(described=found.match) == found


def test_a_hundred_games_when_nothing_is_said(pools):
    begun, _ = pools
    found = match(random_bot, random_bot, tictactoe.start, rng=RNG)
    assert len(found.games) == found.match.games == 100
    assert begun == []
    assert match(random_bot, random_bot, tictactoe.start, rng=RNG, jobs=2) == found
    assert len(begun) == 1


@pytest.mark.parametrize('jobs', [0, -1, 1.5, True])
def test_so_many_processes_there_are_not(jobs):
    with pytest.raises(ValueError, match='jobs must be a whole number of at least 1, not '):
        play_match(plain(games=4), jobs=jobs)


def test_a_test_is_looked_at_after_whole_pairs_only():
    """Also where a run was broken off between the two games of a pair."""
    described = small(first=mcts(Search(100)), games=400, sprt=Sprt(0, 100))
    found = play_match(described)
    assert len(found.games) % 2 == 0
    for kept in (1, len(found.games) - 1):
        told = []
        assert play_match(described, before=found.games[:kept], watch=told.append) == found
        assert tuple(told) == found.games[kept:]
    heard = []
    assert play_match(described, before=found.games, watch=heard.append) == found
    assert heard == []


@pytest.mark.parametrize('seed', range(6))
def test_a_test_ends_a_match_at_the_first_pair_that_is_enough(seed):
    bots = {'first': mcts(Search(30)), 'rng': SplitMix.from_seed(seed), 'opening_plies': 0}
    whole = play_match(small(**bots, games=60)).games
    test = Sprt(0, 150, alpha=0.1, beta=0.1)
    looks = (count for count in range(2, 61, 2) if test.accepted(points(whole[:count])))
    found = play_match(small(**bots, games=60, sprt=test)).games
    assert found == whole[: next(looks)]
