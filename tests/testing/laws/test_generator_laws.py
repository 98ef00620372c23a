"""What each law of generators finds in one generator, word for word, and where it finds nothing."""

import sys
from itertools import count
from pathlib import Path

import pytest
from attrs import frozen
from returns.result import Success

from fmcts.testing.laws import GENERATOR_LAWS
from fmcts.testing.laws.generator_laws import INDICES
from fmcts.testing.laws.generatorcase import STREAM, GeneratorCase
from fmcts.testing.laws.law import found_by

sys.path.insert(0, str(Path(__file__).parents[1]))  # importlib mode: no packages
from zoo_generators import (
    ByIdentity,
    ChildrenInTurn,
    Constant,
    EightBitChildren,
    EqualHalves,
    Fractions,
    HashByIdentity,
    HighExclusive,
    LeftIsParent,
    Mutable,
    Narrow,
    NegativeRanges,
    NotFrozen,
    NumberAlone,
    OneTooMany,
    Python,
    Right,
    Triple,
    WrongWayRound,
)

sys.path.pop(0)

LAWS = {law.name: law for law in GENERATOR_LAWS}
(
    METHODS,
    RANGE,
    LEAVES,
    FROZEN,
    INDEX,
    AGAIN,
    MOVES_ON,
    WHOLE,
    BACKWARDS,
    HALVES,
    CHILDREN,
    VALUE,
    PICKLED,
    TEXT,
    *EVEN,
) = LAWS


def found(law, generator, text=None):
    return found_by(LAWS[law], GeneratorCase(generator, (), text))


class Draws(Right):
    """In some ranges it draws otherwise."""

    def uniform(self, low, high):
        number, after = super().uniform(min(low, high), max(low, high))
        return self.otherwise(low, high, number), after

    def otherwise(self, low, high, number):
        raise NotImplementedError


def drawing(function):
    """A generator that draws what the function makes of the bounds and the number."""
    return type('Drawing', (Draws,), {'otherwise': staticmethod(function)})()


def only(low, high, instead):
    """A generator that draws another number of one range alone, and never refuses."""
    return drawing(lambda *given: instead if given[:2] == (low, high) else given[2])


WORD = 18446744073709551616


@frozen
class RefusesOne(Draws):
    """It refuses one range, and errs in another."""

    low: int = 0
    high: int = 0

    def __init__(self, low, high, state=1):
        self.__attrs_init__(state, low, high)

    def next(self):
        return RefusesOne(self.low, self.high, Right(self.state).next().state)

    def uniform(self, low, high):
        if (low, high) == (self.low, self.high):
            raise ValueError('not this one')
        return super().uniform(low, high)

    def otherwise(self, low, high, number):
        return {(3, -3): 9, (0, WORD - 1): -1}.get((low, high), number)


class Lists(Right):
    """An answer of the wrong kind."""

    def uniform(self, low, high):
        return [*super().uniform(low, high)]


class Threes(Right):
    def uniform(self, low, high):
        return *super().uniform(low, high), 0


class Bools(Right):
    def uniform(self, low, high):
        number, after = super().uniform(low, high)
        return bool(number), after


class OfAnother(Right):
    def uniform(self, low, high):
        number, after = super().uniform(low, high)
        return number, Right(after.state) if type(self) is not Right else after


class Refuses(Right):
    """It refuses wide ranges, or bounds in the wrong order, in two lines."""

    def uniform(self, low, high):
        if low > high or high - low >= 1 << 31:
            raise ValueError('no\nnever')
        return super().uniform(low, high)


class TooNarrow(Right):
    """It refuses what must be served."""

    def uniform(self, low, high):
        if high - low >= (1 << 31) - 1:
            raise ValueError('at most 2**31 - 1 numbers')
        return super().uniform(low, high)


@pytest.mark.parametrize(
    ('low', 'high'),
    [
        *((0, 0), (7, 7), (-4, -4), (0, 1), (0, 6), (-3, 3), (-10, -4)),
        *((1, 65536), (-1073741824, 1073741823), (0, 2147483647)),
        *((-WORD // 2, WORD // 2 - 1), (0, WORD - 1), (-64 * WORD, 64 * WORD)),
    ],
    ids=count(),
)
def test_each_of_the_ranges_is_drawn_from(low, high):
    for wrong in (low - 1, high + 1):
        assert found(RANGE, only(low, high, wrong)) == f'uniform({low}, {high}) gave {wrong}'
    for bound in (low, high):
        assert found(RANGE, only(low, high, bound)) is None


@pytest.mark.parametrize(
    ('law', 'generator', 'words'),
    [
        (METHODS, 7, '7 has no uniform, split, child'),
        (METHODS, Right(), None),
        (RANGE, NumberAlone(), 'uniform(0, 0) gave 0, which is no pair'),
        (
            RANGE,
            Lists(),
            'uniform(0, 0) gave [0, Lists(state=11400714819323198486)], which is no pair',
        ),
        (
            RANGE,
            Threes(),
            'uniform(0, 0) gave (0, Threes(state=11400714819323198486), ..., which is no pair',
        ),
        (RANGE, Fractions(), 'uniform(0, 0) gave 0.0, which is no int'),
        (RANGE, Bools(), 'uniform(0, 0) gave False, which is no int'),
        (
            RANGE,
            OfAnother(),
            'uniform(0, 0) gave Right(state=11400714819323198486) as the next OfAnother',
        ),
        (RANGE, Narrow(), None),
        (
            RANGE,
            Refuses(),
            (
                'uniform(-9223372036854775808, 9223372036854775807) raised ValueError without one '
                'line that says why'
            ),
        ),
        (RANGE, TooNarrow(), 'raised ValueError: at most 2**31 - 1 numbers'),
        (WHOLE, HighExclusive(), 'in 400 draws uniform(0, 1) never gave 1'),
        (WHOLE, Constant(), 'in 400 draws uniform(0, 1) never gave 1'),
        (WHOLE, only(0, 2, 1), 'in 400 draws uniform(0, 2) never gave 0'),
        (WHOLE, only(-1, 1, 1), 'in 400 draws uniform(-1, 1) never gave -1'),
        (WHOLE, only(-5, -3, -5), 'in 400 draws uniform(-5, -3) never gave -4'),
        (WHOLE, Right(), None),
        (BACKWARDS, Right(), None),  # which refuses
        (BACKWARDS, Narrow(), None),  # which draws the same
        (BACKWARDS, drawing(lambda *given: given[2]), None),
        (BACKWARDS, only(6, 0, 9), 'uniform(6, 0) gave 9, and the other way 4'),
        (BACKWARDS, only(6, 0, -1), 'uniform(6, 0) gave -1, and the other way 4'),
        (BACKWARDS, RefusesOne(6, 0), 'uniform(3, -3) gave 9, and the other way 1'),
        (RANGE, RefusesOne(-WORD // 2, WORD // 2 - 1), f'uniform(0, {WORD - 1}) gave -1'),
        (BACKWARDS, only(3, -3, 9), 'uniform(3, -3) gave 9, and the other way 1'),
        (BACKWARDS, Refuses(), 'uniform(6, 0) raised ValueError without one line that says why'),
        (FROZEN, NotFrozen(), 'its field state can be set'),
        (FROZEN, Right(), None),
        (FROZEN, Triple(1), None),
        (MOVES_ON, Right(), None),
        (VALUE, Right(), None),
        (VALUE, ByIdentity(), None),
        (HALVES, Right(), None),
        (CHILDREN, Right(), None),
        (INDEX, Right(), None),
        (AGAIN, Right(), None),
        (LEAVES, Right(), None),
        (PICKLED, Right(), None),
        (TEXT, Right(), None),
    ],
    ids=count(),
)
def test_a_law_says_what_it_finds(law, generator, words):
    if type(generator) is ByIdentity:
        assert found(law, generator).startswith('two that were made alike are not equal: ')
    else:
        assert found(law, generator) == words


@pytest.mark.parametrize('name', ['uniform', 'split', 'child'])
def test_a_method_that_is_missing_is_named(name):
    without = type('Without', (Right,), {name: None})()
    assert found(METHODS, without) == f'Without(state=1) has no {name}'


@frozen
class Late(Right):
    """It errs in one draw alone, the place of which is told, and knows what was drawn."""

    wrong: int = 8
    place: int = 1

    def uniform(self, low, high):
        number = low if self.place != self.wrong else high + 1
        return number, Late(self.state + 1, self.wrong, self.place + 1)


def test_eight_draws_are_looked_at_of_each_range():
    assert found(RANGE, Late(wrong=8)) == 'uniform(0, 0) gave 1'
    assert found(RANGE, Late(wrong=9)) is None


@pytest.mark.parametrize(('place', 'is_told'), [(400, False), (401, True)])
def test_of_400_draws_one_is_enough(place, is_told):
    class Seldom(Late):
        def uniform(self, low, high):
            numbers = {place: low, 1: low + 1}
            number = numbers.get(self.place, high)
            return number, type(self)(self.state, self.wrong, self.place + 1)

    told = found(WHOLE, Seldom())
    assert (told == 'in 400 draws uniform(0, 1) never gave 0') == is_told


# What changes, and what comes again.


@pytest.mark.parametrize('name', ['uniform', 'split', 'child'])
def test_what_a_method_changes_is_told(name):
    given = {'uniform': '0, 6', 'split': '', 'child': '3'}[name]

    def method(self, *arguments):
        answer = getattr(Right, name)(self, *arguments)
        if ', '.join(map(str, arguments)) == given:
            object.__setattr__(self, 'state', 9)
        return answer

    changed = type('Changed', (Right,), {name: method})()
    assert found(LEAVES, changed) == f'{name}({given}): the generator.state was 1 and is 9'


@pytest.mark.parametrize('name', ['uniform(0, 6)', 'uniform(-3, 3)', 'split()', 'child(3)'])
def test_what_does_not_come_again_is_told(name):
    asked = []
    method, _, given = name.rstrip(')').partition('(')

    def other(self, *arguments):
        asked.append(arguments)
        answer = getattr(Right, method)(self, *arguments)
        if ', '.join(map(str, arguments)) != given or asked.count(arguments) < 2:
            return answer
        return ('another', *answer[1:]) if isinstance(answer, tuple) else 'another'

    turning = type('Turning', (Right,), {method: other})()
    told = found(AGAIN, turning)
    assert told.startswith(f'{name} gave ')
    assert ', and asked again ' in told
    assert 'another' in told.partition(', and asked again ')[2]


def test_what_is_long_is_cut():
    """At 80 characters."""

    class Long(Right):
        asked = []  # noqa: RUF012 - the mistake

        def split(self):
            self.asked.append(1)
            return 'ab'[len(self.asked) % 2] * 100, 1

        def next(self):
            return self

        def __repr__(self):
            return 'long ' * 40

    quoted = '(' + repr('b' * 100), '(' + repr('a' * 100)
    assert found(AGAIN, Long()) == (
        f'split() gave {quoted[0][:80]}..., and asked again {quoted[1][:80]}...'
    )
    assert found(MOVES_ON, Long()) == (
        f'after 1 draws of uniform(0, 6) it is again {("long " * 40)[:80]}...'
    )


@pytest.mark.parametrize('length', [1, 7, STREAM, STREAM + 1])
def test_a_generator_that_comes_again_is_told(length):
    class Round(Right):
        def uniform(self, low, high):
            assert (low, high) == (0, 6)
            return super().uniform(low, high)

        def next(self):
            return type(self)(self.state % length + 1)

        def word(self):
            return 0

    told = found(MOVES_ON, Round())
    if length > STREAM:
        assert told is None
    else:
        assert told == f'after {length} draws of uniform(0, 6) it is again Round(state=1)'


# Halves and children.


class Family(Right):
    """Whose halves and children are as they are told to be."""

    def split(self):
        return self.halves(self)

    def child(self, index):
        return self.children(self, index)


def family(halves=Right.split, children=Right.child):
    return type(
        'Family', (Family,), {'halves': staticmethod(halves), 'children': staticmethod(children)}
    )()


def swapped(self):
    left, right = Right.split(self)
    return right, left


@pytest.mark.parametrize(
    ('law', 'generator', 'words'),
    [
        (HALVES, family(lambda _: [1, 2]), 'split() gave [1, 2], which is no pair'),
        (HALVES, family(lambda _: (1, 2, 3)), 'split() gave (1, 2, 3), which is no pair'),
        (HALVES, family(lambda _: (1,)), 'split() gave (1,), which is no pair'),
        (
            CHILDREN,
            family(
                children=lambda self, index: (
                    self.child(0) if index == 12 else Right.child(self, index)
                )
            ),
            None,
        ),
        (HALVES, EqualHalves(), 'its left half and its right half are equal: '),
        (
            HALVES,
            LeftIsParent(),
            'the generator and its left half are equal: LeftIsParent(state=1)',
        ),
        (
            HALVES,
            family(lambda self: (Right.split(self)[0], self)),
            'the generator and its right half are equal: Family(state=1)',
        ),
        (HALVES, family(swapped), None),
        (
            CHILDREN,
            family(children=lambda self, index: Right.child(self, index) if index else self),
            'the generator and child(0) are equal: Family(state=1)',
        ),
        (
            CHILDREN,
            family(lambda self: (self.child(5), self.child(99))),
            'its left half and child(5) are equal: ',
        ),
        (
            CHILDREN,
            family(lambda self: (self.child(99), self.child(11))),
            'its right half and child(11) are equal: ',
        ),
        (CHILDREN, EightBitChildren(), 'child(0) and child(1048576) are equal: '),
        (
            CHILDREN,
            family(children=lambda self, index: Right.child(self, index % (2**31 - 1))),
            'child(0) and child(2147483647) are equal: ',
        ),
        (
            CHILDREN,
            family(children=lambda self, index: Right.child(self, index % 997)),
            'child(3) and child(1000) are equal: ',
        ),
        (
            CHILDREN,
            family(children=lambda self, index: Right.child(self, index % 11)),
            'child(0) and child(11) are equal: ',
        ),
        (
            CHILDREN,
            family(children=lambda self, index: Right.child(self, min(index, 2**20))),
            'child(1048576) and child(2147483647) are equal: ',
        ),
    ],
    ids=count(),
)
def test_what_is_alike_in_a_family_is_told(law, generator, words):
    told = found(law, generator)
    assert told is None if words is None else told.startswith(words)


@frozen
class Coloured(Right):
    """Two that differ, and draw the same."""

    colour: str = ''

    def split(self):
        left, _ = super().split()
        return left, Coloured(left.state, 'red')


def test_streams_are_compared_too():
    assert found(HALVES, Coloured()) == (
        'its left half and its right half differ, and draw the same numbers'
    )


def test_a_child_depends_on_its_index_alone():
    told = found(INDEX, ChildrenInTurn())
    assert told.startswith('child(0) was ChildrenInTurn(')
    assert ', and after other children and draws ChildrenInTurn(' in told
    for name in ('uniform', 'split'):
        assert found(INDEX, after(name)).startswith('child(0) was ')
    assert found(INDEX, after('child', INDICES[-1])).startswith('child(0) was ')


def after(name, *given):
    """A generator whose children are others after this was asked."""
    asked = []

    def method(self, *arguments):
        if arguments[-len(given) :] == given or not given:
            asked.append(name)
        if name == 'child':
            return Right.child(self, arguments[0] + 100 * (len(asked) > 1))
        return getattr(Right, name)(self, *arguments)

    def child(self, index):
        return Right.child(self, index + 100 * bool(asked))

    methods = {'child': child, name: method}
    return type('After', (Right,), methods)()


# Values.


class NeverUnequal(Right):
    """`==` and `!=` both say yes."""

    __eq__ = Right.__eq__
    __hash__ = Right.__hash__

    def __ne__(self, other):
        return True


def equal_to(value):
    def equal(self, other):
        return other == value if not isinstance(other, Right) else self.state == other.state

    return type('EqualTo', (Right,), {'__eq__': equal, '__hash__': Right.__hash__})()


def test_generators_are_compared_by_value():
    assert found(VALUE, NeverUnequal()).startswith('two that were made alike are not equal: ')
    assert found(VALUE, HashByIdentity()).startswith('two equal ones have the hashes ')
    for value in (None, 0, '', ()):
        assert found(VALUE, equal_to(value)).endswith(' equals what is no generator')


@pytest.mark.parametrize('more', [1, -1])
def test_hashes_that_change_are_told(more):
    class Turning(Right):
        asked = [100]  # noqa: RUF012 - the mistake

        def __hash__(self):
            self.asked[0] += more
            return self.asked[0]

    first = 100 + 3 * more  # asked for twice before it is told
    assert found(VALUE, Turning()) == (f'two equal ones have the hashes {first} and {first + more}')


def test_pickles():
    wrong = type('Wrong', (Right,), {'__reduce__': lambda self: (Right, (self.state,))})(5)
    assert found(PICKLED, wrong) == (
        'its pickle is read back as Right(state=5), not as Wrong(state=5)'
    )
    unable = type('Unable', (Right,), {'__reduce__': lambda _: 1 // 0})()
    assert found(PICKLED, unable) is None


def write(rng):
    return f'{rng.state:x}'


def read(text):
    return Right(int(text, 16))


@frozen
class Hidden(Right):
    """Two that are equal, and draw other numbers."""

    other: int = 0

    def __eq__(self, other):
        return isinstance(other, Hidden)

    def __hash__(self):
        return 1


@frozen
class OtherHash(Hidden):
    def __hash__(self):
        return self.other


@pytest.mark.parametrize(
    ('generator', 'text', 'words'),
    [
        (Right(77), (write, read), None),
        (Right(77), (write, lambda text: Success(read(text))), None),
        (Right(77), (lambda _: 77, read), 'is written as 77, which is no line of text'),
        (Right(77), (lambda _: '', read), "is written as '', which is no line of text"),
        (
            Right(77),
            (lambda rng: f'{rng.state:x}\n0', read),
            "is written as '4d\\n0', which is no line of text",
        ),
        (
            Right(77),
            (write, lambda _: Right(7)),
            "the text '4d' is read back as Right(state=7), not as Right(state=77)",
        ),
        (
            Right(77),
            (write, lambda _: Success(Right(7))),
            "the text '4d' is read back as Right(state=7), not as Right(state=77)",
        ),
        (
            Hidden(77),
            (write, lambda _: Hidden(7)),
            "the text '4d' is read back as one that draws other numbers",
        ),
        (
            OtherHash(77),
            (write, lambda _: OtherHash(77, 1)),
            (
                "the text '4d' is read back as OtherHash(state=77, other=1), not as "
                'OtherHash(state=77, other=0)'
            ),
        ),
    ],
    ids=count(),
)
def test_texts(generator, text, words):
    assert found(TEXT, generator, text) == words


# Evenness.


def test_what_is_not_drawn_evenly_is_told():
    """What is comes in `test_laws_of_generators.py`."""
    numbers, pairs, children = EVEN
    assert found(pairs, Right()) is found(children, Right()) is None
    assert found(numbers, only(0, 4, 4)).endswith('of 2000 draws of uniform(0, 4) are 0')
    assert found(pairs, only(0, 2, 2)).endswith(
        'of 2000 pairs of draws of uniform(0, 2) are (0, 0)'
    )
    assert found(children, only(0, 2, 2)).endswith(
        'the first draw of uniform(0, 2) is 0 for none of 2000 children'
    )


def test_wrong_ones_of_the_zoo_in_words():
    assert found(BACKWARDS, WrongWayRound()).startswith('uniform(6, 0) gave ')
    assert found(LEAVES, Mutable()).startswith('uniform(0, 6): the generator.state was 1 and is ')
    assert found(RANGE, NegativeRanges()).startswith('uniform(-4, -4) gave 4')
    assert found(RANGE, OneTooMany()).startswith('uniform(')
    assert found(AGAIN, Python()).startswith('uniform(')
