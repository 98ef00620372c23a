"""How the laws call a generator and compare generators."""

from itertools import count

import pytest
from attrs import frozen

from fmcts.testing._laws.generators import (
    STREAM,
    GeneratorCase,
    alike,
    drawn,
    equal_both_ways,
    numbers,
    reads_back,
    refuses,
)
from fmcts.testing._laws.law import OtherwiseError


@frozen
class Listed:
    """It draws what is listed, from `place` on; what is asked of it is noted."""

    listed: tuple
    place: int = 0
    name: str = ''

    def uniform(self, low, high):
        assert (low, high) == (0, 2**20 - 1)
        return self.listed[self.place], Listed(self.listed, self.place + 1, self.name)

    def __repr__(self):
        return self.name


def gives(answer):
    """A generator that gives this for every range."""

    class Given:
        def uniform(self, _low, _high):
            return answer(self) if callable(answer) else answer

        def __repr__(self):
            return 'a generator'

    return Given()


def fails(error):
    def raises(_self):
        raise error

    return gives(raises)


def test_a_case_starts_without_line_and_text():
    case = GeneratorCase(7)
    assert (case.generator, case.line, case.text) == (7, (), None)
    assert GeneratorCase(7) != GeneratorCase(7)


def test_drawn_returns_a_number_and_a_generator():
    generator = gives(lambda self: (5, self))
    assert drawn(generator, 3, 9) == (5, generator)


@pytest.mark.parametrize(
    ('answer', 'words'),
    [
        (5, '5, which is not a pair'),
        ((5,), '(5,), which is not a pair'),
        ((5, 6, 7), '(5, 6, 7), which is not a pair'),
        ([5, 6], '[5, 6], which is not a pair'),
        ((5.0, 6), '5.0, which is not an int'),
        ((True, 6), 'True, which is not an int'),
        ((5, 6), '6 as the next Given'),
    ],
    ids=count(),
)
def test_invalid_results_of_a_draw_are_reported(answer, words):
    with pytest.raises(OtherwiseError) as told:
        drawn(gives(answer), 3, 9)
    assert str(told.value) == f'uniform(3, 9) gave {words}'


# Refusing.


@pytest.mark.parametrize('error', [ValueError, TypeError])
def test_refusals_must_have_one_line(error):
    assert refuses(fails(error('no such range')), 3, 9) == 'no such range'
    for text in ('', 'no such\nrange'):
        with pytest.raises(OtherwiseError) as told:
            refuses(fails(error(text)), 3, 9)
        assert str(told.value) == (
            f'uniform(3, 9) raised {error.__name__} without one line that says why'
        )


def test_ranges_that_are_not_refused():
    assert refuses(gives(5), 3, 9) is None
    with pytest.raises(KeyError):
        refuses(fails(KeyError('no')), 3, 9)


# One and another.


def test_numbers_takes_the_first_of_a_stream():
    assert STREAM == 24
    assert numbers(Listed(tuple(range(100)), 7)) == tuple(range(7, 31))


LONG = 'generator ' * 12
CUT = LONG[:80] + '...'
FROM_0, FROM_1 = (Listed(tuple(range(100)), place) for place in (0, 1))


@pytest.mark.parametrize(
    ('family', 'words'),
    [
        ((), None),
        ((FROM_0,), None),
        ((FROM_0, FROM_1), None),
        ((Listed((), 0, LONG),) * 2, f'0 and 1 are equal: {CUT}'),
        ((FROM_0, FROM_1, FROM_0), '0 and 2 are equal: '),
        ((FROM_1, FROM_0, FROM_0), '1 and 2 are equal: '),
        ((FROM_1, FROM_0, Listed(tuple(range(50)))), '1 and 2 differ, and draw the same numbers'),
    ],
    ids=count(),
)
def test_equal_members_of_a_family_are_named(family, words):
    assert alike({str(place): one for place, one in enumerate(family)}) == words


class Compares:
    """It is equal, and unequal, as it is told."""

    def __init__(self, same, other):
        self.same, self.other = same, other

    def __eq__(self, _other):
        return self.same

    def __ne__(self, _other):
        return self.other

    __hash__ = None


@pytest.mark.parametrize(
    ('same', 'other', 'is_equal'), [(1, 0, True), (0, 1, False), (1, 1, False), (0, 0, False)]
)
def test_equality_must_be_consistent(same, other, is_equal):
    assert equal_both_ways(Compares(same, other), 7) is is_equal


@pytest.mark.parametrize(
    ('again', 'words'),
    [
        (Listed(tuple(range(100))), None),
        (FROM_1, f'the text is read back as {FROM_1!r}, not as {FROM_0!r}'),
        (Listed((), 0, LONG), f'the text is read back as {CUT}, not as '),
    ],
    ids=count(),
)
def test_the_generator_read_back_must_be_the_one_written(again, words):
    assert reads_back(FROM_0, again, 'the text') == words


def test_the_generator_read_back_must_have_the_same_hash_and_draws():
    class Equal:
        def __init__(self, *told):
            self.told = told

        def __eq__(self, other):
            return isinstance(other, Equal)

        def __hash__(self):
            return self.told[0]

        def __repr__(self):
            return f'{self.told} {LONG}'

        def uniform(self, _low, _high):
            return self.told[1], self

    one = Equal(1, 5)
    assert reads_back(one, Equal(1, 5), 'it') is None
    assert reads_back(one, Equal(2, 5), 'it') == (
        f'it is read back as {str(Equal(2, 5))[:80]}..., not as {str(one)[:80]}...'
    )
    for other in (4, 6):
        assert reads_back(one, Equal(1, other), 'it') == (
            'it is read back as one that draws other numbers'
        )
    assert reads_back(one, Equal(0, 5), 'it').startswith('it is read back as (0, 5)')
