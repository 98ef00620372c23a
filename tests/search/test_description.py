"""Searches as values, and the values they refuse."""

import inspect
import json
import math
import pickle
import re

import attrs
import pytest
from hypothesis import given

import fmcts
from fmcts import Search
from fmcts.search.methods import METHODS, PUCT, UCB1, Rule, UCB1Tuned
from fmcts.search.policies import POLICIES
from fmcts.testing import searches


@given(searches())
def test_a_search_is_a_value(search):
    assert Search(**json.loads(json.dumps(attrs.asdict(search)))) == search
    assert hash(pickle.loads(pickle.dumps(search))) == hash(search)  # noqa: S301 - our own bytes
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        search.iterations = 3


def test_defaults():
    search = Search()
    assert search.method == UCB1(math.sqrt(2))
    assert (search.expands, search.final) == ('in-order', 'robust')
    assert (search.iterations, search.max_nodes) == (1000, None)


def test_an_integer_c_becomes_a_float():
    assert Search(c=2) == Search(c=2.0)
    assert isinstance(Search(c=2).c, float)


EXPANSIONS = 'expansion must be one of in-order, random, full, selected, jump'
SELECTIONS = (
    f'selection must be one of {", ".join(METHODS)}, a Method or a function (edge, parent) -> float'
)
PLAYOUTS = f'playout must be one of {", ".join(POLICIES)}, a Policy or a function state -> moves'
FINALS = 'final must be one of robust, first-robust, robust-of-all, max, ucb'


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
        ({'expansion': 'inorder'}, f"{EXPANSIONS}, not 'inorder' (did you mean in-order?)"),
        ({'selection': 'ucb2'}, f"{SELECTIONS}, not 'ucb2' (did you mean ucb1?)"),
        ({'selection': UCB1}, f"{SELECTIONS}, not <class 'fmcts.search.methods.ucb1.UCB1'>"),
        ({'selection': 3}, f'{SELECTIONS}, not 3'),
        ({'playout': 'heavy'}, f"{PLAYOUTS}, not 'heavy'"),
        ({'final': 'mean'}, f"{FINALS} or a function (edge, parent) -> float, not 'mean'"),
        ({'evaluate': 0.5}, 'evaluate must be a function, not 0.5'),
    ],
)
def test_invalid_options_are_named(options, message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is compared
        Search(**options)
    assert str(caught.value) == message


def test_a_selection_is_a_name_a_method_or_a_function():
    assert Search(selection='ucb1-tuned').method == UCB1Tuned(1.0)
    assert Search(selection='ucb1-tuned', c=0.5).method == UCB1Tuned(0.5)
    assert Search(selection=PUCT(c=2)).method == PUCT(c=2.0)
    assert Search(selection=max).method == Rule(max)


def test_the_default_expansion_follows_the_method():
    assert Search(selection='puct').expands == 'selected'
    assert Search(selection='puct', expansion='full').expands == 'full'
    assert Search(selection='amaf').expands == 'in-order'


def test_the_docs_of_public_names_send_nobody_to_private_modules():
    for name in fmcts.__all__:
        value = getattr(fmcts, name)
        members = vars(value).values() if isinstance(value, type) else ()
        for each in (value, *members):
            if callable(each) or isinstance(each, property):
                assert not re.search(r'fmcts[.\w]*\._', inspect.getdoc(each) or ''), (name, each)
