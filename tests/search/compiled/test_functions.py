"""Functions of positions as machine code: policies, priors, evaluators, rewards."""

import re
from itertools import product

import pytest

from fmcts import EngineError, Search, SplitMix, analyse
from fmcts.errors import MethodError
from fmcts.games import connect4, tictactoe
from fmcts.rules import OnPositions
from fmcts.search.methods import PUCT, ProgressiveBias, ReducedPUCT, Widening
from tiers import is_interpreted, usually

RNG = SplitMix.from_seed(1)


def heavy(_position, menu):
    near = menu & 0x0F0F_0F0F_0F0F_0F0F
    return near or menu


def shape(position):
    return 0.25 + 0.5 * ((position.mine * 7 + position.theirs) % 17) / 17


def steps(position):
    return 0.125 + (position.mine % 3) * 0.25


def centre(position, move):
    return 1.0 / (1 + move % 7 + (position.mine & 1))


# Each is machine code of its own, so that some have several functions.
ON_POSITIONS = {
    'evaluator': Search(300, evaluate=OnPositions(shape)),
    'prior': Search(300, selection=PUCT(prior=OnPositions(centre))),
    'prior and first play from the parent, and a reward': Search(
        300, selection=ReducedPUCT(prior=OnPositions(centre)), reward=OnPositions(steps)
    ),
    'heuristic and policy': Search(
        300,
        selection=ProgressiveBias(heuristic=OnPositions(centre)),
        playout=OnPositions(heavy),
    ),
    'widening by a prior': Search(
        300, selection=Widening(k=0.5, prior=OnPositions(centre)), reward=OnPositions(steps)
    ),
    'RAVE and all that may be given': Search(
        300,
        selection='rave',
        expansion='random',
        playout=OnPositions(heavy),
        reward=OnPositions(steps),
    ),
    'prior and evaluator': Search(
        300, selection=PUCT(prior=OnPositions(centre)), evaluate=OnPositions(shape)
    ),
    'all at once': Search(
        300,
        selection='amaf',
        expansion='full',
        playout=OnPositions(heavy),
        reward=OnPositions(steps),
    ),
    'own columns and real rewards': Search(
        300, selection='ucb1-tuned', expansion='random', evaluate=OnPositions(shape)
    ),
}


@pytest.mark.parametrize('name', usually(['all at once'], ON_POSITIONS))
def test_functions_of_positions_agree_in_all_engines(equal, name):
    search = ON_POSITIONS[name]
    one, rng = equal(connect4.start, SplitMix.from_seed(42), search)
    equal(connect4.start, rng, search, tree=one.tree)
    inplace, _ = analyse(connect4.start, SplitMix.from_seed(42), search, engine='inplace')
    assert inplace.digest == one.digest


@pytest.mark.exhaustive  # test_methods has the same of the numbers of a method
def test_a_prior_is_compiled_once(equal, monkeypatch):
    from fmcts._compiled import engine  # noqa: PLC0415 - it loads numba

    search = Search(20, selection=PUCT(prior=OnPositions(centre)))
    analyse(connect4.start, RNG, search, engine='compiled')
    monkeypatch.setattr(engine.loop, 'make_loop', None)
    again = Search(20, selection=PUCT(c=0.5, prior=OnPositions(centre)))
    equal(connect4.start, RNG, again)


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
    ],
)
def test_unsupported_functions_are_refused_by_name(search, why):
    with pytest.raises(
        EngineError,
        match=re.escape(f'the engine compiled does not support {why}'),
    ):
        analyse(tictactoe.start, RNG, search, engine='compiled')


def astray(position, _menu):
    """No legal move in the first playout after one move, and none at all after two."""
    return 1 << 20 if position.mine == 0 else 0


AFTER_ONE = tictactoe.start.play(0)
NO_POLICY = 'the playout policy astray must return at least one of the legal moves'
NO_WORTH = r'must return a number from 0 \(X loses\) to 1 \(X wins\)'
WRONG = {
    'an illegal policy': (tictactoe.start, Search(50, playout=OnPositions(astray)), NO_POLICY),
    'an empty policy': (AFTER_ONE, Search(50, playout=OnPositions(astray)), NO_POLICY),
    'an evaluation': (
        tictactoe.start,
        Search(50, evaluate=OnPositions(lambda _position: 1.5)),
        NO_WORTH,
    ),
    'a reward': (
        tictactoe.start,
        Search(50, reward=OnPositions(lambda _position: -0.5)),
        NO_WORTH,
    ),
}


@pytest.mark.parametrize(
    ('name', 'engine'),
    usually(
        lambda case: is_interpreted(case[1]) or case[0] == 'a reward',
        product(WRONG, ['persistent', 'compiled']),
    ),
)
def test_functions_with_wrong_results_are_named(name, engine):
    state, search, message = WRONG[name]
    with pytest.raises(MethodError, match=message):
        analyse(state, RNG, search, engine=engine)
