"""Methods that change a generator, draws that differ, and streams that repeat."""

import pytest

from fmcts.testing._laws.generators import STREAM
from looking_at_generators import AGAIN, LEAVES, MOVES_ON, found
from zoo_generators import Right


@pytest.mark.parametrize('name', ['uniform', 'split', 'child'])
def test_changes_by_a_method_are_reported(name):
    given = {'uniform': '0, 6', 'split': '', 'child': '3'}[name]

    def method(self, *arguments):
        answer = getattr(Right, name)(self, *arguments)
        if ', '.join(map(str, arguments)) == given:
            object.__setattr__(self, 'state', 9)
        return answer

    changed = type('Changed', (Right,), {name: method})()
    assert found(LEAVES, changed) == f'{name}({given}): the generator.state was 1 and is 9'


@pytest.mark.parametrize('name', ['uniform(0, 6)', 'uniform(-3, 3)', 'split()', 'child(3)'])
def test_draws_that_cannot_be_repeated_are_reported(name):
    asked = []
    method, _, given = name.rstrip(')').partition('(')

    def other(self, *arguments):
        asked.append(arguments)
        answer = getattr(Right, method)(self, *arguments)
        if ', '.join(map(str, arguments)) != given or asked.count(arguments) < 2:
            return answer
        return ('another', *answer[1:]) if isinstance(answer, tuple) else 'another'

    turning = type('Turning', (Right,), {method: other})()
    told = found(AGAIN, turning)
    assert told.startswith(f'{name} gave ')
    assert ', and asked again ' in told
    assert 'another' in told.partition(', and asked again ')[2]


def test_long_values_are_truncated():
    """At 80 characters."""

    class Long(Right):
        asked = []  # noqa: RUF012 - the mistake

        def split(self):
            self.asked.append(1)
            return 'ab'[len(self.asked) % 2] * 100, 1

        def next(self):
            return self

        def __repr__(self):
            return 'long ' * 40

    quoted = '(' + repr('b' * 100), '(' + repr('a' * 100)
    assert found(AGAIN, Long()) == (
        f'split() gave {quoted[0][:80]}..., and asked again {quoted[1][:80]}...'
    )
    assert found(MOVES_ON, Long()) == (
        f'after 1 draws of uniform(0, 6) it is again {("long " * 40)[:80]}...'
    )


@pytest.mark.parametrize('length', [1, 7, STREAM, STREAM + 1])
def test_a_repeated_generator_is_reported(length):
    class Round(Right):
        def uniform(self, low, high):
            assert (low, high) == (0, 6)
            return super().uniform(low, high)

        def next(self):
            return type(self)(self.state % length + 1)

        def word(self):
            return 0

    told = found(MOVES_ON, Round())
    if length > STREAM:
        assert told is None
    else:
        assert told == f'after {length} draws of uniform(0, 6) it is again Round(state=1)'
