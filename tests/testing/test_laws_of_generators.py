"""The laws of generators: correct ones break none, and the line to a breach is the shortest."""

import pytest

import zoo_generators
from fmcts.rng import SplitMix
from fmcts.testing import GENERATOR_LAWS, check_rng

LAWS = {law.name: law for law in GENERATOR_LAWS}


@pytest.mark.parametrize('name', zoo_generators.RIGHT)
def test_correct_generators_keep_all_laws(name):
    passed = check_rng(zoo_generators.RIGHT[name], reached=6).unwrap()
    told = dict(passed.left_out)
    partly = {'a draw lies in its range', 'numbers are even'} if name == 'narrow' else set()
    assert {*dict(passed.cases)} == {*LAWS} - ({*told} - partly)
    assert partly <= {*told}
    assert ('a generator is read back from its text' in told) != ('Gen' in name or 'Split' in name)


class Late(zoo_generators.Right):
    """Wrong only where it comes to by `child(7)` and then one draw."""

    def split(self):
        left, right = super().split()
        return left, left if self == Late(1).child(7).uniform(0, 6)[1] else right


def test_a_breach_has_the_fewest_operations():
    breach = check_rng(Late(1)).failure()
    assert breach.law == 'halves of a split differ'
    assert breach.line == ('child(7)', 'uniform(0, 6)')


def test_a_stream_that_skips_words_is_not_taken_for_a_shifted_one():
    """Of this one 999,999 passes over the two words by which its left half is ahead."""
    generator = SplitMix.from_seed(7).split()[1].child(0)
    left, _ = generator.split()
    assert generator != left
    assert generator.uniform(0, 999_999) == left.uniform(0, 999_999)
    check_rng(generator, reached=1).unwrap()
