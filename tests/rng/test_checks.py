"""Validation of generators' fields: the last accepted and the first refused values."""

import pytest

from fmcts.rng import SplitMix
from fmcts.rng._checks import check_index, check_seed, whole

TOP = 2**64 - 1


@pytest.mark.parametrize('index', [0, 1, 2**32, TOP])
def test_an_index_has_64_bits(index):
    assert check_index(index) == index


@pytest.mark.parametrize('index', [-1, TOP + 1, TOP + 2, 2**70])
def test_other_indices_are_refused(index):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is compared
        check_index(index)
    assert str(caught.value) == (f'the index of a child must lie in 0 .. 2**64 - 1, not {index}')


@pytest.mark.parametrize(
    ('seed', 'word'), [(0, 0), (TOP, TOP), (-1, TOP), (-(2**63), 2**63), (5 - 2**63, 5 + 2**63)]
)
def test_a_seed_has_64_bits_signed_or_not(seed, word):
    assert check_seed(seed) == word


@pytest.mark.parametrize('seed', [-(2**63) - 1, -(2**64), TOP + 1, TOP + 2])
def test_other_seeds_are_refused(seed):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is compared
        check_seed(seed)
    assert str(caught.value) == f'a seed must lie in -2**63 .. 2**64 - 1, not {seed}'


@pytest.mark.parametrize('word', [-1, TOP + 1, TOP + 2])
def test_a_state_has_64_bits(word):
    assert (SplitMix(0, TOP).state, SplitMix(TOP, 1).state) == (0, TOP)
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is compared
        SplitMix(word, 1)
    assert str(caught.value) == f'state must lie in 0 .. 2**64 - 1, not {word}'


@pytest.mark.parametrize('value', [True, 1.0, '1', None])
def test_only_integers_are_accepted(value):
    assert whole(7, 'a number') == 7
    with pytest.raises(TypeError) as caught:
        whole(value, 'a number')
    assert str(caught.value) == f'a number must be an integer, not {value!r}'
