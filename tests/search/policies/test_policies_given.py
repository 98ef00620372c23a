"""Users' policies and evaluations, policies by name, and refusals."""

import math
import re

import pytest
from attrs import frozen
from hypothesis import given, settings

from chained import agree
from fmcts import EngineError, Player, Search, SplitMix, analyse, mcts, random_bot
from fmcts._engines.outcomes import playout_of
from fmcts.bots._spec import parse_bot
from fmcts.errors import MethodError
from fmcts.games import connect4, tictactoe
from fmcts.rng import thaw
from fmcts.search._tree import plant
from fmcts.search.policies import (
    MAST,
    NST,
    POLICIES,
    ByBot,
    LastGoodReply,
    Mixture,
    Narrowing,
    Policy,
    Preferring,
    Recalling,
    Uniform,
    epsilon,
)
from fmcts.search.policies.decisive import is_safe, wins
from fmcts.search.policies.means import Means
from fmcts.testing import generators, positions

RNG = SplitMix.from_seed(1)


def test_a_bot_s_illegal_move_is_refused():
    def astray(_state, rng):
        return 99, rng

    message = re.escape('the bot astray of the playouts must return one of the legal moves')
    with pytest.raises(MethodError, match=message):
        analyse(tictactoe.start, RNG, Search(3, playout=ByBot(astray)))


@frozen
class Last(Policy):
    def choose(self, _state, moves, _draw):
        return moves[-1]


class Safe(Preferring):
    """Kinds that have machine code, in another order; the last has no function."""

    kinds = (('safe', is_safe), ('winning', wins), ('of no game', None))


class SafeLast(Safe):
    def choose(self, _state, moves, _draw):
        return moves[-1]


class SafeThenLast(Safe):
    def chooser(self):
        return lambda _recalled, _state, moves, _draw: moves[-1]


class Unread(Recalling):
    memories = (Means(),)
    chooser = SafeThenLast.chooser


class High(Preferring):
    kinds = (('winning', wins), ('safe', lambda _state, move: move > 4))


@pytest.mark.needs_numba
def test_kinds_with_machine_code_are_compiled_in_any_policy():
    found = {}
    for policy in (Safe(), 'anti-decisive'):
        search = Search(100, playout=policy)
        found[agree(tictactoe.start, RNG, search, 'compiled')[0].digest] = policy
    assert len(found) == 2


@pytest.mark.needs_numba
@pytest.mark.parametrize(
    ('policy', 'named'),
    [
        (ByBot(random_bot), 'playout=ByBot, a policy without machine code'),
        (epsilon(ByBot(random_bot), 0.5), 'playout=ByBot, a policy without machine code'),
        (Last(), 'playout=Last, a policy without machine code'),
        (Unread(), 'playout=Unread, a policy without machine code'),
        (SafeLast(), 'playout=SafeLast, a policy without machine code'),
        (SafeThenLast(), 'playout=SafeThenLast, a policy without machine code'),
        (High(), 'playout=High, a policy without machine code'),
        (Narrowing(len), 'playout=len, a function of states'),
    ],
)
def test_unsupported_policies_are_refused_by_name(policy, named):
    with pytest.raises(
        EngineError, match=f'the engine compiled does not support {named}.*use one of: inplace'
    ):
        analyse(tictactoe.start, RNG, Search(3, playout=policy), engine='compiled')


def mobility(state):
    return 0.25 + len(state.moves) / 32


@pytest.mark.parametrize('plies', [0, 1, 3, 100])
@given(positions(connect4.start, running=True), generators())
@settings(max_examples=20)
def test_an_evaluation_replaces_the_rest_of_a_playout(plies, state, rng):
    search = Search(evaluate=mobility, evaluate_after=plies)
    draws, expected = thaw(rng), thaw(rng)
    worth, *_ = playout_of(search, state)([], plant(state), draws.draw)
    for _ in range(plies):
        if state.over:
            break
        state = state.play(state.moves[expected.draw(len(state.moves))])
    if state.over:
        assert worth == {Player.X: 1.0, Player.O: 0.0}.get(state.winner, 0.5)
    else:
        assert worth == mobility(state)
    assert draws.freeze() == expected.freeze()


ACCEPTED = f'playout must be one of {", ".join(POLICIES)}, a Policy or a function state -> moves'


@pytest.mark.parametrize(
    ('policies', 'weights', 'message'),
    [
        ((), (), 'policies must be a tuple of at least one Policy, not ()'),
        ((len,), (1,), 'policies must be a tuple of at least one Policy, not'),
        ((Uniform(),), (1, 0), 'weights must be a tuple of 1 numbers, not (1.0, 0.0)'),
        ((Uniform(), Uniform()), (0.5, 0.4), 'weights must have the sum 1, not 0.9'),
        ((Uniform(), Uniform()), (1.5, -0.5), 'weights must be a number from 0 to 1, not 1.5'),
        ((Uniform(), Uniform()), (0.5, 'half'), "weights must be a number from 0 to 1, not 'half'"),
    ],
)
def test_invalid_mixtures_are_refused(policies, weights, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Mixture(policies, weights)


@pytest.mark.parametrize('share', [2, -0.1, 'half'])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(ValueError, match=f'share must be a number from 0 to 1, not {share!r}'):
        epsilon(Uniform(), share)


def test_policies_by_name():
    assert parse_bot('mcts:50,playout=decisive').unwrap() == mcts(Search(50, playout='decisive'))
    complaint = parse_bot('mcts:50,playout=mobility').failure()
    assert complaint.startswith(f"bot 'mcts:50,playout=mobility': {ACCEPTED[:40]}")


@pytest.mark.parametrize(
    ('name', 'policy', 'misspelt'),
    [
        ('mast', MAST(0.1), 'mats'),
        ('last-good-reply', LastGoodReply(), 'last-god-reply'),
        ('nst', NST(0.1, least=7), 'nts'),
    ],
)
def test_policies_that_remember_have_names(name, policy, misspelt):
    assert Search(playout=name).policy == Search(playout=policy).policy
    with pytest.raises(ValueError, match=re.escape(f'not {misspelt!r} (did you mean {name}?)')):
        Search(playout=misspelt)


@pytest.mark.parametrize('share', [-0.1, 1.1, math.nan, 'x', None, True])
def test_epsilon_must_be_from_0_to_1(share):
    with pytest.raises(ValueError, match='epsilon must be a number from 0 to 1, not '):
        MAST(share)
