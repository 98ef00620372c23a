"""SplitMix against the output of GHC 9.0.2 with random 1.2.1.1, and its laws."""

import itertools

import pytest
from hypothesis import given, strategies as st

from fmcts.rng import SplitMix
from fmcts.rng._splitmix import MASK64, mask_for, mix64, mix64_variant13, mix_gamma, words_after
from fmcts.testing import words

words = words()
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


@pytest.mark.parametrize('seed', GHC)
def test_equals_haskell(seed):
    rng, printed = SplitMix.from_seed(seed), GHC[seed]
    assert rng == SplitMix(*printed['state'])
    assert rng.split() == (SplitMix(*printed['left']), SplitMix(*printed['right']))
    first, after = rng.word()
    assert [first, after.word()[0]] == printed['words']
    drawn = []
    for low, high in RANGES:
        number, rng = rng.uniform(low, high)
        drawn.append(number)
    assert drawn == printed['ranges']


@given(words, words)
def test_a_block_of_words_equals_single_words(state, gamma):
    one_by_one = [mix64((state + lane * gamma) & MASK64) for lane in range(1, 65)]
    assert list(words_after(state, gamma)) == one_by_one


def drawn_word_by_word(rng, count):
    """The draw as the package `random` states it: words cut to the width of count - 1, until one
    is less than `count`."""
    state = rng.state
    while True:
        state = (state + rng.gamma) & MASK64
        number = mix64(state) % 2 ** (count - 1).bit_length()
        if number < count:
            return number, SplitMix(state, rng.gamma)


@pytest.mark.parametrize('counts', [range(2, 300), [2**31, 2**32 + 1, 2**63, 2**64 - 1, 2**64]])
def test_draws_are_masked_words(counts):
    rng = SplitMix.from_seed(7)
    for count in counts:
        for _ in range(4):
            expected = drawn_word_by_word(rng, count)
            assert rng.uniform(0, count - 1) == expected
            _, rng = expected


def test_a_mask_has_at_least_one_bit():
    assert [mask_for(span) for span in (0, 1, 2, 3, 4, 255, 256)] == [1, 1, 3, 3, 7, 255, 511]


def changes(word):
    """How often a bit differs from the next, with a zero in front."""
    return sum(one != two for one, two in itertools.pairwise(f'0{word:064b}'))


def test_a_gamma_has_at_least_24_bit_changes():
    """Else every other bit is turned over, which makes n changes 64 - n."""
    weak = 0
    for z in range(3000):
        gamma = mix64_variant13(z) | 1
        if changes(gamma) < 24:
            gamma ^= int('10' * 32, base=2)
            weak += 1
        assert mix_gamma(z) == gamma
        assert changes(mix_gamma(z)) >= 24
    assert weak == 76


def test_golden_children():
    """Pinned: games of a match that were played with a child must stay the same."""
    rng = SplitMix.from_seed(42)
    assert rng.child(0) == SplitMix(11675614436720153863, 8818212576884170359)
    assert rng.child(1) == SplitMix(2943901029044001025, 6039020408174815463)
    assert rng.child(1000) == SplitMix(11712786334469603327, 1530086649681491429)
    assert rng.child(MASK64) == SplitMix(7709065522343160379, 12330909607935779141)


@given(generators)
def test_a_range_of_one_consumes_nothing(rng):
    assert rng.uniform(7, 7) == (7, rng)


@given(words.map(lambda word: word - 2**63) | st.sampled_from([0, 2**64 - 1, -1, -(2**63)]))
def test_a_negative_seed_is_taken_modulo_2_64(seed):
    assert SplitMix.from_seed(seed) == SplitMix.from_seed(seed % 2**64)


@pytest.mark.parametrize(
    ('make', 'message'),
    [
        (lambda: SplitMix(-1, 1), r'state must lie in 0 \.\. 2\*\*64 - 1, not -1'),
        (lambda: SplitMix(2**64, 1), r'state must lie in'),
        (lambda: SplitMix(0, 2), 'gamma of a SplitMix generator must be odd, not 2'),
        (lambda: SplitMix.from_seed(2**64), r'a seed must lie in -2\*\*63 \.\. 2\*\*64 - 1'),
        (lambda: SplitMix.from_seed(0).uniform(0, 2**64), 'a range of 18446744073709551617'),
        (lambda: SplitMix.from_seed(-(2**63) - 1), 'a seed must lie in'),
        (lambda: SplitMix.from_seed(0).child(-1), 'index of a child must lie in'),
        (lambda: SplitMix.from_seed(0).child(2**64), r'must lie in 0 \.\. 2\*\*64 - 1, not 184467'),
    ],
)
def test_numbers_out_of_range_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
