"""Running a match: what is requested and who plays, observed by a stand-in executor."""

from itertools import chain

import pytest

from at_once import AtOnce
from fmcts import Search, SplitMix, mcts, random_bot
from fmcts.games import tictactoe
from fmcts.matches import Sprt, match, play_match
from fmcts.matches._game import points
from played import RNG, small


def plain(**more):
    return small(first=random_bot, **more)


def test_games_played_before_are_not_handed_out():
    described, executor = plain(games=10), AtOnce()
    whole = play_match(described)
    assert play_match(described, executor=executor, before=whole.games[:7]) == whole
    assert list(chain(*(args[1] for args in executor.given))) == [7, 8, 9]


def test_a_match_that_ends_early_cancels_waiting_games():
    described = small(first=mcts(Search(100)), games=4000, sprt=Sprt(0, 100))
    executor = AtOnce()
    found = play_match(described, executor=executor)
    assert found.accepted == 'elo1'
    assert found == play_match(described)
    assert executor.cancelled == executor.untaken > 0
    assert play_match(described, executor=executor, before=found.games) == found


def test_match_describes_and_plays():
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


@pytest.mark.parametrize('jobs', [0, -1, 1.5, True])
def test_jobs_must_be_a_positive_integer(jobs):
    with pytest.raises(ValueError, match='jobs must be a whole number of at least 1, not '):
        play_match(plain(games=4), jobs=jobs)


def test_sprt_is_checked_after_whole_pairs_only():
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
def test_sprt_ends_at_the_first_decisive_pair(seed):
    bots = {'first': mcts(Search(30)), 'rng': SplitMix.from_seed(seed), 'opening_plies': 0}
    whole = play_match(small(**bots, games=60)).games
    test = Sprt(0, 150, alpha=0.1, beta=0.1)
    looks = (count for count in range(2, 61, 2) if test.accepted(points(whole[:count])))
    found = play_match(small(**bots, games=60, sprt=test)).games
    assert found == whole[: next(looks)]
