"""The laws of networks detect inconsistent ones only."""

import itertools

import pytest
from returns.result import Success

import zoo_methods
from fmcts.games import tictactoe
from fmcts.testing import check_network


def even(states):
    return [[1.0] * len(state.moves) for state in states], [0.5] * len(states)


def failure(network):
    return check_network(network, tictactoe.start).failure()


def test_a_pure_network_is_accepted():
    assert check_network(even, tictactoe.start) == Success(64)
    assert check_network(even, tictactoe.start, states=3) == Success(3)


CALLS = itertools.count()


@pytest.mark.parametrize(
    ('value', 'when'),
    [
        (lambda _place, _count: next(CALLS) % 7 / 8, 'again'),
        (lambda place, count: place / count, 'in the opposite order'),
        (lambda _place, count: 1 / count, 'about it alone'),
    ],
    ids=['call', 'order', 'batch'],
)
def test_a_network_that_depends_on_more_than_the_state_is_detected(value, when):
    def network(states):
        return even(states)[0], [value(place, len(states)) for place, _ in enumerate(states)]

    assert f'answers differently when asked {when}' in failure(network)


def test_differences_below_the_grid_are_ignored():
    calls = itertools.count()

    def nearly(states):
        return even(states)[0], [0.5 + next(calls) * 1e-15] * len(states)

    assert check_network(nearly, tictactoe.start) == Success(64)


def test_a_wrong_answer_is_reported():
    assert failure(lambda _states: None).startswith('the network <lambda> must return a pair')


def test_a_network_whose_values_have_the_wrong_sign_is_detected():
    found = failure(zoo_methods.of_the_opponent)
    assert 'have the higher value where X has lost' in found
