"""Resolving nodes works alike in every engine, and changes nothing before an ending."""

import pytest
from hypothesis import given, settings

from fmcts import Search, trees
from fmcts.search._tree import walk
from fmcts.search.methods import METHODS
from fmcts.testing import generators
from tiers import usually
from toy_games import small_positions


# What resolves nodes is written once for all methods: one of each form says as much.
@pytest.mark.parametrize('resolves', ['solver', 'closing'])
@pytest.mark.parametrize('name', usually(['ucb1', 'ucb1-tuned', 'puct', 'grave'], METHODS))
@given(small_positions, generators())
@settings(max_examples=15)
def test_equals_plain_search_until_something_is_resolved(name, resolves, state, rng):
    """The same visits and rewards, iteration for iteration, up to the first end."""
    resolving = trees(state, rng, Search(selection=name, **{resolves: True}))
    plain = trees(state, rng, Search(selection=name))
    for _, (one, after), (two, other_after) in zip(range(60), resolving, plain, strict=False):
        if any(node.columns.own[-1] for node in walk(one)):
            break
        assert after == other_after
        kept = [(node.move, node.visits, node.reward) for node in walk(one)]
        assert kept == [(node.move, node.visits, node.reward) for node in walk(two)]
