"""The counts that make draws uneven: at the bound, and one below it."""

import itertools
from itertools import count

import pytest
from attrs import frozen

from fmcts.testing._laws import evenness
from fmcts.testing._laws.evenness import uneven_children, uneven_numbers, uneven_pairs


@frozen
class Listed:
    """Of ranges of `count` numbers it draws what a list says, from the beginning again at its end.

    Of others it draws each number as often, or the lowest of each third.
    """

    numbers: tuple
    count: int
    place: int = 0

    def uniform(self, low, high):
        size = high - low + 1
        number = self.place if size <= 16 else self.place % 3 * (size // 3)
        if size == self.count:
            number = self.numbers[self.place % len(self.numbers)]
        return low + number % size, type(self)(self.numbers, self.count, self.place + 1)

    def child(self, index):
        return type(self)(self.numbers, self.count, self.place + index)


def listed(numbers, size):
    """As many as are looked at."""
    assert len(numbers) == 2000
    return Listed(tuple(numbers), size)


def counts(*each):
    return [number for number, times in enumerate(each) for _ in range(times)]


@pytest.mark.parametrize(
    ('size', 'numbers', 'words'),
    [
        (2, counts(1199, 801), None),
        (2, counts(801, 1199), None),
        (2, counts(1200, 800), '1200 of 2000 draws of uniform(0, 1) are 0'),
        (2, counts(800, 1200), '800 of 2000 draws of uniform(0, 1) are 0'),
        (5, counts(400, 400, 400, 201, 599), None),
        (5, counts(400, 400, 400, 200, 600), '200 of 2000 draws of uniform(0, 4) are 3'),
        (5, counts(600, 400, 400, 201, 399), '600 of 2000 draws of uniform(0, 4) are 0'),
        (5, counts(500, 500, 500, 500, 0), 'none of 2000 draws of uniform(0, 4) are 4'),
        (7, counts(*[300] * 6, 200), None),
        (7, counts(486, *[252] * 5, 254), '486 of 2000 draws of uniform(0, 6) are 0'),
        (10, counts(399, 1, *[200] * 8), None),
        (10, counts(400, 0, *[200] * 8), '400 of 2000 draws of uniform(0, 9) are 0'),
        (16, counts(325, *[111] * 14, 121), '325 of 2000 draws of uniform(0, 15) are 0'),
        (16, counts(324, *[111] * 14, 122), None),
    ],
    ids=count(),
)
def test_numbers_of_small_ranges_are_counted(size, numbers, words, monkeypatch):
    monkeypatch.setattr(evenness, 'BITS', ())
    assert uneven_numbers(listed(numbers, size)) == words


def thirds(bits, *each):
    """So many of each third of the range, the lowest number of it and the highest by turns."""
    width = 1 << bits
    ends = (itertools.cycle((third * width, third * width + width - 1)) for third in range(3))
    return [next(end) for end, times in zip(ends, each, strict=True) for _ in range(times)]


WIDE = (0, 29, 62)


def test_these_wide_ranges_are_some_of_those_that_are_counted():
    assert range(63) == evenness.BITS
    assert evenness.uneven_numbers(listed(thirds(13, 667, 667, 666), 3 << 13)) is None
    assert evenness.uneven_numbers(listed(thirds(13, 1200, 400, 400), 3 << 13)) is not None


@pytest.mark.parametrize('bits', WIDE)
@pytest.mark.parametrize(
    ('each', 'words'),
    [
        ((866, 567, 567), None),
        ((867, 567, 566), '867 of 2000 draws of uniform(0, {}) lie in the lowest third'),
        ((767, 466, 767), '466 of 2000 draws of uniform(0, {}) lie in the middle third'),
        ((767, 767, 466), '466 of 2000 draws of uniform(0, {}) lie in the highest third'),
        ((800, 1200, 0), '1200 of 2000 draws of uniform(0, {}) lie in the middle third'),
    ],
    ids=count(),
)
def test_thirds_of_wide_ranges_are_counted(bits, each, words, monkeypatch):
    monkeypatch.setattr(evenness, 'BITS', WIDE)
    size = 3 << bits
    assert uneven_numbers(listed(thirds(bits, *each), size)) == (words and words.format(size - 1))


class Refusing(Listed):
    """It refuses ranges of so many numbers and more."""

    def uniform(self, low, high):
        if high - low + 1 >= self.count:
            raise ValueError('too many')
        return super().uniform(low, high)


@pytest.mark.parametrize(
    ('size', 'is_right'), [(3 << 30, True), (3 << 29, False), (3 << 10, False), (2, False)]
)
def test_unusually_wide_ranges_may_be_refused(size, is_right):
    if is_right:
        assert uneven_numbers(Refusing((), size)) is None
    else:
        with pytest.raises(ValueError, match='too many'):
            uneven_numbers(Refusing((), size))


@frozen
class Pairs:
    """It draws the pairs that a list has, of ranges of so many numbers; else evenly."""

    pairs: tuple
    size: int
    place: int = 0

    def uniform(self, _low, high):
        pair = self.pairs[self.place // 2 % 2000]
        if high + 1 != self.size:
            pair = divmod(self.place // 2, high + 1)
        after = Pairs(self.pairs, self.size, self.place + 1)
        return pair[self.place % 2] % (high + 1), after


@pytest.mark.parametrize(
    ('size', 'each', 'words'),
    [
        (2, (699, 500, 500, 301), None),
        (2, (700, 500, 500, 300), '700 of 2000 pairs of draws of uniform(0, 1) are (0, 0)'),
        (2, (500, 700, 500, 300), '700 of 2000 pairs of draws of uniform(0, 1) are (0, 1)'),
        (2, (600, 600, 600, 200), '200 of 2000 pairs of draws of uniform(0, 1) are (1, 1)'),
        (3, (422, *[197] * 7, 199), None),
        (3, (423, *[197] * 7, 198), '423 of 2000 pairs of draws of uniform(0, 2) are (0, 0)'),
        (3, (*[250] * 8, 0), 'none of 2000 pairs of draws of uniform(0, 2) are (2, 2)'),
    ],
    ids=count(),
)
def test_pairs_of_draws_are_counted(size, each, words):
    pairs = tuple(divmod(cell, size) for cell in counts(*each))
    assert uneven_pairs(Pairs(pairs, size)) == words


@pytest.mark.parametrize(
    ('each', 'words'),
    [
        ((866, 567, 567), None),
        ((867, 566, 567), 'the first draw of uniform(0, 2) is 0 for 867 of 2000 children'),
        ((767, 767, 466), 'the first draw of uniform(0, 2) is 2 for 466 of 2000 children'),
        ((800, 0, 1200), 'the first draw of uniform(0, 2) is 1 for none of 2000 children'),
    ],
    ids=count(),
)
def test_first_draws_of_children_are_counted(each, words):
    assert uneven_children(listed(counts(*each), 3)) == words
