"""`child(i)`: independent streams, tested on interleaved children. Seeds are fixed, so these are
exact tests that either hold or do not; the bounds are those of a 1 in 10,000 chance."""

import collections
import itertools

import pytest

from fmcts.rng import SplitMix, StdGen
from tiers import usually

PARENTS = [
    SplitMix.from_seed(0),
    SplitMix.from_seed(42),
    SplitMix(0, 1),
    StdGen(1, 1),
    StdGen(43, 1),
]


@pytest.fixture(params=usually(PARENTS[1:4], PARENTS), ids=str)
def parent(request):
    return request.param


def interleaved(parent, children, rounds, high):
    """One draw of each child in turn, again and again: neighbours in index stand side by side."""
    rngs = [parent.child(index) for index in range(children)]
    for _ in range(rounds):
        for index, rng in enumerate(rngs):
            number, rngs[index] = rng.uniform(0, high)
            yield number


def chi_square(counts, cells, total):
    expected = total / cells
    return sum((counts[cell] - expected) ** 2 for cell in range(cells)) / expected


def bounds(cells):
    """Mean plus and minus 3.9 standard deviations of chi-square with `cells - 1` degrees."""
    degrees = cells - 1
    spread = 3.9 * (2 * degrees) ** 0.5
    return degrees - spread, degrees + spread


def test_first_draws_of_many_children_are_uniform(parent):
    counts = collections.Counter(interleaved(parent, 20_000, 1, 63))
    low, high = bounds(64)
    assert low < chi_square(counts, 64, 20_000) < high


@pytest.mark.parametrize('children', [2, 500])
def test_adjacent_draws_are_independent(parent, children):
    """The serial test: pairs of successive numbers, within a round and across rounds."""
    numbers = list(interleaved(parent, children, 40_000 // children, 15))
    pairs = collections.Counter(
        one * 16 + two for one, two in zip(numbers[::2], numbers[1::2], strict=True)
    )
    low, high = bounds(256)
    assert low < chi_square(pairs, 256, 20_000) < high


def test_birthday_spacings(parent):
    """Marsaglia: of 512 birthdays in 2**24 days, repeated spacings are Poisson with mean 2.

    512**3 / (4 * 2**24) = 2; over 40 years of 512 children each the sum has mean 80.
    """
    days = list(interleaved(parent, 512 * 40, 1, 2**24 - 1))
    repeated = 0
    for year in range(40):
        birthdays = sorted(days[512 * year : 512 * (year + 1)])
        spacings = [later - earlier for earlier, later in itertools.pairwise(birthdays)]
        repeated += len(spacings) - len(set(spacings))
    assert 80 - 3.9 * 80**0.5 < repeated < 80 + 3.9 * 80**0.5


def test_children_do_not_collide(parent):
    family = [parent.child(index) for index in range(30_000)]
    family += [parent.child(index).child(0) for index in range(30_000)]
    assert len(set(family)) == len(family)


def test_these_tests_can_fail():
    """Children that are only shifted along one stream overlap, and the tests say so."""

    class Shifted:
        def __init__(self, rng):
            self.rng = rng

        def child(self, index):
            return SplitMix((self.rng.state + index * self.rng.gamma) % 2**64, self.rng.gamma)

    numbers = list(interleaved(Shifted(SplitMix.from_seed(0)), 500, 80, 15))
    counts = collections.Counter(numbers)
    _, high = bounds(16)
    assert chi_square(counts, 16, 40_000) > high
