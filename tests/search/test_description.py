"""Searches as values, and what they refuse to be."""

import json
import math
import pickle

import attrs
import pytest
from hypothesis import given

from fmcts import Search
from fmcts.testing import searches


@given(searches())
def test_a_search_is_a_value(search):
    assert Search(**json.loads(json.dumps(attrs.asdict(search)))) == search
    assert hash(pickle.loads(pickle.dumps(search))) == hash(search)  # noqa: S301 - our own bytes
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        search.iterations = 3


def test_defaults():
    search = Search()
    assert (search.c, search.expansion, search.final) == (math.sqrt(2), 'in-order', 'robust')
    assert (search.iterations, search.max_nodes) == (1000, None)


def test_a_whole_constant_is_taken_as_a_float():
    assert Search(c=2) == Search(c=2.0)
    assert isinstance(Search(c=2).c, float)


@pytest.mark.parametrize(
    ('options', 'message'),
    [
        ({'iterations': 0}, 'iterations must be a whole number of at least 1, not 0'),
        ({'iterations': -5}, 'iterations must be a whole number of at least 1, not -5'),
        ({'iterations': 1.5}, 'iterations must be a whole number of at least 1, not 1.5'),
        ({'iterations': True}, 'iterations must be a whole number of at least 1, not True'),
        ({'max_nodes': 0}, 'max_nodes must be a whole number of at least 1, not 0'),
        ({'c': math.nan}, 'c must be a finite number of at least 0, not nan'),
        ({'c': math.inf}, 'c must be a finite number of at least 0, not inf'),
        ({'c': -1}, 'c must be a finite number of at least 0, not -1.0'),
        ({'c': 1.7e308}, 'c must be at most 1e+300, not 1.7e+308'),
        ({'c': 10**400}, 'c must be a finite number of at least 0, not inf'),
        ({'c': '1'}, "c must be a finite number of at least 0, not '1'"),
        (
            {'expansion': 'inorder'},
            (
                'expansion must be one of in-order, random, full, '
                "not 'inorder' (did you mean in-order?)"
            ),
        ),
        ({'final': 'mean'}, "final must be one of robust, first-robust, max, ucb, not 'mean'"),
    ],
)
def test_what_is_refused_is_named(options, message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is compared
        Search(**options)
    assert str(caught.value) == message
