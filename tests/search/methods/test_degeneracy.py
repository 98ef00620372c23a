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
    AMAF,
    GRAVE,
    PUCT,
    RAVE,
    FirstPlay,
    ImplicitMinimax,
    ProgressiveBias,
    RaveSilver,
    ReducedPUCT,
    Widening,
)
from fmcts.testing import generators, positions
from fmcts.testing._strategies import splitmixes
from shapes import OF_SETS, SHAPES
from small_positions import running

CONSTANTS = st.floats(0, 3)
LARGEST, SMALLEST = 1e300, 5e-324


def shared_columns(found):
    """What every method keeps, of the whole tree, and the generator."""
    analysis, rng = found
    kept = [(node.move, node.visits, node.reward) for node in walk(analysis.tree)]
    return kept, analysis.move, rng


def by_index(state):
    return [1.0 / (2 + index) for index in range(len(state.moves))]


PLAIN = {
    'AMAF with the weight 0': lambda c: AMAF(alpha=0, c=c),
    'RAVE with k 0': lambda c: RAVE(c=c, k=0),
    'progressive bias with the weight 0': lambda c: ProgressiveBias(
        c=c, weight=0, heuristic=by_index
    ),
    'widening without limit': lambda c: Widening(c=c, k=LARGEST),
    'GRAVE without a reference': lambda c: GRAVE(ref=LARGEST, c=c),
    'implicit minimax with the weight 0': lambda c: ImplicitMinimax(
        0, lambda state: 1 / (1 + len(state.moves)), c
    ),
    'an urgency above all': lambda c: FirstPlay(c=c, first_play=LARGEST),
}


@given(running, generators(), st.integers(1, 150), CONSTANTS)
@settings(max_examples=60)
def test_equals_ucb1_without_its_own_terms(state, rng, iterations, c):
    plain = analyse(state, rng, Search(iterations, c=c))
    expected = shared_columns(plain)
    for name, with_constant in PLAIN.items():
        method = with_constant(c)
        found = analyse(state, rng, Search(iterations, selection=method))
        assert shared_columns(found) == expected, name
        if not method.names:
            assert found[0].digest == plain[0].digest, name


@given(running, generators(), st.integers(1, 150), CONSTANTS)
@settings(max_examples=60)
def test_reduced_puct_equals_puct_where_all_values_are_equal(state, rng, iterations, c):
    def half(_state):
        return 0.5

    reduced = ReducedPUCT(c=c, reduction=0, prior=by_index)
    absolute = PUCT(c=c, first_play=0.5, prior=by_index)
    one, two = (
        analyse(state, rng, Search(iterations, selection=method, evaluate=half, reward=half))
        for method in (reduced, absolute)
    )
    assert one[0].digest == two[0].digest
    assert one[1] == two[1]


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
