"""Running actions: any depth, any number of times; equality, text, pickles, errors."""

import copy
import functools
import operator
import pickle
import sys
from unittest import mock

import pytest
from hypothesis import given, strategies as st
from returns.primitives.exceptions import ImmutableStateError

from fmcts import mcts, random_bot
from fmcts.bots import MonteCarlo
from fmcts.games import tictactoe
from fmcts.search._description import Search
from fmcts.state import State, do, for_each, from_state, get, put, replicate, to_state
from fmcts.testing import generators, positions

step = State(lambda n: (n, n + 1))
LONG = 20_000


def forward(n):
    return n * 2, n + 1


def follow(value):
    return State(forward).map(value.__add__)


def left_nested(links):
    return functools.reduce(lambda action, _: action.bind(lambda _: step), range(links), step)


def right_nested(links):
    return step.bind(lambda _: right_nested(links - 1)) if links else step


def test_the_tests_exceed_the_recursion_limit():
    assert 10 * sys.getrecursionlimit() < LONG


@pytest.mark.parametrize('nested', [left_nested, right_nested])
def test_long_chains_of_binds(nested):
    assert nested(LONG).run(0) == (LONG, LONG + 1)


def test_long_chains_of_maps_and_applies():
    mapped = functools.reduce(lambda action, _: action.map(lambda n: n + 1), range(LONG), step)
    assert mapped.run(5) == (5 + LONG, 6)
    add = step.map(lambda n: n.__add__)
    applied = functools.reduce(lambda action, _: action.apply(add), range(LONG), step)
    assert applied.run(0) == (sum(range(LONG + 1)), LONG + 1)


def test_nested_sequences_do_not_recurse():
    """Each level is an action of the row around it."""
    nested = functools.reduce(lambda action, _: replicate(1, action), range(LONG), step)
    value, state = nested.run(7)
    for _ in range(LONG):
        (value,) = value
    assert (value, state) == (7, 8)

    def downwards(n):
        return for_each(range(1), lambda _: downwards(n - 1)).map(len) if n else step

    assert downwards(LONG).run(0) == (1, 1)


def test_comparing_hashing_and_printing_do_not_recurse():
    long = left_nested(LONG)
    assert long == copy.deepcopy(long)
    assert long != step
    assert hash(long) == hash(long)
    assert repr(long).endswith(f', then {LONG} more>')


def test_actions_built_alike_are_equal():
    assert State(forward) == State(forward)
    assert State(forward) != State(lambda n: (n * 2, n + 1))
    assert State(forward).bind(follow) == State(forward).bind(follow)
    assert State(forward).bind(follow) != State(forward)
    assert State(forward).bind(follow).bind(follow) != State(forward).bind(follow)
    assert State.from_value(1) == State.from_value(1)
    assert State.from_value(1) != State.from_value(2)
    assert State.from_value(forward) != State(forward)
    assert State(forward) != forward
    assert State(forward) == mock.ANY  # what is no action is asked in its turn
    assert len({State(forward), State(forward), State(forward).bind(follow), step}) == 3


def test_repr():
    assert repr(State.from_value(3)) == '<State: value 3>'
    assert repr(State.from_value(3).bind(follow)) == '<State: value 3, then 1 more>'
    assert repr(State(operator.neg)) == '<State: step <built-in function neg>>'


def test_actions_cannot_be_changed():
    for action in (step, step.map(str), State.from_value(1)):
        with pytest.raises(ImmutableStateError):
            action._inner_value = None
        with pytest.raises(ImmutableStateError):
            action.other = None


def test_actions_of_plain_functions_pickle():
    for action in (State(forward), State(forward).bind(follow), State.from_value(3)):
        again = pickle.loads(pickle.dumps(action))  # noqa: S301 - our own
        assert again == action
        assert again.run(5) == action.run(5)


@pytest.mark.parametrize('wrong', [5, None, (1, 2), forward])
def test_bind_refuses_functions_that_return_no_action(wrong):
    with pytest.raises(TypeError, match='a State was expected here, not '):
        step.bind(lambda _: wrong).run(1)
    with pytest.raises(TypeError, match='a State was expected here, not '):
        for_each('ab', lambda _: wrong).run(1)


def test_a_generator_is_read_once():
    generated = for_each((letter for letter in 'ab'), lambda letter: step.map(letter.__mul__))
    assert generated.run(2) == generated.run(2) == (('aa', 'bbb'), 4)


def test_a_negative_number_of_times_is_refused():
    with pytest.raises(ValueError, match='an action can be repeated 0 or more times, not -1'):
        replicate(-1, step)


# ---- conversions ----


running = positions(tictactoe.start, max_plies=4)  # too short a game to be over
bots = st.sampled_from([random_bot, MonteCarlo(20), mcts(Search(15))])


@do
def drawn(position):
    rng = yield get()
    index, rng = rng.uniform(0, len(position.moves) - 1)
    yield put(rng)
    return position.moves[index]


state_bots = st.sampled_from([drawn, to_state(MonteCarlo(20))])


@given(bots, running, generators())
def test_round_trips_keep_a_bot_s_play(bot, position, rng):
    assert from_state(to_state(bot))(position, rng) == bot(position, rng)
    assert to_state(bot)(position).run(rng) == bot(position, rng)


@given(state_bots, running, generators())
def test_round_trips_change_nothing(bot, position, rng):
    assert to_state(from_state(bot))(position).run(rng) == bot(position).run(rng)
    assert from_state(bot)(position, rng) == bot(position).run(rng)


@given(st.integers(), st.integers())
def test_any_function_of_that_shape_is_accepted(item, state):
    def pure(item, state):
        return (item, state), item - state

    assert to_state(pure)(item).run(state) == pure(item, state)
    assert from_state(lambda item: State(lambda state: pure(item, state)))(item, state) == pure(
        item, state
    )
