"""`check_rng`: which generators, which laws, and its report."""

import pytest
from attrs import evolve, field, frozen
from returns.result import Failure

from fmcts import SplitMix, StdGen
from fmcts.rng import _text as texts
from fmcts.testing import GENERATOR_LAWS
from fmcts.testing._laws import generators
from fmcts.testing._laws.generators import check_rng
from fmcts.testing._laws.law import Breach, Law

RNG = SplitMix.from_seed(3)


@pytest.fixture
def looked(monkeypatch):
    """The cases that are looked at: by two laws, and by one of evenness; none is broken."""
    noted = []
    laws = [law(name, lambda case, name=name: noted.append((name, case))) for name in NAMES]
    monkeypatch.setattr(generators, 'LAWS', tuple(laws[:2]))
    monkeypatch.setattr(generators, 'EVEN', (laws[2],))
    return noted


NAMES = ('one', 'two', 'even')


def law(name, found):
    return Law(name, f'It is {name}.', found)


def draw(rng):
    return rng.uniform(0, 6)[1]


STEPS = {
    'uniform(0, 6)': draw,
    'split left': lambda rng: rng.split()[0],
    'split right': lambda rng: rng.split()[1],
    'child(0)': lambda rng: rng.child(0),
    'child(7)': lambda rng: rng.child(7),
}


def test_generators_are_reached_by_the_fewest_operations(looked):
    passed = check_rng(RNG).unwrap()
    cases = [case for name, case in looked if name == 'one']
    singles = [(name,) for name in STEPS]
    assert [case.line for case in cases] == [
        (),
        *singles,
        *((*line, name) for line in singles for name in STEPS),
    ]
    for case in cases:
        expected = RNG
        for name in case.line:
            expected = STEPS[name](expected)
        assert case.generator == expected
    assert [name for name, _ in looked] == ['one', 'two'] * 31 + ['even']
    assert looked[-1] == ('even', cases[0])
    assert passed.cases == (('one', 31), ('two', 31), ('even', 1))


def test_the_given_number_of_generators_is_reached(looked):
    passed = check_rng(RNG, reached=8).unwrap()
    assert passed.cases == (('one', 8), ('two', 8), ('even', 1))
    lines = [case.line for name, case in looked if name == 'one']
    assert lines[6:] == [('uniform(0, 6)', 'uniform(0, 6)'), ('uniform(0, 6)', 'split left')]


def test_generators_are_checked_before_further_use(monkeypatch):
    """What breaks a law may not even be a generator."""
    monkeypatch.setattr(generators, 'LAWS', (law('one', lambda _: 'no'),))
    assert check_rng(7) == Failure(Breach('one', 'It is one.', 'no'))


def test_the_first_breach_is_reported(looked, monkeypatch):
    def found(case):
        return f'broken {len(case.line)}' if len(case.line) == 1 else None

    broken = (generators.LAWS[0], law('three', found), generators.LAWS[1])
    monkeypatch.setattr(generators, 'LAWS', broken)
    assert check_rng(RNG) == Failure(
        Breach('three', 'It is three.', 'broken 1', ('uniform(0, 6)',))
    )
    assert [name for name, _ in looked] == ['one', 'two', 'one']


def test_evenness_is_checked_last(looked, monkeypatch):
    monkeypatch.setattr(generators, 'EVEN', (law('even', lambda _: 'seven of two'),))
    assert check_rng(RNG, reached=2) == Failure(Breach('even', 'It is even.', 'seven of two'))
    assert len(looked) == 4


# Text, pickles and wide ranges.


@pytest.mark.parametrize('rng', [RNG, StdGen(3, 4)], ids=['splitmix', 'stdgen'])
def test_library_generators_have_a_text(rng, looked):
    assert check_rng(rng, reached=2).unwrap().left_out == ()
    assert {case.text for _, case in looked} == {(texts.format, texts.parse)}
    looked.clear()
    assert check_rng(rng, reached=2, text=(str, int)).unwrap().left_out == ()
    assert {case.text for _, case in looked} == {(str, int)}


class Own(SplitMix):
    """Another class, whose text nobody knows."""


def test_other_generators_have_no_text_by_default(looked):
    left_out = check_rng(Own(1, 1), reached=2).unwrap().left_out
    assert left_out == ((generators.TEXT.name, 'no text of a Own was given'),)
    assert {case.text for _, case in looked} == {None}
    assert check_rng(Own(1, 1), reached=2, text=(str, int)).unwrap().left_out == ()


@frozen
class Narrow:
    """It refuses some ranges, and notes which it was asked for."""

    asked: list = field(factory=list)

    def uniform(self, low, high):
        self.asked.append((low, high))
        if high > 6:
            raise ValueError('too many')
        return low, self

    def split(self):
        return self, self

    def child(self, _index):
        return self


@pytest.mark.usefixtures('looked')
def test_laws_that_cannot_be_checked_are_reported_and_not_counted(monkeypatch):
    kept = [evolve(one, found=lambda _: None) for one in (generators.PICKLED, generators.TEXT)]
    monkeypatch.setattr(generators, 'LAWS', tuple(kept))
    monkeypatch.setattr(generators, 'EVEN', ())

    class Local(Narrow):
        """No name in a module."""

    generator = Local()
    passed = check_rng(generator, reached=1).unwrap()
    assert passed.cases == ((generators.PICKLED.name, 0), (generators.TEXT.name, 0))
    (pickled, text, range_, even) = passed.left_out
    assert pickled[0] == generators.PICKLED.name
    assert pickled[1].startswith('it cannot be pickled: it raised ')
    assert text == (generators.TEXT.name, 'no text of a Local was given')
    why = (
        'of more than 2147483648 numbers some are refused: uniform(0, 2**64 - 1) '
        'raised ValueError: too many'
    )
    assert (range_, even) == (('a draw lies in its range', why), ('numbers are even', why))
    assert generator.asked == [(0, 6), (0, 2**64 - 1)]


def test_the_laws_left_out_for_wide_ranges_exist():
    names = {law.name for law in GENERATOR_LAWS}
    assert {'a draw lies in its range', 'numbers are even'} <= names


@pytest.mark.parametrize('reached', [0, -1, 1.5, True])
def test_a_wrong_number_is_refused(reached):
    with pytest.raises(ValueError, match='reached must be a whole number of at least 1, not '):
        check_rng(RNG, reached=reached)
