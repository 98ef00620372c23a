"""The number of games in each process's batches; by stand-ins (pools.py)."""

import pytest

from fmcts import random_bot
from fmcts.matches import _processes as processes, play_match
from played import small


def plain(**more):
    return small(first=random_bot, **more)


def test_batches_shrink_towards_the_end(stand_in):
    """So that nobody waits long for who has the last one."""
    pools = stand_in(script=['play'] * 10_000, tick=0)
    described = plain(games=400)
    assert play_match(described, jobs=2) == play_match(described)
    sizes = [len(numbers) for numbers in pools.begun[0].given]
    assert sizes[:64] == [1] * 64  # nothing is known before one comes back
    left = [400 - sum(sizes[:number]) for number in range(len(sizes))]
    assert max(sizes) > 20
    assert sizes[66:] == [max(1, rest // 8) for rest in left][66:]


@pytest.fixture
def here(monkeypatch):
    """The sizes of the batches that are played here."""
    sizes = []
    begun = processes.plies_of_batch

    def told(described, numbers):
        sizes.append(len(numbers))
        return begun(described, numbers)

    monkeypatch.setattr(processes, 'plies_of_batch', told)
    return sizes


def test_this_process_s_batches_follow_its_own_speed(stand_in, here):
    stand_in(tick=1 / 800)  # seven or eight plies a game: ten games in a tenth of a second
    play_match(plain(games=400), jobs=2)
    assert here[0] == 1
    assert all(7 <= size <= 13 for size in here[3:20])


def test_few_games_are_played_ahead(stand_in, here):
    """Else all games would be kept in memory, and lost with the program, for one that is long."""
    pools = stand_in(tick=0.05)
    ahead = []

    def wait(futures, timeout, return_when):
        ahead.append(len(here) + len(pools.begun[0].given) + len(pools.begun[1].given))
        pools.wait(futures, timeout, return_when)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, 'wait', wait)
        assert len(play_match(plain(games=200), jobs=3).games) == 200
    assert ahead[0] == processes.AHEAD * 3


def test_no_process_has_more_than_it_needs(stand_in):
    """One batch where games are long, since the last would be waited for; else two."""
    pools = stand_in(tick=0.02)  # seconds a ply
    play_match(plain(games=40), jobs=2)
    assert pools.most == 1
    quick = stand_in(tick=0)
    play_match(plain(games=400), jobs=2)
    assert quick.most == 2
