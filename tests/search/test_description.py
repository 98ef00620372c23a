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
from fmcts.search._combinations import COMBINATIONS
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.methods import METHODS, PUCT, UCB1, Gumbel, Method, Rule, UCB1Tuned
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


# ---- combinations ----


def worth(_state):
    return 0.5


def never(_stats):
    return False


@attrs.frozen
class Called(Method):
    """A method whose column would be taken for a proof."""

    columns = ('proof',)


def propose(_state, rng):
    return 0, rng


def network(states):
    return [[1.0] * len(state.moves) for state in states], [0.5] * len(states)


REFUSED = [
    {'batch': 2},
    {'collisions': 1},
    {'network': network, 'sliding': True, 'collisions': 1},
    {'sliding': True},
    {'network': network, 'sliding': True, 'schedule': 'halving'},
    {'network': network, 'selection': 'rave'},
    {'network': network, 'evaluate': worth},
    {'network': network, 'playout': 'decisive'},
    {'network': network, 'rollout_expand': True},
    {'network': network, 'transpositions': 'sound'},
    {'network': network, 'expansion': 'full'},
    {'network': network, 'schedule': 'shot'},
    {'normalised': True, 'selection': 'bayes-uct1'},
    {'schedule': GumbelHalving()},
    {'schedule': GumbelHalving(), 'selection': Gumbel(), 'expansion': 'full'},
    {'schedule': GumbelHalving(), 'selection': Gumbel(), 'final': 'max'},
    {'c': 1, 'selection': UCB1()},
    {'evaluate_after': 3},
    {'playout': 'decisive', 'evaluate': worth},
    {'rollout_expand': True, 'evaluate': worth},
    {'proposals': propose, 'network': network},
    {'proposals': propose, 'selection': 'puct'},
    {'proposals': propose, 'solver': True},
    {'proposals': propose, 'closing': True},
    {'proposals': propose, 'schedule': 'halving'},
    {'proposals': propose, 'expansion': 'full'},
    {'proposals': propose, 'transpositions': 'sound'},
    {'proposals': propose, 'rollout_expand': True},
    {'schedule': 'halving', 'stop': never},
    {'solver': True, 'schedule': 'halving'},
    {'closing': True, 'schedule': 'halving'},
    {'schedule': 'shot', 'selection': 'rave'},
    {'schedule': 'shot', 'expansion': 'full'},
    {'schedule': 'shot', 'transpositions': 'sound'},
    {'schedule': 'shot', 'rollout_expand': True},
    {'transpositions': 'sound', 'solver': True},
    {'transpositions': 'sound', 'closing': True},
    {'transpositions': 'sound', 'selection': 'ucb1-tuned'},
    {'transpositions': 'sound', 'selection': 'amaf'},
    {'selection': Called()},
    {'transpositions': 'sound', 'rollout_expand': True},
    {'transpositions': 'sound', 'playout': 'mast'},
    {'bounds': True},
    {'bounds': True, 'solver': 'exact'},
    {'horizon': 3, 'solver': 'exact'},
    {'solver': True, 'closing': True},
    {'solver': True, 'reward': worth},
    {'expansion': 'selected'},
]
"""A search for each row, in their order."""

ALLOWED = [
    {'network': network, 'batch': 64, 'selection': 'puct-reduced', 'solver': True},
    {'network': network, 'batch': 64, 'normalised': True, 'horizon': 3},
    {'network': network, 'schedule': 'halving', 'expansion': 'selected', 'max_nodes': 9},
    {'c': 1, 'selection': 'ucb1-tuned'},
    {'evaluate_after': 3, 'evaluate': worth, 'playout': 'decisive', 'rollout_expand': True},
    {'schedule': 'halving', 'expansion': 'random', 'rollout_expand': True},
    {'stop': never, 'solver': True},
    {'closing': True, 'reward': worth, 'expansion': 'jump', 'rollout_expand': True},
    {'selection': 'puct', 'expansion': 'selected', 'schedule': 'halving', 'normalised': True},
    {'expansion': 'jump', 'schedule': 'halving', 'playout': 'mast', 'rollout_expand': True},
    {'transpositions': 'sound', 'selection': 'uct', 'expansion': 'jump', 'normalised': True},
]


@pytest.mark.parametrize(('row', 'options'), [*zip(COMBINATIONS, REFUSED, strict=True)])
def test_each_row_refuses_a_search(row, options):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is compared
        Search(**options)
    assert str(caught.value) == row.message


@pytest.mark.parametrize(('row', 'options'), [*zip(COMBINATIONS, REFUSED, strict=True)])
def test_each_option_alone_is_accepted(row, options):
    """So a row is about a combination; what needs another option is refused without it."""
    if row.relation == 'needs':
        return
    for name in options:
        if options[name] == Gumbel() or (name == 'network' and len(options) > 2):  # is needed
            continue
        if options[name] == 'exact':  # so that `bounds` has a solver
            continue
        Search(**{key: value for key, value in options.items() if key != name})


@pytest.mark.parametrize('options', ALLOWED)
def test_meaningful_combinations_are_accepted(options):
    Search(**options)


def test_each_row_has_a_reason_and_names_options():
    names = set(attrs.fields_dict(Search))
    assert len({row.message for row in COMBINATIONS}) == len(COMBINATIONS)
    for row in COMBINATIONS:
        assert row.option.split()[0] in names
        assert row.reason or row.relation
