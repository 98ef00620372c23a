"""The laws of simulators and generators: right ones break none; what else a check reports."""

import functools
import random

import pytest

import zoo_generators
from fmcts.rng import SplitMix
from fmcts.testing import GENERATOR_LAWS, check_rng, check_simulator
from zoo_simulators import COPY, RIGHT, WRONG, Array, Ends, Seedless, Walk, step

QUICK = {'positions': 12, 'games': 2, 'steps': 20}
MOVES = (-1, 1)


def checked(reset, **options):
    return check_simulator(reset, step, actions=MOVES, **(QUICK | options))


@pytest.mark.parametrize('name', RIGHT)
def test_right_simulators_keep_all_laws(name):
    passed = checked(RIGHT[name]).unwrap()
    left_out = [('the end stays the end', 'no run came to an end')] if name == 'Pure' else []
    assert [*passed.left_out] == left_out
    assert ' longer games, the longest of ' in passed.extent


def test_what_was_not_seen_is_reported():
    (told,) = checked(Seedless).unwrap().left_out
    assert told[0] == 'the seed'
    assert told[1].startswith('no two seeds gave different runs, of ')


def test_arrays_are_shown_as_numbers():
    found = checked(Array).failure().found
    assert found.startswith('run again, in step 1 what is seen is [')
    assert ', 8.' in found or ', 9.' in found


def test_the_generators_of_the_process_are_left_as_they_were():
    random.seed(7)
    before = random.getstate()
    checked(WRONG['Everybodys'].reset)
    assert random.getstate() == before


def test_a_copy_may_be_made_by_a_function():
    """One that saves and loads all but the dice is wrong, and one that cannot copy is left out."""

    def loaded(walk):
        other = Ends(0)
        other.at = walk.at
        return other

    breach = checked(Ends, copied=loaded).failure()
    assert breach.law == COPY
    assert 'of the original and a copy made after step 0, in step ' in str(breach)
    told = dict(checked(Ends, copied=lambda _walk: 1 // 0).unwrap().left_out)
    assert told[COPY].startswith('it cannot be copied: it raised ZeroDivisionError')


def test_an_error_of_the_simulator_is_a_breach_of_the_first_law():
    def fails(simulator, action):
        return (simulator, 1 // (action - 1), False)

    breach = check_simulator(Ends, fails, actions=(0, 1), **QUICK).failure()
    assert (breach.law, breach.line) == ('a step gives three things', ('seed 0', 1))
    assert 'raised ZeroDivisionError' in breach.found


def test_what_cannot_be_sent_to_another_process_is_left_out():
    told = dict(checked(lambda seed: Ends(seed)).unwrap().left_out)  # noqa: PLW0108 - on purpose
    assert told['the same in another process'].startswith('it cannot be pickled for another proc')


def test_a_law_may_be_left_out():
    assert checked(Walk).failure().law == 'the end stays the end'
    passed = checked(Walk, without=['the end stays the end']).unwrap()
    assert passed.left_out == (('the end stays the end', 'it was not asked for'),)


@pytest.mark.parametrize(
    ('options', 'complaint'),
    [
        ({'actions': ()}, r'^actions must have one at least$'),
        ({'seeds': ()}, r'^seeds must have one at least$'),
        ({'positions': 0}, r'^positions must be a whole number of at least 1, not 0$'),
        ({'without': ['speed']}, r"^there is no law 'speed': the laws are a step gives three "),
    ],
)
def test_mistakes_are_told_in_one_line(options, complaint):
    with pytest.raises(ValueError, match=complaint):
        check_simulator(Ends, step, **({'actions': MOVES} | options))


def test_environments_of_gymnasium_are_simulators():
    gymnasium = pytest.importorskip('gymnasium')
    interop = pytest.importorskip('fmcts.interop.gymnasium')
    few = {'positions': 6, 'games': 1, 'steps': 12}
    passed = check_simulator(**interop.simulator('CartPole-v1'), **few).unwrap()
    assert passed.left_out == ()
    breach = check_simulator(**interop.simulator('Blackjack-v1'), **few).failure()
    assert (breach.law, breach.line) == ('the end stays the end', ('seed 0', 0))
    swings = interop.simulator(functools.partial(gymnasium.make, 'Pendulum-v1'), g=9.0)
    assert len(swings['actions']) == 8
    check_simulator(**swings, **few).unwrap()


# ---- generators ----


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
