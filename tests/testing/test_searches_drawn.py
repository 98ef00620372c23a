"""Drawn searches have every value of every option, within its bounds."""

from typing import get_args

import pytest

from drawing import drawn, ends_of_numbers
from fmcts.game import MAX_PLIES
from fmcts.search._description import Expansion, FinalChoice
from fmcts.testing import Formula, _strategies as strategies


def of(name, values):
    return {getattr(search, name) for search in values}


def test_searches_have_every_value_of_every_option():
    values = drawn(strategies.searches(), 200)
    iterations = of('iterations', values)
    assert 1 <= min(iterations) < 4
    assert 110 < max(iterations) <= 120
    constants = of('c', values)
    assert None in constants
    assert 0.0 <= min(constants - {None}) < 0.1
    assert 3.5 < max(constants - {None}) <= 4.0
    assert of('expansion', values) == {None, *get_args(Expansion)} - {'selected'}
    assert of('final', values) == {*get_args(FinalChoice)} - {'robust-of-all'}
    nodes = of('max_nodes', values)
    assert None in nodes
    assert 60 <= min(nodes - {None}) < 80
    assert 480 < max(nodes - {None}) <= 500
    plies = of('max_plies', values)
    assert MAX_PLIES in plies
    assert 130 <= min(plies) < 2_000
    assert 2**40 < max(plies) < 2**64
    assert of('selection', values) == {'ucb1'}
    for name in ('solver', 'closing', 'rollout_expand'):
        assert of(name, values) == {False}
    assert of('transpositions', values) == {None}


def test_bounds_of_the_numbers_of_searches(monkeypatch):
    between = ends_of_numbers(monkeypatch)
    strategies.searches()
    assert between == [(1, 120), (60, 500), (130, 2**64 - 1)]


FORMULA = Formula('edge.value + 0.5')


@pytest.mark.parametrize(
    ('given', 'expected'),
    [
        ({'max_iterations': 2}, {'iterations': {1, 2}}),
        ({'selection': 'puct'}, {'selection': {'puct'}, 'expansion': {None, *get_args(Expansion)}}),
        ({'selection': FORMULA}, {'selection': {FORMULA}, 'c': {None}}),
        ({'solver': True}, {'solver': {True}}),
        ({'closing': True}, {'closing': {True}}),
        ({'rollout_expand': True}, {'rollout_expand': {True}}),
        (
            {'transpositions': 'sound'},
            {
                'transpositions': {'sound'},
                'expansion': {None, 'in-order', 'random', 'full', 'jump'},
            },
        ),
    ],
)
def test_given_options_are_fixed(given, expected):
    values = drawn(strategies.searches(**given), 60)
    assert {name: of(name, values) for name in expected} == expected
