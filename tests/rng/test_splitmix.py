"""SplitMix against what GHC 9.0.2 with random 1.2.1.1 printed, and its laws."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fmcts.rng import SplitMix
from fmcts.rng.splitmix import LANES, MASK64, mix64, words_after

words = st.integers(0, MASK64)
generators = st.builds(SplitMix, words, words.map(lambda word: word | 1))

# For each seed: mkStdGen, three rounds of the ranges below, both halves of split, two words.
RANGES = [(0, 6), (0, 0), (3, 100), (-5, 10**9)] * 3
GHC = {
    0: {
        'state': (0, 16294208416658607535),
        'ranges': [0, 0, 11, 870084499, 3, 0, 25, 255036823, 5, 0, 60, 966978324],
        'left': (14141672759607663454, 16294208416658607535),
        'right': (10697439907134545880, 15321243935405834545),
        'words': [10697439907134545880, 17914770565119747336],
    },
    42: {
        'state': (9297814886316923340, 13679457532755275413),
        'ranges': [0, 0, 26, 477126746, 0, 0, 85, 220749708, 3, 0, 98, 178802159],
        'left': (18209985878117922550, 13679457532755275413),
        'right': (1275548033995301424, 10514482549683702313),
        'words': [1275548033995301424, 10417309031967933079],
    },
}


@pytest.fixture(params=GHC, ids='seed {}'.format)
def ghc(request):
    return SplitMix.from_seed(request.param), GHC[request.param]


def test_seed_as_mkstdgen(ghc):
    rng, printed = ghc
    assert rng == SplitMix(*printed['state'])


def test_ranges_as_random_r(ghc):
    rng, printed = ghc
    drawn = []
    for low, high in RANGES:
        number, rng = rng.uniform(low, high)
        drawn.append(number)
    assert drawn == printed['ranges']


def test_split_as_haskell(ghc):
    rng, printed = ghc
    assert rng.split() == (SplitMix(*printed['left']), SplitMix(*printed['right']))


def test_words_as_gen_word64(ghc):
    rng, printed = ghc
    first, rng = rng.word()
    second, rng = rng.word()
    assert [first, second] == printed['words']


@given(words, words)
def test_a_block_of_words_is_the_words_one_by_one(state, gamma):
    one_by_one = [mix64((state + lane * gamma) & MASK64) for lane in range(1, LANES + 1)]
    assert list(words_after(state, gamma)) == one_by_one


@given(generators)
def test_a_range_of_one_consumes_nothing(rng):
    assert rng.uniform(7, 7) == (7, rng)


@given(st.integers(-(2**63), 2**64 - 1))
def test_a_negative_seed_is_its_64_bits(seed):
    assert SplitMix.from_seed(seed) == SplitMix.from_seed(seed % 2**64)


@given(generators, st.integers(0, 200))
def test_words_ahead_are_no_part_of_the_value(rng, draws):
    """A generator that carries words already computed equals one that does not."""
    for _ in range(draws):
        _, rng = rng.uniform(0, 1)
    fresh = SplitMix(rng.state, rng.gamma)
    assert (rng, hash(rng), repr(rng)) == (fresh, hash(fresh), repr(fresh))
    assert rng.uniform(0, 10**6) == fresh.uniform(0, 10**6)
    assert len(pickle.dumps(rng)) == len(pickle.dumps(fresh))
    assert pickle.loads(pickle.dumps(rng)) == rng  # noqa: S301 - our own bytes


@pytest.mark.parametrize(
    ('make', 'message'),
    [
        (lambda: SplitMix(-1, 1), r'state must lie in 0 \.\. 2\*\*64 - 1, not -1'),
        (lambda: SplitMix(2**64, 1), r'state must lie in'),
        (lambda: SplitMix(0, 2), 'gamma of a SplitMix generator must be odd, not 2'),
        (lambda: SplitMix.from_seed(2**64), r'a seed must lie in -2\*\*63 \.\. 2\*\*64 - 1'),
        (lambda: SplitMix.from_seed(0).uniform(0, 2**64), 'a range of 18446744073709551617'),
        (lambda: SplitMix.from_seed(0).child(-1), 'index of a child must lie in'),
    ],
)
def test_numbers_out_of_range_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_what_is_no_integer_is_refused():
    with pytest.raises(TypeError, match='state must be an integer, not True'):
        SplitMix(True, 1)  # noqa: FBT003
    with pytest.raises(TypeError, match=r'a seed must be an integer, not 1\.5'):
        SplitMix.from_seed(1.5)
