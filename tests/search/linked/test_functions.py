"""Functions of positions as machine code: policies, priors, evaluators, rewards."""

import re

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from drawn_games import Maze
from drawn_searches import judging
from fmcts import EngineError, Search, SplitMix, analyse
from fmcts.errors import MethodError
from fmcts.games import tictactoe
from fmcts.rules import OnPositions
from fmcts.search.methods import PUCT, ImplicitMinimax, ProgressiveBias
from fmcts.search.policies import Decisive, Mixture, Narrowing
from fmcts.testing import positions
from shapes import ABOVE, BELOW, NONE, OF_SETS, SHAPES, equal, heavy
from tiers import usually

RNG = SplitMix.from_seed(1)


def centre(position, move):
    return 1.0 / (1 + move % 7 + (position.mine & 1))


# What methods take is in test_shapes; here are menus that are sets of bits.
ON_POSITIONS = {
    'heuristic and policy': Search(
        300, selection=ProgressiveBias(heuristic=OnPositions(centre)), playout=OnPositions(heavy)
    ),
    'policy and reward': OF_SETS,
}


@pytest.mark.parametrize('name', usually(['policy and reward'], ON_POSITIONS))
@given(state=positions(tictactoe.start, running=True), seed=st.integers(0, 99))
@settings(max_examples=8)
def test_functions_of_positions_agree_in_all_engines(name, state, seed):
    search = ON_POSITIONS[name]
    one, rng = equal(state, SplitMix.from_seed(seed), search)
    equal(state, rng, search, tree=one.tree)
    inplace, _ = analyse(state, SplitMix.from_seed(seed), search, engine='inplace')
    assert inplace.digest == one.digest


class Weighed(PUCT):
    """A subclass whose rows begin otherwise, on states only."""

    def first_rows(self, _state, moves):
        return ([1.0 / (1 + move) for move in moves],)


def on_states(state):
    return state.moves


@pytest.mark.parametrize(
    ('search', 'why'),
    [
        (Search(playout=on_states), 'playout=on_states, a function of states: wrap a function'),
        (Search(evaluate=on_states), 'evaluate=on_states, a function of states: wrap a function'),
        (Search(reward=on_states), 'reward=on_states, a function of states: wrap a function'),
        (Search(selection=PUCT(prior=on_states)), 'the prior on_states, which is a function of st'),
        (Search(selection=Weighed()), 'first_rows of states, as in Weighed: define first_numbers'),
        (
            Search(selection=ImplicitMinimax(heuristic=on_states)),
            'heuristic=on_states, a function of states: wrap a function',
        ),
        (Search(network=judging), 'network=judging, a function of states'),
        (Search(transpositions='naive'), "transpositions='naive', which credits every parent"),
        (Search(schedule='shot'), 'schedules below the root, such as shot; use one of: inplace, p'),
    ],
)
def test_unsupported_searches_are_refused_by_name(search, why):
    with pytest.raises(EngineError, match=re.escape(f'the engine compiled does not support {why}')):
        analyse(tictactoe.start, RNG, search, engine='compiled')


NO_POLICY = 'the playout policy heavy must return at least one of the legal moves'
MIXED = Mixture((Narrowing(OnPositions(heavy)), Decisive()), (0.75, 0.25))
NO_WORTH = r'must return a number from 0 \(X loses\) to 1 \(X wins\)'


@pytest.mark.parametrize(
    ('state', 'search', 'message'),
    [
        (NONE, OF_SETS, NO_POLICY),
        (NONE, evolve(OF_SETS, playout=MIXED), NO_POLICY),
        (Maze(ABOVE, 20, 5), SHAPES['evaluated'], f'the evaluator valued {NO_WORTH}'),
        (Maze(BELOW, 20, 5), SHAPES['rewarded'], f'the reward paid {NO_WORTH}'),
    ],
    ids=['an empty policy', 'in a mixture', 'an evaluation', 'a reward'],
)
def test_functions_with_wrong_results_are_named(state, search, message):
    """By all engines in the same words."""
    said = set()
    for engine in ('persistent', 'compiled'):
        with pytest.raises(MethodError, match=message) as caught:
            analyse(state, RNG, evolve(search, iterations=90), engine=engine)
        said.add(str(caught.value))
    assert len(said) == 1
