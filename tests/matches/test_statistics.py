"""What games say: intervals, Elo points, and the test that ends a match."""

import math
import random

import pytest
from attrs import evolve

from fmcts import Search, SplitMix, mcts, random_bot
from fmcts.games import tictactoe
from fmcts.matches import Sprt, match
from fmcts.matches.sprt import score_of_elo
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


def test_elo_points():
    assert [round(elo_of_score(score), 1) for score in (0.5, 0.75, 10 / 11)] == [0.0, 190.8, 400.0]
    assert (elo_of_score(0), elo_of_score(1)) == (-math.inf, math.inf)
    for elo in (-300, 0, 25):
        assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo)


def test_sprt_errs_as_seldom_as_it_says():
    """By simulation: pairs of games with draws, true leads at either guess."""
    test, chance = Sprt(0, 40, alpha=0.05, beta=0.1), random.Random(1)  # noqa: S311 - simulation

    def pair(score):
        """Points of two games, of which two in five are drawn."""
        return sum(
            0.5 if chance.random() < 0.4 else float(chance.random() < (score - 0.2) / 0.6)
            for _ in range(2)
        )

    def wrong(elo, other):
        score, count = score_of_elo(elo), 0
        for _ in range(300):
            pairs = []
            while test.accepted(pairs) is None:
                pairs.append(pair(score))
            count += test.accepted(pairs) == other
        return count / 300

    assert wrong(0, 'elo1') <= 0.05 + 0.04  # three standard deviations of such a count
    assert wrong(40, 'elo0') <= 0.1 + 0.052


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
