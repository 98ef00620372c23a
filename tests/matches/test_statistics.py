"""Confidence intervals and Elo points."""

import math
from statistics import correlation

import pytest
from hypothesis import given, strategies as st

from fmcts.matches._sprt import score_of_elo
from fmcts.matches._statistics import deviations, elo_of_score, independent_games, wilson


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
def test_wilson_interval_of_published_examples(points, games, low, high):
    assert tuple(round(end, 4) for end in wilson(points, games)) == (low, high)
    assert wilson(points=points, games=games) == wilson(points, games)


def test_interval_reaches_0_or_1_exactly_at_the_extremes():
    """The ends are 0 and 1 themselves, also where a formula gives a little more or less."""
    for games in range(1, 60):
        (low, _), (_, high) = wilson(0, games), wilson(games, games)
        assert (low, high) == (0.0, 1.0)


@pytest.mark.parametrize('games', [0, -1])
def test_no_games_have_no_interval(games):
    with pytest.raises(ValueError, match='an interval needs at least one game'):
        wilson(0, games)


@given(data=st.data(), games=st.integers(1, 10**6), confidence=st.floats(0.5, 0.999))
def test_interval_satisfies_wilson_s_equation(data, games, confidence):
    """As Wilson defines it: the ends are the shares p with |found - p| = z sqrt(p (1 - p) / n)."""
    points = data.draw(st.integers(1, 2 * games - 1)) / 2
    for end in wilson(points, games, confidence=confidence):
        spread = math.sqrt(end * (1 - end) / games)
        assert abs(points / games - end) == pytest.approx(deviations(confidence) * spread, 1e-6)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=40))
def test_games_of_a_pair_count_less_where_they_end_alike(points):
    """The correlation is that of each pair in both orders (R. A. Fisher's, within classes)."""
    alike = [point for point in points for _ in range(2)]
    other = [each for point in points for each in (point, 1.0 - point)]
    varied = len(set(points)) > 1
    assert independent_games(alike) == (len(points) if varied else len(alike))
    assert independent_games(other) == len(other)
    pairs = [*zip(points[::2], points[1::2], strict=False)]
    both = [*pairs, *((two, one) for one, two in pairs)]
    if len({one for one, _ in both}) > 1:
        r = correlation(*zip(*both, strict=True))
        assert independent_games(points) == pytest.approx(len(points) / (1 + max(0.0, r)), 1e-9)
    else:
        assert independent_games(points) == len(points)


@pytest.mark.parametrize('confidence', [0.5, 0.9, 0.95, 0.999])
def test_intervals_equal_scipy(confidence):
    """It knows whole points alone."""
    stats = pytest.importorskip('scipy.stats', reason='scipy is missing: fmcts[matches]')
    for games in (1, 2, 7, 60, 1000):
        for points in {0, 1, games // 3, games - 1, games}:
            expected = stats.binomtest(points, games).proportion_ci(confidence, method='wilson')
            found = wilson(points, games, confidence=confidence)
            assert found == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize(
    ('won', 'drawn', 'lost', 'elo', 'error'),
    [
        (63, 3, 34, 103.73, 71.1),  # README of variantfishtest, github.com/ianfab/variantfishtest
        (1534, 950, 1516, None, 9.66),  # talkchess.com, topic 57969, which prints no lead
    ],
)
def test_elo_of_published_examples(won, drawn, lost, elo, error):
    """The lead is theirs; the interval, Wilson's, is as wide as theirs or somewhat wider.

    (Theirs are normal approximations that know how many games were drawn.)
    """
    games = won + drawn + lost
    score = (won + drawn / 2) / games
    assert elo in (None, round(elo_of_score(score), 2))
    low, high = map(elo_of_score, wilson(won + drawn / 2, games))
    assert low < elo_of_score(score) < high
    assert 0.99 * error < (high - low) / 2 < 1.15 * error


def test_elo_of_scores():
    assert [round(elo_of_score(score), 1) for score in (0.5, 0.75, 10 / 11)] == [0.0, 190.8, 400.0]
    assert (elo_of_score(0), elo_of_score(1)) == (-math.inf, math.inf)
    for elo in (-300, 0, 25):
        assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo)
