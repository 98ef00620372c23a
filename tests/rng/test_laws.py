"""Laws of every generator."""

import pytest
from attrs import frozen
from hypothesis import given, strategies as st

from fmcts.rng import SplitMix, StdGen, thaw
from fmcts.testing import words

seeds = words() | words().map(lambda word: word - 2**63)
bounds = st.integers(-(2**40), 2**40)


@frozen
class Counter:
    """A user's generator, not random at all: it has nothing but the protocol's three methods."""

    at: int

    @classmethod
    def from_seed(cls, seed):
        return cls(seed)

    def uniform(self, low, high):
        low, high = min(low, high), max(low, high)
        return low + self.at % (high - low + 1), Counter(self.at + 1)

    def split(self):
        return Counter(self.at + 1000), Counter(self.at + 2001)

    def child(self, index):
        return Counter(self.at + 7919 * index + 1)


@pytest.fixture(scope='module', params=[SplitMix, StdGen, Counter], ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


@given(seed=seeds, low=bounds, high=bounds)
def test_bounds_hold_in_either_order(kind, seed, low, high):
    rng = kind.from_seed(seed)
    number, after = rng.uniform(low, high)
    assert min(low, high) <= number <= max(low, high)
    assert rng.uniform(high, low) == (number, after)


@given(seed=seeds, counts=st.lists(st.integers(1, 3_000_000), max_size=150))
def test_a_thawed_cursor_makes_the_same_draws(kind, seed, counts):
    rng = kind.from_seed(seed)
    draws = thaw(rng)
    for count in counts:
        expected, rng = rng.uniform(0, count - 1)
        assert draws.draw(count) == expected
    frozen = draws.freeze()
    assert frozen == rng
    assert thaw(frozen).draw(10**6) == rng.uniform(0, 10**6 - 1)[0]  # also of words computed ahead
