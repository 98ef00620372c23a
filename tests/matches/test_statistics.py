"""What games say: intervals, Elo points, and the test that ends a match."""

import math
import sys
from pathlib import Path

import pytest
from attrs import evolve

sys.path.insert(0, str(Path(__file__).parents[2] / 'benchmarks'))
from sprt import errors

sys.path.pop(0)

from fmcts import Search, SplitMix, mcts, random_bot
from fmcts.games import tictactoe
from fmcts.matches import Sprt, match
from fmcts.matches.sprt import BEFORE, score_of_elo
from fmcts.matches.statistics import elo_of_score, wilson

RNG = SplitMix.from_seed(3)


@pytest.mark.parametrize(
    ('points', 'games', 'low', 'high'),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_wilson_s_interval_of_published_examples(points, games, low, high):
    assert tuple(round(end, 4) for end in wilson(points, games)) == (low, high)


@pytest.mark.parametrize(
    ('won', 'drawn', 'lost', 'elo', 'error'),
    [
        (63, 3, 34, 103.73, 71.1),  # README of variantfishtest, github.com/ianfab/variantfishtest
        (1534, 950, 1516, None, 9.66),  # talkchess.com, topic 57969, which prints no lead
    ],
)
def test_elo_points_of_published_examples(won, drawn, lost, elo, error):
    """The lead is theirs; the interval, Wilson's, is as wide as theirs or somewhat wider.

    (Theirs are normal approximations that know how many games were drawn.)
    """
    games = won + drawn + lost
    score = (won + drawn / 2) / games
    assert elo in (None, round(elo_of_score(score), 2))
    low, high = map(elo_of_score, wilson(won + drawn / 2, games))
    assert low < elo_of_score(score) < high
    assert 0.99 * error < (high - low) / 2 < 1.15 * error


def test_elo_points():
    assert [round(elo_of_score(score), 1) for score in (0.5, 0.75, 10 / 11)] == [0.0, 190.8, 400.0]
    assert (elo_of_score(0), elo_of_score(1)) == (-math.inf, math.inf)
    for elo in (-300, 0, 25):
        assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo)


def test_sprt_s_ratio_by_hand():
    """Four pairs of 2, 1, 1, 2 points: mean 3/4; with ten even pairs before, variance 3/28."""
    low, high = 0.5, score_of_elo(100)
    found = Sprt(0, 100).ratio([2, 1, 1, 2])
    spread = 4 * 0.25**2
    assert found == pytest.approx(
        4 * (high - low) * (1.5 - low - high) / (2 * (spread + 10 / 8) / 14)
    )


@pytest.mark.parametrize('drawn', [0.0, 0.4, 0.9])
def test_sprt_errs_as_seldom_as_it_says(drawn):
    """By simulation, at both guesses; without the pairs before it does not where many are drawn."""
    first, second, _ = errors(Sprt(0, 50), drawn, BEFORE, 500)
    most = 0.05 + 3 * (0.05 * 0.95 / 500) ** 0.5
    assert max(first, second) <= most
    if drawn:
        assert max(errors(Sprt(0, 50), drawn, 0, 500)[:2]) > most


def test_sprt_ends_a_match_by_its_results_alone():
    bots = mcts(Search(100)), random_bot
    options = {'games': 200, 'rng': RNG, 'sprt': Sprt(0, 100)}
    alone = match(*bots, tictactoe.start, **options)
    assert alone.accepted == 'elo1'
    assert len(alone.games) < 200
    assert len(alone.games) % 2 == 0
    assert match(*bots, tictactoe.start, jobs=2, **options).games == alone.games
    assert evolve(alone, games=alone.games[:-2]).accepted is None


@pytest.mark.parametrize(
    ('given', 'complaint'),
    [
        ({'elo0': 5, 'elo1': 5}, 'elo1 must be above elo0: 5 is not above 5'),
        ({'alpha': 0.5}, 'alpha must be a number between 0 and 0.5, not 0.5'),
        ({'beta': 0}, 'beta must be a number between 0 and 0.5, not 0'),
    ],
)
def test_what_is_no_test(given, complaint):
    with pytest.raises(ValueError, match=complaint):
        Sprt(**given)
