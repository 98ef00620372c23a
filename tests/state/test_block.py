"""`do` blocks: equal to chains of binds, run afresh each time, at any depth."""

import functools
import sys

import pytest
from hypothesis import given, strategies as st

from fmcts.state import State, do, for_each, get, put, replicate

step = State(lambda n: (n, n + 1))


@do
def numbered(letters, *, sign='.'):
    """Letters with the numbers they were drawn at."""
    lines = []
    for letter in letters:
        number = yield from step
        lines.append(f'{number}{sign}{letter}')
    return lines


@given(letters=st.text(max_size=5), state=st.integers())
def test_a_block_equals_its_chain_of_binds(letters, state):
    binds = for_each(letters, lambda letter: step.map(lambda number: f'{number}){letter}'))
    assert numbered(letters, sign=')').run(state) == binds.map(list).run(state)


def test_an_action_from_a_block_runs_any_number_of_times():
    action = numbered('ab')
    assert action.run(1) == action.run(1) == (['1.a', '2.b'], 3)
    assert replicate(2, action).run(1) == ((['1.a', '2.b'], ['3.a', '4.b']), 5)


def test_yield_and_yield_from_are_equivalent():
    @do
    def with_yield():
        state = yield get()
        yield put(state * 10)
        return state

    @do
    def with_yield_from():
        state = yield from get()
        yield from put(state * 10)
        return state

    assert with_yield().run(4) == with_yield_from().run(4) == (4, 40)


def test_nested_blocks_do_not_recurse():
    @do
    def down(n):
        if n == 0:
            return (yield from step)
        value = yield from down(n - 1)
        return value + 1

    depth = 50 * sys.getrecursionlimit()
    assert down(depth).run(1) == (depth + 1, 2)


def test_two_interleaved_runs_are_independent():
    """One run is begun while another of the same action is under way."""

    @do
    def outer():
        first = yield step
        inside = action.eval_state(100) if first < 100 else None
        second = yield step
        return first, second, inside

    action = outer()
    assert action.run(1) == ((1, 2, (100, 101, None)), 3)


def test_the_decorated_function_keeps_its_name_and_docstring():
    assert numbered.__name__ == 'numbered'
    assert numbered.__doc__ == 'Letters with the numbers they were drawn at.'


@pytest.mark.parametrize('wrong', [5, None, 'text'])
def test_only_actions_may_be_yielded(wrong):
    @do
    def block():
        yield wrong

    with pytest.raises(TypeError, match=f'a State was expected here, not {wrong!r}'):
        block().run(1)


def test_errors_propagate():
    @do
    def block():
        yield step
        yield State(lambda n: (1 // (n - 2), n))

    assert block().run(5) == (None, 6)
    with pytest.raises(ZeroDivisionError):
        block().run(1)


def plain(number):
    return number


def handing_on(block):
    """A decorator: what it makes has no `yield`, and hands on the generator of `block`."""

    def logged(*arguments):
        return block(*arguments)

    return logged


def test_a_function_without_yield_is_refused():
    with pytest.raises(TypeError) as told:
        do(plain)(5).run(1)
    assert str(told.value) == (
        'plain is under @do but has no yield: it made 5 where a generator was expected '
        '(State.from_value makes an action of a value)'
    )
    with pytest.raises(TypeError, match='plain is under @do'):
        do(plain)(step).run(1)
    with pytest.raises(TypeError, match='yield: it made None where'):
        do(functools.partial(plain, None))().run(1)


def test_a_generator_made_by_another_function_is_accepted():
    @do
    @handing_on
    def twice(times):
        first = yield step
        second = yield step
        return times * (first + second)

    action = twice(10)
    assert action.run(1) == action.run(1) == (30, 3)
    assert do(functools.partial(numbered.__wrapped__, 'ab'))().run(1) == (['1.a', '2.b'], 3)
