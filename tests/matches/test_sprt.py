"""The sequential test that ends a match: its statistics and its bounds."""

import math
import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

sys.path.insert(0, str(Path(__file__).parents[2] / 'benchmarks'))
from sprt import errors

sys.path.pop(0)

from fmcts.matches import Sprt
from fmcts.matches._sprt import BEFORE, VARIANCE, Evidence, score_of_elo

POINTS = (0.0, 0.5, 1.0, 1.5, 2.0)
TESTS = (Sprt(0, 20), Sprt(-10, 100, alpha=0.01, beta=0.2), Sprt(0, 400, beta=0.1))


def by_all_pairs(test, pairs):
    """The ratio from the definition: the variance by every pair's distance from the mean."""
    count = len(pairs)
    mean = sum(pairs) / (2 * count)
    spread = sum((points / 2 - mean) ** 2 for points in pairs)
    variance = (spread + BEFORE * VARIANCE) / (count + BEFORE)
    low, high = score_of_elo(test.elo0), score_of_elo(test.elo1)
    return count * (high - low) * (2 * mean - low - high) / (2 * variance)


def decision(test, ratio):
    if ratio >= math.log((1 - test.beta) / test.alpha):
        return 'elo1'
    return 'elo0' if ratio <= math.log(test.beta / (1 - test.alpha)) else None


@given(st.lists(st.sampled_from(POINTS), max_size=60), st.sampled_from(TESTS))
def test_incremental_evidence_equals_all_pairs(pairs, test):
    """At every look, in whichever order they came."""
    seen = Evidence()
    for count, points in enumerate(pairs, 1):
        seen = seen.also(points)
        assert seen == Evidence.of(pairs[:count]) == Evidence.of(pairs[:count][::-1])
        expected = by_all_pairs(test, pairs[:count])
        assert test.ratio(seen) == test.ratio(pairs[:count])
        assert test.ratio(seen) == pytest.approx(expected, rel=1e-12, abs=1e-12)
        assert test.accepted(seen) == test.accepted(pairs[:count]) == decision(test, expected)


def test_no_pairs_give_no_evidence():
    assert Evidence() == Evidence(0, 0.0, 0.0)
    assert Sprt().ratio([]) == 0.0
    assert Sprt().accepted([]) is None


def test_wald_s_bounds(monkeypatch):
    """Wald's bounds, which belong to the ends; the two rates are not exchanged."""
    test = Sprt(0, 100, alpha=0.01, beta=0.2)
    upper, lower = math.log(0.8 / 0.01), math.log(0.2 / 0.99)
    for ratio, expected in (
        (upper, 'elo1'),
        (math.nextafter(upper, 0), None),
        (math.nextafter(lower, 0), None),
        (lower, 'elo0'),
        (math.inf, 'elo1'),
        (-math.inf, 'elo0'),
    ):
        monkeypatch.setattr(Sprt, 'ratio', lambda *_, ratio=ratio: ratio)
        assert test.accepted([]) == expected


@pytest.mark.parametrize(
    ('given', 'complaint'),
    [
        ({'elo0': 5, 'elo1': 5}, 'elo1 must be above elo0: 5 is not above 5'),
        ({'elo0': 6, 'elo1': 5}, 'elo1 must be above elo0: 5 is not above 6'),
        *(
            ({name: value}, f'{name} must be a number from -4000 to 4000, not {value!r}')
            for name in ('elo0', 'elo1')
            for value in (math.inf, -math.inf, math.nan, -200_000, 4000.5, '5', None, True)
        ),
        ({'elo1': 10**400}, 'elo1 must be a number from -4000 to 4000, not 1000'),
        ({'alpha': '0.1'}, "alpha must be a number between 0 and 0.5, not '0.1'"),
        ({'beta': None}, 'beta must be a number between 0 and 0.5, not None'),
        ({'alpha': 0.5}, 'alpha must be a number between 0 and 0.5, not 0.5'),
        ({'alpha': math.nan}, 'alpha must be a number between 0 and 0.5, not nan'),
        ({'alpha': -0.1}, 'alpha must be a number between 0 and 0.5, not -0.1'),
        ({'beta': 0.6}, 'beta must be a number between 0 and 0.5, not 0.6'),
        ({'beta': 0}, 'beta must be a number between 0 and 0.5, not 0'),
    ],
    ids=lambda it: it if isinstance(it, str) else '',
)
def test_invalid_tests_are_refused(given, complaint):
    with pytest.raises(ValueError, match=complaint):
        Sprt(**given)


def test_extreme_differences_stay_within_0_and_1():
    """By expected scores that are neither 0 nor 1."""
    test = Sprt(-4000, 4000)
    assert 0 < score_of_elo(-4000) < score_of_elo(4000) < 1
    assert (test.accepted([2] * 200), test.accepted([0] * 200)) == ('elo1', 'elo0')


@pytest.mark.parametrize('drawn', [0.0, 0.4, 0.9])
def test_error_rates_are_as_stated(drawn):
    """By simulation, at both guesses; without the pairs before it does not where many are drawn."""
    first, second, _ = errors(Sprt(0, 50), drawn, BEFORE, 500)
    most = 0.05 + 3 * (0.05 * 0.95 / 500) ** 0.5
    assert max(first, second) <= most
    if drawn:
        assert max(errors(Sprt(0, 50), drawn, 0, 500)[:2]) > most
