"""Policies that remember: named, combined with other policies and schedules, and refused."""

import math
import re

import pytest
from hypothesis import given, settings, strategies as st

from agreeing import agree
from fmcts import EngineError, Search, SplitMix, analyse, mcts
from fmcts.bots._spec import parse_bot
from fmcts.games import connect4, tictactoe
from fmcts.search.policies import MAST, NST, LastGoodReply, Mixture, Uniform, epsilon
from fmcts.testing import generators
from naive_mast import Watching
from remembering import running

RNG = SplitMix.from_seed(1)
# ---- with other policies, methods and evaluators; compiled ----


@pytest.mark.parametrize('engine', ['monadic', 'inplace'])
@pytest.mark.parametrize('options', [{}, {'expansion': 'jump'}, {'max_nodes': 300}])
def test_playouts_that_join_the_tree_are_remembered(engine, options):
    search = Search(60, playout=MAST(0.25), rollout_expand=True, **options)
    one, _ = agree(connect4.start, RNG, search, engine)
    (table,) = one.tree.columns.memory
    plays = sum(count for count, _ in table.entries.values())
    assert 7 * one.iterations <= plays <= 42 * one.iterations  # every move of whole games, once


@pytest.mark.parametrize('policy', [MAST(), LastGoodReply()], ids=lambda policy: policy.name)
@given(running, generators(), st.integers(1, 40))
@settings(max_examples=30)
def test_epsilon_1_is_uniform(policy, state, rng, iterations):
    """To the digest: nothing is remembered that nothing depends on."""

    def found(playout):
        analysis, after = analyse(state, rng, Search(iterations, playout=playout), engine='inplace')
        return analysis.digest, after

    assert found(epsilon(policy, 1)) == found('uniform')
    if policy == MAST():
        assert found(MAST(1)) == found('uniform')
        assert found(Mixture((MAST(1), Uniform()), (0.5, 0.5))) != found(MAST(0.5))


@pytest.mark.parametrize(
    ('name', 'policy', 'misspelt'),
    [
        ('mast', MAST(0.1), 'mats'),
        ('last-good-reply', LastGoodReply(), 'last-god-reply'),
        ('nst', NST(0.1, least=7), 'nts'),
    ],
)
def test_policies_by_name(name, policy, misspelt):
    search = Search(50, playout=name)
    assert parse_bot(f'mcts:50,playout={name}').unwrap() == mcts(search)
    assert search.policy == Search(playout=policy).policy
    with pytest.raises(ValueError, match=re.escape(f'not {misspelt!r} (did you mean {name}?)')):
        Search(playout=misspelt)


# ---- what is refused ----


@pytest.mark.parametrize('share', [-0.1, 1.1, math.nan, 'x', None, True])
def test_epsilon_must_be_from_0_to_1(share):
    with pytest.raises(ValueError, match='epsilon must be a number from 0 to 1, not '):
        MAST(share)


@pytest.mark.needs_numba
def test_a_user_s_policy_with_memory_is_not_compiled():
    with pytest.raises(
        EngineError, match='the engine compiled does not support playout=Watching, a policy w'
    ):
        analyse(tictactoe.start, RNG, Search(3, playout=Watching()), engine='compiled')
