"""Generators as values: equality, pickles, texts; and uneven draws."""

from itertools import count

import pytest
from attrs import frozen
from returns.result import Success

from looking_at_generators import (
    AGAIN,
    BACKWARDS,
    EVEN,
    LEAVES,
    PICKLED,
    RANGE,
    TEXT,
    VALUE,
    found,
    only,
)
from zoo_generators import (
    HashByIdentity,
    Mutable,
    NegativeRanges,
    OneTooMany,
    Python,
    Right,
    WrongWayRound,
)


class NeverUnequal(Right):
    """`==` and `!=` both say yes."""

    __eq__ = Right.__eq__
    __hash__ = Right.__hash__

    def __ne__(self, other):
        return True


def equal_to(value):
    def equal(self, other):
        return other == value if not isinstance(other, Right) else self.state == other.state

    return type('EqualTo', (Right,), {'__eq__': equal, '__hash__': Right.__hash__})()


def test_equality_by_value_is_required():
    assert found(VALUE, NeverUnequal()).startswith('two that were made alike are not equal: ')
    assert found(VALUE, HashByIdentity()).startswith('two equal ones have the hashes ')
    for value in (None, 0, '', ()):
        assert found(VALUE, equal_to(value)).endswith(' equals a value that is not a generator')


@pytest.mark.parametrize('more', [1, -1])
def test_hashes_that_change_are_reported(more):
    class Turning(Right):
        asked = [100]  # noqa: RUF012 - the mistake

        def __hash__(self):
            self.asked[0] += more
            return self.asked[0]

    first = 100 + 3 * more  # asked for twice before it is told
    assert found(VALUE, Turning()) == (f'two equal ones have the hashes {first} and {first + more}')


def test_pickles_are_read_back():
    wrong = type('Wrong', (Right,), {'__reduce__': lambda self: (Right, (self.state,))})(5)
    assert found(PICKLED, wrong) == (
        'its pickle is read back as Right(state=5), not as Wrong(state=5)'
    )
    unable = type('Unable', (Right,), {'__reduce__': lambda _: 1 // 0})()
    assert found(PICKLED, unable) is None


def write(rng):
    return f'{rng.state:x}'


def read(text):
    return Right(int(text, 16))


@frozen
class Hidden(Right):
    """Two that are equal, and draw other numbers."""

    other: int = 0

    def __eq__(self, other):
        return isinstance(other, Hidden)

    def __hash__(self):
        return 1


@frozen
class OtherHash(Hidden):
    def __hash__(self):
        return self.other


NO_LINE, BACK = 'which is not a line of text', "the text '4d' is read back as"
OF_7 = f'{BACK} Right(state=7), not as Right(state=77)'


@pytest.mark.parametrize(
    ('generator', 'text', 'words'),
    [
        (Right(77), (write, read), None),
        (Right(77), (write, lambda text: Success(read(text))), None),
        (Right(77), (lambda _: 77, read), f'is written as 77, {NO_LINE}'),
        (Right(77), (lambda _: '', read), f"is written as '', {NO_LINE}"),
        (Right(77), (lambda rng: f'{rng.state:x}\n0', read), f"is written as '4d\\n0', {NO_LINE}"),
        (Right(77), (write, lambda _: Right(7)), OF_7),
        (Right(77), (write, lambda _: Success(Right(7))), OF_7),
        (Hidden(77), (write, lambda _: Hidden(7)), f'{BACK} one that draws other numbers'),
        (
            OtherHash(77),
            (write, lambda _: OtherHash(77, 1)),
            f'{BACK} OtherHash(state=77, other=1), not as OtherHash(state=77, other=0)',
        ),
    ],
    ids=count(),
)
def test_texts_are_read_back(generator, text, words):
    assert found(TEXT, generator, text) == words


# Evenness.


def test_uneven_draws_are_reported():
    """What is comes in `test_laws_of_generators.py`."""
    numbers, pairs, children = EVEN
    assert found(pairs, Right()) is found(children, Right()) is None
    assert found(numbers, only(0, 4, 4)).endswith('of 2000 draws of uniform(0, 4) are 0')
    assert found(pairs, only(0, 2, 2)).endswith(
        'of 2000 pairs of draws of uniform(0, 2) are (0, 0)'
    )
    assert found(children, only(0, 2, 2)).endswith(
        'the first draw of uniform(0, 2) is 0 for none of 2000 children'
    )


def test_violations_of_the_zoo_in_words():
    assert found(BACKWARDS, WrongWayRound()).startswith('uniform(6, 0) gave ')
    assert found(LEAVES, Mutable()).startswith('uniform(0, 6): the generator.state was 1 and is ')
    assert found(RANGE, NegativeRanges()).startswith('uniform(-4, -4) gave 4')
    assert found(RANGE, OneTooMany()).startswith('uniform(')
    assert found(AGAIN, Python()).startswith('uniform(')
