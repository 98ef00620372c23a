"""Playing in this process and others, including killed ones; by stand-ins (pools.py)."""

import os
import signal
import threading
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import Pipe
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from at_once import AtOnce
from fmcts import random_bot
from fmcts.games import tictactoe
from fmcts.matches import _processes as processes, match, play_match
from fmcts.matches._processes import Processes, UnsentError
from fmcts.matches._running import games_of
from played import RNG, small
from pools import put


def plain(**more):
    return small(**{'first': random_bot, **more})


# ---- who plays ----


def test_this_process_plays_while_the_others_start(stand_in):
    pools = stand_in()
    described = plain(games=40)
    assert play_match(described, jobs=3) == play_match(described)
    assert [pool.given[0] for pool in pools.begun] == [range(1), range(1, 2)]
    assert all(len(pool.given) == 2 for pool in pools.begun)  # they have not played anything yet
    assert len(pools.given()) < 20  # the rest was played here
    assert [pool.jobs for pool in pools.begun] == [1, 1]
    for pool in pools.begun:
        assert pool.told['mp_context'].get_start_method() == 'spawn'
        assert pool.told['initializer'] is processes.begin_process
        assert pool.ended == [{'wait': False, 'cancel_futures': True}]


def test_other_processes_play_as_much_as_they_can(stand_in):
    """They are given something as soon as they have nothing, and this process hears of it."""
    pools = stand_in(script=['play'] * 1000)
    described = plain(games=40)
    assert play_match(described, jobs=2) == play_match(described)
    assert pools.given() == list(range(40))


def test_one_job_starts_no_process(stand_in):
    pools = stand_in()
    play_match(plain(games=4))
    match(random_bot, random_bot, tictactoe.start, rng=RNG, games=4)
    play_match(plain(games=4), jobs=1)
    play_match(plain(games=4), jobs=5, executor=AtOnce())
    assert len(list(games_of(plain(games=4), range(4)))) == 4
    assert list(games_of(plain(games=4), range(4), Processes(1))) == [
        *play_match(plain(games=4)).games
    ]
    assert pools.begun == []


def test_no_process_is_started_without_need(stand_in):
    pools = stand_in()
    described = plain(games=4)
    whole = play_match(described)
    assert play_match(described, jobs=4, before=whole.games) == whole
    assert pools.begun == []


def test_processes_are_started_once_for_several_matches(stand_in):
    pools = stand_in(script=['play'] * 1000)
    there = Processes(3)
    for _ in range(3):
        assert len(list(there.games_of(plain(games=20), range(20)))) == 20
    assert len(pools.begun) == 2
    assert not any(pool.ended for pool in pools.begun)


def test_results_of_other_processes_arrive_in_mid_game(stand_in):
    """A ply of this process takes longer than it plays in one turn, the other one is quick."""
    stand_in(script=['rest'] * 4 + ['play'] * 100, tick=0.05)
    seen = []

    def telling(state, rng):
        seen.append('ply')
        return random_bot(state, rng)

    described = plain(first=telling, second=telling, games=2, opening_plies=0)
    play_match(described, jobs=2, watch=lambda game: seen.append(game.number))
    where = seen.index(0)
    assert where < seen.index(1)
    assert 'ply' in seen[where + 1 :]  # game 0 came back before game 1 was over


def test_a_match_can_be_abandoned(stand_in):
    stand_in()
    there = Processes(2)
    games = there.games_of(plain(games=40), range(40))
    first = next(games)
    games.close()
    assert first.number == 0
    assert [*there.games_of(plain(games=6), range(2, 6))] == [*play_match(plain(games=6)).games[2:]]


# ---- whatever happens meanwhile ----


@given(
    st.lists(st.sampled_from(['rest', 'play', 'play', 'die']), max_size=200).filter(
        lambda script: script.count('die') < processes.LIVES
    ),
    st.integers(1, 4),
    st.sampled_from([0, 0.001, 0.004, 0.1]),
)
def test_results_are_equal_and_in_order(script, jobs, tick):
    described = plain(games=60)
    with pytest.MonkeyPatch.context() as patch:
        pools = put(patch, script=script, tick=tick)
        found = list(Processes(jobs).games_of(described, range(60)))
    assert found == WHOLE
    killed = sum(pool.broken for pool in pools.begun)
    assert pools.most <= 2 + killed
    assert len(pools.begun) - killed <= jobs - 1


WHOLE = [*play_match(plain(games=60)).games]


def test_a_killed_process_is_replaced_and_its_games_replayed(stand_in):
    """And nothing else again, nor is any other disturbed."""
    pools = stand_in(script=['rest', 'die', 'rest', 'play', 'play', 'rest', 'die'])
    described = plain(games=12)
    assert play_match(described, jobs=3) == play_match(described)
    killed = [pool for pool in pools.begun if pool.broken]
    assert len(killed) == 2
    assert len(pools.begun) == 4
    again = [number for number in pools.given() if pools.given().count(number) > 1]
    assert len(again) == 4  # the one batch of each, twice
    assert all(pool.ended for pool in pools.begun)


def test_a_process_killed_while_idle_is_replaced(stand_in):
    pools = stand_in(script=['play'] * 1000)
    there = Processes(2)
    list(there.games_of(plain(games=4), range(4)))
    pools.begun[0].broken = True
    assert [*there.games_of(plain(games=4), range(4))] == [*play_match(plain(games=4)).games]
    assert len(pools.begun) == 2
    assert pools.begun[0].ended == [{'wait': False}]


def test_games_that_keep_killing_their_process_are_given_up(stand_in):
    """A bot that ends its process would be begun again for ever."""
    pools = stand_in(script=['die'] * 100)
    played = []
    with pytest.raises(
        BrokenProcessPool, match=r'5 processes that were to play game 0 ended, .*: a bot may'
    ):
        play_match(plain(games=40), jobs=2, watch=played.append)
    assert played == []
    assert len(pools.begun) == 5
    assert all(pool.ended for pool in pools.begun)


@pytest.mark.parametrize('script', [[], ['play', 'rest'] * 50], ids=['here', 'there'])
@pytest.mark.parametrize('wrong', range(4))
def test_an_error_is_raised_in_the_order_of_games(wrong, script, stand_in):
    """Whoever played it: games before it are told first."""
    stand_in(script=script)
    begins = [game.rng_in for game in play_match(plain(games=8)).games]

    def failing(state, rng):
        return random_bot(state, rng) if rng != begins[wrong] else 1 / 0

    told = []
    described = plain(first=failing, second=failing, games=8)
    with pytest.raises(ZeroDivisionError):
        play_match(described, jobs=2, watch=lambda game: told.append(game.number))
    assert told == list(range(wrong - wrong % 2))  # both games of a pair begin with one generator


def test_an_interrupt_in_this_process_is_immediate(stand_in):
    pools = stand_in()
    asked = []

    def interrupted(state, rng):
        asked.append(state)
        if len(asked) == 30:
            raise KeyboardInterrupt
        return random_bot(state, rng)

    with pytest.raises(KeyboardInterrupt):
        play_match(plain(first=interrupted, games=40), jobs=2)
    assert len(asked) == 30
    assert pools.begun[0].ended == [{'wait': False, 'cancel_futures': True}]


# ---- the beginning and the end of a process ----


def test_what_cannot_be_pickled_is_reported_before_any_game():
    described = plain(first=lambda state, rng: (state.moves[0], rng))
    with pytest.raises(UnsentError, match=r'cannot be sent to other processes: .*not lambdas'):
        play_match(described, jobs=2)
    assert list(Processes(1).games_of(described, range(12))) == [*play_match(described).games]


def test_idle_processes_are_told_to_end(stand_in):
    """By the end of a pipe; after that, others may be begun."""
    pools = stand_in()
    there = Processes(3)
    for number in range(2):
        assert len(list(there.games_of(plain(games=20), range(20)))) == 20
        one, two = (pool.told['initargs'] for pool in pools.begun[2 * number :])
        assert one == two
        assert not one[0].poll()
        there.end()
        with pytest.raises(EOFError):
            one[0].recv()
    there.end()


@pytest.mark.parametrize('what', ['parent', 'told'])
def test_a_worker_ends_with_its_parent_or_when_released(what, monkeypatch):
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
        processes.multiprocessing, 'parent_process', lambda: SimpleNamespace(sentinel=parent[0])
    )
    monkeypatch.setattr(processes.threading, 'Thread', begun)
    monkeypatch.setattr(os, '_exit', leave)
    before = signal.getsignal(signal.SIGINT)
    try:
        processes.begin_process(told[0])
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert codes == []
    (parent if what == 'parent' else told)[1].close()
    assert ended.wait(10)
    assert (codes, seen) == ([1], [True])
