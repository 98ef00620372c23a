"""Draws of real numbers: their distributions and their use of generators."""

import math
import statistics

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts.games import connect4
from fmcts.search._analysis import MoveStats
from fmcts.search._tree import plant
from fmcts.selfplay import root_of
from fmcts.selfplay.draws import by_visits, dirichlet, gumbels, real, with_noise
from fmcts.testing import generators

RNG = SplitMix.from_seed(7)


def network(states):
    return [[1.0 / len(state.moves)] * len(state.moves) for state in states], [0.5] * len(states)


SEARCH = Search(50, network=network, batch=5)


@given(generators())
def test_uniform_reals_are_odd_multiples_between_0_and_1(rng):
    number, after = real(rng)
    assert 0.0 < number < 1.0
    assert int(number * 2**53) % 2 == 1
    assert rng.uniform(0, 2**52 - 1) == (int(number * 2**52), after)


@given(generators(), st.floats(1e-3, 1e4), st.integers(1, 30))
@settings(max_examples=30)
def test_dirichlet_numbers_add_up_to_1(rng, alpha, count):
    numbers, _ = dirichlet(rng, alpha, count)
    assert len(numbers) == count
    assert all(0.0 <= number <= 1.0 for number in numbers)
    assert math.isclose(math.fsum(numbers), 1.0)


@pytest.mark.parametrize('alpha', [0.3, 1.0, 5.0])
def test_mean_and_variance_of_dirichlet_numbers(alpha):
    rng, count, drawn = RNG, 4, []
    for _ in range(1500):
        numbers, rng = dirichlet(rng, alpha, count)
        drawn.append(numbers[2])
    # That of a beta distribution; the seed is fixed, so no chance is left.
    variance = (1 / count) * (1 - 1 / count) / (count * alpha + 1)
    assert abs(statistics.fmean(drawn) - 1 / count) < 4 * math.sqrt(variance / len(drawn))
    assert abs(statistics.pvariance(drawn) / variance - 1) < 0.2


def test_mean_and_variance_of_gumbel_numbers():
    numbers, _ = gumbels(RNG, 4000)
    assert abs(statistics.fmean(numbers) - 0.5772156649) < 4 * math.sqrt(math.pi**2 / 6 / 4000)
    assert abs(statistics.pvariance(numbers) / (math.pi**2 / 6) - 1) < 0.1


def test_noise_changes_only_the_root_s_priors():
    root = root_of(connect4.start, SEARCH)
    noisy, after = with_noise(root, RNG, alpha=0.5, share=0.25)
    numbers, expected = dirichlet(RNG, 0.5, 7)
    assert after == expected
    assert noisy.columns.moves == (
        tuple(0.75 * (round(2**20 / 7) / 2**20) + 0.25 * number for number in numbers),
    )
    assert root == root_of(connect4.start, SEARCH)
    one, _ = analyse(connect4.start, RNG, SEARCH, tree=noisy)
    assert one.tree.columns == noisy.columns
    assert one != analyse(connect4.start, RNG, SEARCH)[0]


def rows(*visits):
    return [MoveStats(move, count, None) for move, count in enumerate(visits)]


def test_temperature_0_takes_the_most_visited_without_a_draw():
    assert by_visits(rows(3, 9, 0, 9), RNG, 0) == (1, RNG)


@pytest.mark.parametrize(('temperature', 'share'), [(1.0, 0.25), (0.5, 0.1), (2.0, 0.366)])
def test_temperature_draws_by_powers_of_visits(temperature, share):
    rng, first = RNG, 0
    for _ in range(2000):
        move, rng = by_visits(rows(10, 0, 30), rng, temperature)
        assert move != 1
        first += move == 0
    assert abs(first / 2000 - share) < 4 * math.sqrt(share * (1 - share) / 2000)


def test_the_least_numbers_that_are_accepted_draw():
    noise, _ = dirichlet(RNG, 1e-300, 3)
    assert sorted(noise) == [0.0, 0.0, 1.0]
    moves = [by_visits(rows(10, 1, 30, 30), RNG.child(i), 1e-300)[0] for i in range(20)]
    assert set(moves) == {2, 3}


FROM_TO = 'alpha must be a number from 1e-300 to 1e9'
ZERO_OR = 'temperature must be 0 or a number from 1e-300 to 1e9'


@pytest.mark.parametrize(
    ('call', 'message'),
    [
        *((lambda a=a: dirichlet(RNG, a, 3), FROM_TO) for a in (0, math.nan, 1e-301, 10**400)),
        *((lambda t=t: by_visits(rows(1), RNG, t), ZERO_OR) for t in (-1, 1e-301, 10**400)),
        (lambda: with_noise(plant(connect4.start), RNG), 'this tree has none'),
        (lambda: with_noise(root_of(connect4.start, SEARCH), RNG, share=2), 'share must be'),
        (lambda: by_visits(rows(0), RNG), 'no move has visits'),
        (lambda: root_of(connect4.start, Search(5)), 'with priors needs a search with a network'),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
