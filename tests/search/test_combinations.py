"""The table of meaningless combinations, and the searches that it refuses."""

import attrs
import pytest

from fmcts import Search
from fmcts.search._combinations import COMBINATIONS
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.methods import UCB1, Gumbel, Method


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
