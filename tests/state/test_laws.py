"""The laws of `State`: those that `returns` states, and those of get and put.

The states of these tests are few, so an action is a finite table, drawn whole, and two actions are
equal exactly when they agree on every state: nothing about equality is left to luck. (The stock
strategy of `returns` draws `from_value` only, and would find nothing in an action that forgets its
state.)

Law checks register strategies in a global table of hypothesis, so they do not mix with xdist.
"""

import inspect
from functools import partial

import pytest
from hypothesis import given, strategies as st
from returns.contrib.hypothesis.laws import check_all_laws

from fmcts.state import State, for_each, get, gets, modify, put, replicate
from fmcts.state._container import pure

STATES = range(4)
states = st.sampled_from(STATES)
everywhere = st.integers(0, 4 ** len(STATES) - 1)


def table(rows):
    """The action that gives `rows[state]`."""
    return State(lambda state: rows[state])


def rows_of(values, leads):
    """The rows with these values, and the next states that the bits of a number say."""
    return [(value, leads >> 2 * state & 3) for state, value in zip(STATES, values, strict=True)]


def actions(values):
    """Every action on these states: a value and a next state for each state."""
    return st.builds(rows_of, st.tuples(*(values for _ in STATES)), everywhere).map(table)


def same(one, other):
    """Whether two actions do the same on every state."""
    return [one.run(state) for state in STATES] == [other.run(state) for state in STATES]


def equal_when_run(one, other):
    return same(one, other) if isinstance(other, State) else NotImplemented


@pytest.fixture(autouse=True, scope='module')
def equality():
    """`==` compares what actions do, in this module, since the laws of `returns` use it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(State, '__eq__', equal_when_run)
        yield


def any_action(kind):
    """The strategy for the type that a law asks for: `State[its value, S]`."""
    value, *_ = getattr(kind, '__args__', (int,))
    return actions(st.from_type(value)) | st.builds(State.from_value, st.from_type(value))


# For each test the stack is read to find the module. The source of the frames is not needed, and
# reading it takes a second and a half.
with pytest.MonkeyPatch.context() as patch:
    patch.setattr(inspect, 'stack', partial(inspect.stack, 0))
    check_all_laws(State, container_strategy=any_action)


def test_there_are_nine_laws_of_returns():
    assert sum(name.startswith('test_state_') for name in globals()) == 9


def pair_up(one, two):
    """An action that shows two values and the state it finds, and changes the state."""
    return State(lambda state: ((one, two, state), state + 1))


# Each law: two actions, made with the `get` and `put` in question, that must do the same.
GET_AND_PUT = {
    'put, put': lambda _, put, a, b: (put(a).bind(lambda _: put(b)), put(b)),
    'put, get': lambda get, put, a, _: (
        put(a).bind(lambda _: get()),
        put(a).bind(lambda _: pure(a)),
    ),
    'get, put': lambda get, put, _a, _b: (get().bind(put), pure(None)),
    'get, get': lambda get, _, _a, _b: (
        get().bind(lambda one: get().bind(lambda two: pair_up(one, two))),
        get().bind(lambda one: pair_up(one, one)),
    ),
}


@pytest.mark.parametrize('law', GET_AND_PUT)
@given(first=st.integers(), second=st.integers(), state=st.integers())
def test_get_and_put_laws(law, first, second, state):
    left, right = GET_AND_PUT[law](get, put, first, second)
    assert left.run(state) == right.run(state)


functions = st.lists(states, min_size=len(STATES), max_size=len(STATES)).map(
    lambda row: row.__getitem__
)


@given(function=functions)
def test_modify_and_gets_follow_from_get_and_put(function):
    assert same(modify(function), get().bind(lambda state: put(function(state))))
    assert same(gets(function), get().map(function))


@given(action=actions(st.integers()), times=st.integers(0, 6))
def test_replicate_equals_a_chain_of_binds(action, times):
    def repeated(left):
        if left == 0:
            return pure(())
        return action.bind(lambda one: repeated(left - 1).map(lambda rest: (one, *rest)))

    assert same(replicate(times, action), repeated(times))


@given(rows=st.lists(actions(st.integers()), max_size=6))
def test_for_each_runs_the_actions_in_order(rows):
    def in_order(left):
        if not left:
            return pure(())
        first, *others = left
        return first.bind(lambda one: in_order(others).map(lambda rest: (one, *rest)))

    assert same(for_each(range(len(rows)), rows.__getitem__), in_order(rows))


@given(action=actions(st.integers()), function=actions(st.integers()))
def test_apply_runs_its_action_before_the_function_s(action, function):
    pairs = function.map(lambda other: lambda value: (value, other))
    expected = action.bind(lambda value: function.map(lambda other: (value, other)))
    assert same(action.apply(pairs), expected)
