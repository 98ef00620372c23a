"""Limits of parameters at which a method equals a simpler one.

Exact: the same moves, visits, rewards and generator in the whole tree, and where both keep the same
columns the same digest.
"""

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from chained import mazes
from fmcts import Search, analyse
from fmcts.games import tictactoe
from fmcts.search._tree import walk
from fmcts.search.methods import (
    RAVE,
    RaveSilver,
    Widening,
)
from fmcts.testing import generators, positions
from fmcts.testing._strategies import splitmixes
from shapes import OF_SETS, SHAPES

CONSTANTS = st.floats(0, 3)
LARGEST, SMALLEST = 1e300, 5e-324


def shared_columns(found):
    """What every method keeps, of the whole tree, and the generator."""
    analysis, rng = found
    kept = [(node.move, node.visits, node.reward) for node in walk(analysis.tree)]
    return kept, analysis.move, rng


@pytest.mark.parametrize('engine', ['inplace', 'compiled'])  # machine code marks moves otherwise
@given(mazes(), splitmixes(), st.integers(1, 80))
@settings(max_examples=40)
def test_rave_with_the_largest_k_equals_amaf(engine, state, rng, iterations):
    """With the largest `k`, and without a bias at few visits, only AMAF's means decide."""
    shape = evolve(SHAPES['rave'], iterations=iterations)
    rave, amaf = (
        analyse(state, rng, evolve(shape, selection=method), engine=engine)
        for method in (RAVE(k=LARGEST), RAVE(k=LARGEST, c=0))
    )
    assert shared_columns(rave) == shared_columns(amaf)
    least = evolve(shape, selection=RAVE(k=SMALLEST))
    assert analyse(state, rng, least, engine=engine) == analyse(state, rng, least, engine='inplace')


@pytest.mark.parametrize('engine', ['inplace', 'compiled'])
@given(positions(tictactoe.start, running=True), splitmixes(), st.integers(1, 120), CONSTANTS)
@settings(max_examples=40)
def test_silver_with_a_huge_bias_equals_rave_with_the_smallest_k(engine, state, rng, iterations, c):
    """Then all tried moves have UCB1's scores: so have those of RAVE with the smallest `k`."""
    silver, smallest = (
        analyse(state, rng, evolve(OF_SETS, iterations=iterations, selection=method), engine=name)
        for name, method in (
            (engine, RaveSilver(c=c, bias=LARGEST)),
            ('inplace', RAVE(c=c, k=SMALLEST)),
        )
    )
    assert shared_columns(silver) == shared_columns(smallest)


@pytest.mark.parametrize('resolution', ['solver', 'closing'])
@given(positions(tictactoe.start, running=True), generators())
@settings(max_examples=20)
def test_widening_continues_past_resolved_moves(resolution, state, rng):
    """A move that is known to be lost is left out; then the next one is considered."""
    search = Search(300, selection=Widening(k=0), **{resolution: True})
    analysis, _ = analyse(state, rng, search)
    for node in walk(analysis.tree):
        left_out = [child for child in node.children if child.columns.own[-1]]
        assert len(node.children) <= len(left_out) + 1
