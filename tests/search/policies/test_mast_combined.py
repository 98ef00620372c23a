"""MAST combined with other policies and schedules, and refused combinations."""

import math
import re

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import EngineError, Search, SplitMix, analyse, mcts
from fmcts._running.registry import ENGINES
from fmcts.bots._spec import parse_bot
from fmcts.games import connect4, tictactoe
from fmcts.rules import OnPositions
from fmcts.search.policies import MAST, Decisive, LastGoodReply, Mixture, epsilon
from fmcts.testing import positions
from naive_mast import Watching
from remembering import Stairs
from tiers import is_interpreted, usually

RNG = SplitMix.from_seed(1)


# ---- with other policies, methods and evaluators; compiled ----


def field_of(position):
    return (position[0] % 16) / 16.0


COMPOSED = {
    'amaf': (connect4.start, {'playout': MAST(0.25), 'selection': 'amaf'}),
    'mixture': (
        tictactoe.start,
        {
            'playout': Mixture(
                (MAST(), Decisive(), LastGoodReply(forgetting=True)), (0.5, 0.25, 0.25)
            ),
            'solver': True,
        },
    ),
    'evaluator': (
        connect4.start,
        {
            'playout': epsilon(MAST(), 0.5),
            'evaluate': OnPositions(field_of),
            'evaluate_after': 3,
            'selection': 'puct',
        },
    ),
    'jump': (
        connect4.start,
        {'playout': Mixture((MAST(), LastGoodReply()), (0.5, 0.5)), 'expansion': 'jump'},
    ),
    'closing': (Stairs(9), {'playout': MAST(0), 'closing': True, 'expansion': 'full'}),
}


@pytest.mark.parametrize('engine', usually(is_interpreted, ENGINES))
@pytest.mark.parametrize('name', COMPOSED)
def test_engines_agree_in_combinations(engine, name):
    start, options = COMPOSED[name]
    search = Search(120, **options)
    one, after = analyse(start, RNG, search, engine='persistent')
    two, other_after = analyse(start, RNG, search, engine=engine)
    assert (one.digest, one.move, after) == (two.digest, two.move, other_after)
    assert one.tree == two.tree
    assert one.tree.columns.memory == two.tree.columns.memory


@pytest.mark.parametrize('engine', ['monadic', 'inplace'])
@pytest.mark.parametrize('options', [{}, {'expansion': 'jump'}, {'max_nodes': 300}])
def test_playouts_that_join_the_tree_are_remembered(engine, options):
    search = Search(60, playout=MAST(0.25), rollout_expand=True, **options)
    one, after = analyse(connect4.start, RNG, search, engine='persistent')
    two, other_after = analyse(connect4.start, RNG, search, engine=engine)
    assert (one.tree, after) == (two.tree, other_after)
    (table,) = one.tree.columns.memory
    assert table.entries == two.tree.columns.memory[0].entries
    plays = sum(count for count, _ in table.entries.values())
    assert plays > one.nodes / 2  # also what was played below the tree's first nodes


@pytest.mark.needs_numba
@given(
    positions(tictactoe.start, running=True),
    st.integers(0, 99),
    st.integers(1, 200),
    st.floats(0.01, 0.99),
)
@settings(max_examples=15)
def test_compiled_code_agrees_from_any_position(state, seed, iterations, share):
    search, rng = Search(iterations, playout=MAST(share)), SplitMix.from_seed(seed)
    one, after = analyse(state, rng, search, engine='inplace')
    two, other_after = analyse(state, rng, search, engine='compiled')
    assert (one.digest, one.tree, after) == (two.digest, two.tree, other_after)


# ---- what is refused ----


@pytest.mark.parametrize('share', [-0.1, 1.1, math.nan, 'x', None, True])
def test_epsilon_must_be_from_0_to_1(share):
    with pytest.raises(ValueError, match='epsilon must be a number from 0 to 1, not '):
        MAST(share)


def test_an_evaluation_instead_of_playouts_is_refused():
    with pytest.raises(ValueError, match='playout and evaluate exclude each other: an evaluation'):
        Search(playout='mast', evaluate=lambda _state: 0.5)


@pytest.mark.needs_numba
def test_a_user_s_policy_with_memory_is_not_compiled():
    with pytest.raises(
        EngineError, match='the engine compiled does not support playout=Watching, a policy w'
    ):
        analyse(tictactoe.start, RNG, Search(3, playout=Watching()), engine='compiled')


def test_mast_by_name():
    search = Search(50, playout='mast')
    assert parse_bot('mcts:50,playout=mast').unwrap() == mcts(search)
    assert search.policy == Search(playout=MAST(0.1)).policy
    message = re.escape("not 'mats' (did you mean mast?)")
    with pytest.raises(ValueError, match=message):
        Search(playout='mats')
