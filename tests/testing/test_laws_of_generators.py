"""The laws of generators: each wrong one breaks its law, and correct ones break none."""

import pytest

import zoo_generators
from fmcts.rng import SplitMix
from fmcts.testing import GENERATOR_LAWS, check_rng
from fmcts.testing._laws.statistics import DRAWS
from tiers import usually

LAWS = {law.name: law for law in GENERATOR_LAWS}
FIRST = {wrong.law: name for name, wrong in reversed(zoo_generators.WRONG.items())}
"""A wrong generator for each law."""


@pytest.mark.parametrize('name', usually(FIRST.values(), zoo_generators.WRONG))
def test_each_wrong_generator_breaks_its_law(name):
    generator, law, text = zoo_generators.WRONG[name]
    breach = check_rng(generator, text=text).failure()
    assert breach.law == law
    assert breach.expected == LAWS[law].sentence
    assert len(str(breach).splitlines()) == 1


def test_every_law_has_a_wrong_generator():
    assert {case.law for case in zoo_generators.WRONG.values()} == {*LAWS}
    assert len(LAWS) == len(GENERATOR_LAWS)


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


def test_messages_of_breaches():
    breach = check_rng(zoo_generators.HighExclusive()).failure()
    assert breach.found == 'in 400 draws uniform(0, 1) never gave 1'
    breach = check_rng(zoo_generators.Modulo()).failure()
    assert breach.found.endswith(
        f'of {DRAWS} draws of uniform(0, 1610612735) lie in the lowest third'
    )
