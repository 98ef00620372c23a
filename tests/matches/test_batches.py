"""Batches of games: their sizes, and how far ahead they are handed out."""

import copyreg
import pickle
import traceback
from itertools import chain

import pytest

from at_once import AtOnce
from fmcts import random_bot
from fmcts.matches import _batches as batches, play_match
from fmcts.matches._running import games_of
from played import small


def plain(**more):
    return small(first=random_bot, **more)


@pytest.fixture
def clock(monkeypatch):
    """A clock by which a game takes as long as a test says, and nothing else takes any time."""

    class Clock:
        now, game = 0.0, 1 / 32

    play = batches.plies_of

    def played(*told):
        Clock.now += Clock.game
        return play(*told)

    monkeypatch.setattr(batches, 'plies_of', played)
    monkeypatch.setattr(batches, 'perf_counter', lambda: Clock.now)
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
def test_batches_keep_the_order_and_follow_the_time_per_game(clock, seconds, sizes):
    clock.game = seconds
    described, executor = plain(games=sum(sizes)), AtOnce()
    found = play_match(described, executor=executor)
    assert found == play_match(described)
    numbers = [list(args[1]) for args in executor.given]
    assert list(chain(*numbers)) == list(range(sum(sizes)))
    assert list(map(len, numbers)) == sizes


@pytest.mark.usefixtures('clock')
def test_few_games_are_handed_out_ahead():
    """Else a match of a million games would be a million pickles before the first is played."""
    executor = AtOnce()
    games = games_of(plain(games=100_000), range(100_000), executor)
    for _ in range(1000):
        next(games)
    handed_out = sum(len(args[1]) for args in executor.given)
    assert 1000 < handed_out <= 1000 + 200
    assert 8 < executor.most <= 50  # enough for several workers
    games.close()
    assert executor.cancelled == executor.untaken > 0


class TwofoldError(Exception):
    """It cannot be made again from what a pickle holds of it."""

    def __init__(self, one, two):
        super().__init__(f'{one} {two}')


@pytest.mark.parametrize(
    ('error', 'kind', 'told'),
    [(KeyError('one'), KeyError, "'one'"), (TwofoldError(1, 2), RuntimeError, 'TwofoldError: 1 2')],
    ids=['whole', 'again'],
)
def test_errors_can_be_pickled(error, kind, told, monkeypatch):
    """Else a pool of processes would seem to be broken, and nobody would know by what."""
    # Where Dask is loaded, its tblib can make any error again.
    monkeypatch.delitem(copyreg.dispatch_table, type(error), raising=False)

    def failing(_state, _rng):
        raise error

    with pytest.raises(kind) as raised:
        batches.play_batch(plain(second=failing, games=4), range(4))
    again = pickle.loads(pickle.dumps(raised.value))  # noqa: S301 - made in this line
    assert str(again) == told
    assert again.__notes__ == ['game 0: ply 2: second (O) against first']
    assert raised.value is error or (raised.value.__cause__, raised.value.__context__) == (
        None,
        None,
    )
    assert failing.__code__ in [frame.f_code for frame, _ in traceback.walk_tb(raised.tb)]
