"""The laws of draws: violations word for word, and correct generators."""

from itertools import count

import pytest
from attrs import frozen

from looking_at_generators import (
    AGAIN,
    BACKWARDS,
    CHILDREN,
    FROZEN,
    HALVES,
    INDEX,
    LEAVES,
    METHODS,
    MOVES_ON,
    PICKLED,
    RANGE,
    TEXT,
    VALUE,
    WHOLE,
    WORD,
    Draws,
    drawing,
    found,
    only,
)
from zoo_generators import (
    ByIdentity,
    Constant,
    Fractions,
    HighExclusive,
    Narrow,
    NotFrozen,
    NumberAlone,
    Right,
    Triple,
)


@frozen
class RefusesOne(Draws):
    """It refuses one range, and errs in another."""

    low: int = 0
    high: int = 0

    def __init__(self, low, high, state=1):
        self.__attrs_init__(state, low, high)

    def next(self):
        return RefusesOne(self.low, self.high, Right(self.state).next().state)

    def uniform(self, low, high):
        if (low, high) == (self.low, self.high):
            raise ValueError('not this one')
        return super().uniform(low, high)

    def otherwise(self, low, high, number):
        return {(3, -3): 9, (0, WORD - 1): -1}.get((low, high), number)


class Lists(Right):
    """An answer of the wrong kind."""

    def uniform(self, low, high):
        return [*super().uniform(low, high)]


class Threes(Right):
    def uniform(self, low, high):
        return *super().uniform(low, high), 0


class Bools(Right):
    def uniform(self, low, high):
        number, after = super().uniform(low, high)
        return bool(number), after


class OfAnother(Right):
    def uniform(self, low, high):
        number, after = super().uniform(low, high)
        return number, Right(after.state) if type(self) is not Right else after


class Refuses(Right):
    """It refuses wide ranges, or bounds in the wrong order, in two lines."""

    def uniform(self, low, high):
        if low > high or high - low >= 1 << 31:
            raise ValueError('no\nnever')
        return super().uniform(low, high)


class TooNarrow(Right):
    """It refuses what must be served."""

    def uniform(self, low, high):
        if high - low >= (1 << 31) - 1:
            raise ValueError('at most 2**31 - 1 numbers')
        return super().uniform(low, high)


@pytest.mark.parametrize(
    ('low', 'high'),
    [
        *((0, 0), (7, 7), (-4, -4), (0, 1), (0, 6), (-3, 3), (-10, -4)),
        *((1, 65536), (-1073741824, 1073741823), (0, 2147483647)),
        *((-WORD // 2, WORD // 2 - 1), (0, WORD - 1), (-64 * WORD, 64 * WORD)),
    ],
    ids=count(),
)
def test_draws_outside_each_range_are_reported(low, high):
    for wrong in (low - 1, high + 1):
        assert found(RANGE, only(low, high, wrong)) == f'uniform({low}, {high}) gave {wrong}'
    for bound in (low, high):
        assert found(RANGE, only(low, high, bound)) is None


@pytest.mark.parametrize(
    ('law', 'generator', 'words'),
    [
        (METHODS, 7, '7 has no uniform, split, child'),
        (METHODS, Right(), None),
        (RANGE, NumberAlone(), 'uniform(0, 0) gave 0, which is not a pair'),
        (
            RANGE,
            Lists(),
            'uniform(0, 0) gave [0, Lists(state=11400714819323198486)], which is not a pair',
        ),
        (
            RANGE,
            Threes(),
            'uniform(0, 0) gave (0, Threes(state=11400714819323198486), ..., which is not a pair',
        ),
        (RANGE, Fractions(), 'uniform(0, 0) gave 0.0, which is not an int'),
        (RANGE, Bools(), 'uniform(0, 0) gave False, which is not an int'),
        (
            RANGE,
            OfAnother(),
            'uniform(0, 0) gave Right(state=11400714819323198486) as the next OfAnother',
        ),
        (RANGE, Narrow(), None),
        (
            RANGE,
            Refuses(),
            (
                'uniform(-9223372036854775808, 9223372036854775807) raised ValueError without one '
                'line that says why'
            ),
        ),
        (RANGE, TooNarrow(), 'raised ValueError: at most 2**31 - 1 numbers'),
        (WHOLE, HighExclusive(), 'in 400 draws uniform(0, 1) never gave 1'),
        (WHOLE, Constant(), 'in 400 draws uniform(0, 1) never gave 1'),
        (WHOLE, only(0, 2, 1), 'in 400 draws uniform(0, 2) never gave 0'),
        (WHOLE, only(-1, 1, 1), 'in 400 draws uniform(-1, 1) never gave -1'),
        (WHOLE, only(-5, -3, -5), 'in 400 draws uniform(-5, -3) never gave -4'),
        (WHOLE, Right(), None),
        (BACKWARDS, Right(), None),  # which refuses
        (BACKWARDS, Narrow(), None),  # which draws the same
        (BACKWARDS, drawing(lambda *given: given[2]), None),
        (BACKWARDS, only(6, 0, 9), 'uniform(6, 0) gave 9, and the other way 4'),
        (BACKWARDS, only(6, 0, -1), 'uniform(6, 0) gave -1, and the other way 4'),
        (BACKWARDS, RefusesOne(6, 0), 'uniform(3, -3) gave 9, and the other way 1'),
        (RANGE, RefusesOne(-WORD // 2, WORD // 2 - 1), f'uniform(0, {WORD - 1}) gave -1'),
        (BACKWARDS, only(3, -3, 9), 'uniform(3, -3) gave 9, and the other way 1'),
        (BACKWARDS, Refuses(), 'uniform(6, 0) raised ValueError without one line that says why'),
        (FROZEN, NotFrozen(), 'its field state can be set'),
        (FROZEN, Right(), None),
        (FROZEN, Triple(1), None),
        (MOVES_ON, Right(), None),
        (VALUE, Right(), None),
        (VALUE, ByIdentity(), None),
        (HALVES, Right(), None),
        (CHILDREN, Right(), None),
        (INDEX, Right(), None),
        (AGAIN, Right(), None),
        (LEAVES, Right(), None),
        (PICKLED, Right(), None),
        (TEXT, Right(), None),
    ],
    ids=count(),
)
def test_each_law_s_violation_in_words(law, generator, words):
    if type(generator) is ByIdentity:
        assert found(law, generator).startswith('two that were made alike are not equal: ')
    else:
        assert found(law, generator) == words


@pytest.mark.parametrize('name', ['uniform', 'split', 'child'])
def test_a_missing_method_is_named(name):
    without = type('Without', (Right,), {name: None})()
    assert found(METHODS, without) == f'Without(state=1) has no {name}'


@frozen
class Late(Right):
    """It errs in one draw alone, the place of which is told, and knows what was drawn."""

    wrong: int = 8
    place: int = 1

    def uniform(self, low, high):
        number = low if self.place != self.wrong else high + 1
        return number, Late(self.state + 1, self.wrong, self.place + 1)


def test_eight_draws_are_checked_per_range():
    assert found(RANGE, Late(wrong=8)) == 'uniform(0, 0) gave 1'
    assert found(RANGE, Late(wrong=9)) is None


@pytest.mark.parametrize(('place', 'is_told'), [(400, False), (401, True)])
def test_one_wrong_draw_in_400_is_found(place, is_told):
    class Seldom(Late):
        def uniform(self, low, high):
            numbers = {place: low, 1: low + 1}
            number = numbers.get(self.place, high)
            return number, type(self)(self.state, self.wrong, self.place + 1)

    told = found(WHOLE, Seldom())
    assert (told == 'in 400 draws uniform(0, 1) never gave 0') == is_told
