"""Generators as text."""

import pytest
from hypothesis import given
from returns.result import Success

from fmcts import rng as rngs
from fmcts.rng import SplitMix, StdGen
from fmcts.testing import generators


@given(generators())
def test_text_round_trips(rng):
    assert rngs.parse(rngs.format(rng)) == Success(rng)


@pytest.mark.parametrize(
    ('text', 'rng'),
    [
        ('splitmix:42', SplitMix.from_seed(42)),
        ('splitmix:5:7', SplitMix(5, 7)),
        ('stdgen:529669860:1', StdGen(529669860, 1)),
        (' stdgen:1:1\n', StdGen(1, 1)),
    ],
)
def test_accepted_forms(text, rng):
    assert rngs.parse(text) == Success(rng)


@pytest.mark.parametrize(
    ('text', 'complaint'),
    [
        ('', 'expected splitmix:SEED, splitmix:STATE:GAMMA, stdgen:SEED or stdgen:S1:S2'),
        ('splitmix:1:2:3', 'expected splitmix:SEED'),
        ('splitmix:1.5', 'expected splitmix:SEED'),
        ('splitmix:१', 'expected splitmix:SEED'),
        ('splitmix:1:2', 'must be odd, not 2'),
        (f'splitmix:{2**64}', 'a seed must lie in'),
        ('stdgen:0:1', 's1 must lie in 1 .. 2147483562, not 0'),
    ],
)
def test_malformed_text_is_reported(text, complaint):
    why = rngs.parse(text).failure()
    assert why.startswith(f'generator {text!r}: ')
    assert complaint in why
    assert '\n' not in why.removeprefix(f'generator {text!r}')


def test_an_unknown_generator_has_no_text():
    with pytest.raises(TypeError, match='no text form is known'):
        rngs.format(object())
