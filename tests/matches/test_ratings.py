"""Ratings of several bots, against published figures and computations by hand."""

import math
from functools import partial

import pytest

from fmcts.matches._statistics import POINT, Encounter, ratings

close = partial(pytest.approx, rel=1e-6, abs=1e-6)

# Games won of the American League 1987 (Agresti, Categorical Data Analysis, 1990, table 10.9).
TEAMS = ('Milwaukee', 'Detroit', 'Toronto', 'New York', 'Boston', 'Cleveland', 'Baltimore')
WON = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)
# The abilities above Baltimore's, as Agresti and the R package BradleyTerry2 print them.
ABOVE = (1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0)


def test_ratings_of_a_published_example():
    encounters = [
        Encounter(one, two, WON[one][two], WON[one][two] + WON[two][one])
        for one in range(7)
        for two in range(one)
    ]
    found = ratings(encounters, 7, drawn=0.0)
    last = found[-1].elo
    assert [round((it.elo - last) * POINT, 4) for it in found] == list(ABOVE)
    assert sum(it.elo for it in found) == pytest.approx(0.0, abs=1e-6)
    for it in found:
        assert it.low < it.elo < it.high


def test_drawn_games_bound_the_ratings():
    all_won = [Encounter(0, 1, 10.0, 10), Encounter(1, 2, 5.0, 10)]
    assert all(math.isfinite(it.high) for it in ratings(all_won, 3))


def test_intervals_have_the_given_confidence():
    """Of two, 95 % unless another is given; each lies as far below the rating as above."""
    encounters = [Encounter(0, 1, 60.0, 100)]
    for given, deviations in (({}, 1.959964), ({'confidence': 0.5}, 0.6744898)):
        one, two = ratings(encounters, 2, drawn=0.0, **given)
        wide = deviations / math.sqrt(100 * 0.6 * 0.4) / POINT
        for it in (one, two):
            assert it.elo - it.low == close(it.high - it.elo) == close(wide / 2)
        assert one.elo == close(200 * math.log10(1.5)) == close(-two.elo)


def test_prior_draws_are_added_to_every_pairing():
    met = [Encounter(0, 1, 7.0, 10), Encounter(2, 1, 1.5, 4)]
    more = [Encounter(0, 1, 7.5, 11), Encounter(2, 1, 2.0, 5)]
    assert ratings(encounters=met, count=3) == ratings(met, 3)
    assert ratings(met, 3) == ratings(met, 3, drawn=1.0) == ratings(more, 3, drawn=0.0)
    more = [Encounter(0, 1, 8.0, 12), Encounter(2, 1, 2.5, 6)]
    assert ratings(met, 3, drawn=2.0) == ratings(more, 3, drawn=0.0)


def test_indirectly_connected_bots_are_rated():
    """In whichever order the encounters stand."""
    chain = [Encounter(3, 2, 5.0, 10), Encounter(2, 1, 5.0, 10), Encounter(1, 0, 5.0, 10)]
    for encounters in (chain, chain[::-1]):
        assert [it.elo for it in ratings(encounters, 4)] == [close(0.0)] * 4
