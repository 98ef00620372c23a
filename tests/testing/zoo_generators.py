"""Generators: wrong ones with one realistic mistake each, and right ones."""

import itertools
import random
from typing import NamedTuple

from attrs import define, field, frozen

from fmcts.rng import SplitMix, StdGen
from fmcts.rng._splitmix import GOLDEN_GAMMA, MASK64, mix64, mix64_variant13

RANGE = 'a draw lies in its range'
HALVES = 'halves of a split differ'
CHILDREN = 'children differ'
VALUE = 'generators are equal by value'
WRONG = {}


class Case(NamedTuple):
    """A generator, the law that it breaks, and how it is written down, if it is."""

    generator: object
    law: str
    text: object = None


def wrong(law, *given):
    """Return a decorator that enters a class of wrong generators into the zoo."""

    def enter(kind):
        WRONG[kind.__name__] = Case(kind(*given), law)
        return kind

    return enter


# Right ones.


@frozen
class Right:
    """A generator of a user's own, as it should be; the wrong ones differ in one thing each."""

    state: int = 1

    def word(self):
        return mix64(self.state)

    def next(self):
        return type(self)((self.state + GOLDEN_GAMMA) & MASK64)

    def uniform(self, low, high):
        if low > high:
            raise ValueError(f'the bounds must be in order, not {low} and {high}')
        count, after = high - low + 1, self
        while True:
            number, bits = 0, 0
            while bits < count.bit_length():
                number, bits, after = number << 64 | after.word(), bits + 64, after.next()
            number &= (1 << count.bit_length()) - 1
            if number < count:
                return low + number, after

    def split(self):
        return type(self)(mix64(self.state ^ 0xA5A5)), type(self)(
            mix64_variant13(self.state ^ 0x5A)
        )

    def child(self, index):
        key = mix64_variant13(self.state) + index * GOLDEN_GAMMA
        return type(self)(mix64_variant13(key & MASK64))


class Triple(NamedTuple):
    """A generator may be a tuple."""

    state: int

    word, next, uniform = Right.word, Right.next, Right.uniform
    split, child = Right.split, Right.child


class Narrow(Right):
    """It refuses ranges of more than 2**32 numbers, in one line."""

    def uniform(self, low, high):
        if high - low >= 1 << 32:
            raise ValueError('at most 2**32 numbers')
        return super().uniform(min(low, high), max(low, high))


# Wrong as values: mutable, or wrong in equality, hash or pickle.


@wrong('a draw leaves the generator as it was')
@define
class Mutable:
    """A draw changes the generator itself, and gives it back."""

    state: int = 1

    def uniform(self, low, high):
        number, after = Right(self.state).uniform(low, high)
        self.state = after.state
        return number, self

    def split(self):
        return tuple(Mutable(half.state) for half in Right(self.state).split())

    def child(self, index):
        return Mutable(Right(self.state).child(index).state)


@wrong('a generator is frozen')
@define(unsafe_hash=True)
class NotFrozen(Right.__mro__[1]):
    """Nothing changes it, and anybody could."""

    state: int = 1
    word, next, uniform = Right.word, Right.next, Right.uniform
    split, child = Right.split, Right.child


@wrong('a generator is frozen')
class HiddenSlot(Right.__mro__[1]):
    """As that, with a name that is hidden from those who only guess it."""

    __slots__ = ('__state',)

    def __init__(self, state=1):
        self.__state = state

    @property
    def state(self):
        return self.__state

    def __eq__(self, other):
        return isinstance(other, HiddenSlot) and self.state == other.state

    def __hash__(self):
        return hash(self.state)

    word, next, uniform = Right.word, Right.next, Right.uniform
    split, child = Right.split, Right.child


@wrong('a child depends on its index alone')
@frozen(eq=False)
class ByIdentity(Right):
    """Its equality is that of objects."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


@wrong(VALUE)
class HashByIdentity(Right):
    __hash__ = object.__hash__


@wrong(VALUE)
class NoHash(Right):
    __hash__ = None


@wrong('a generator is read back from its pickle', 1 << 40)
@frozen
class ForgetsWhenPickled(Right):
    """Its pickle is that of the seed."""

    drawn: int = field(default=0, eq=False)

    def __reduce__(self):
        return type(self), (self.state & 0xFF,)


@wrong('a generator has its three methods')
class NoChild:
    def uniform(self, low, _high):
        return low, self

    def split(self):
        return self, self


# Mistakes in draws, or in halves and children.


@wrong('numbers are even')
class Modulo(Right):
    """A word of 31 bits modulo the range: what is left over goes to the lower numbers."""

    def uniform(self, low, high):
        if low > high or high - low >= 1 << 31:
            raise ValueError('at most 2**31 numbers, the lower bound first')
        return low + (self.word() >> 33) % (high - low + 1), self.next()


@wrong('every number of a range is drawn')
class HighExclusive(Right):
    """The upper bound is left out, as in `random.randrange`."""

    def uniform(self, low, high):
        return super().uniform(low, max(low, high - 1))


@wrong(RANGE)
class NegativeRanges(Right):
    """The range is counted from 0: right for lower bounds that are not negative."""

    def uniform(self, low, high):
        number, after = super().uniform(0, abs(high - low))
        return abs(low) + number, after


@wrong(RANGE)
class OneTooMany(Right):
    def uniform(self, low, high):
        return super().uniform(low, high + 1)


@wrong(RANGE)
class Fractions(Right):
    def uniform(self, low, high):
        number, after = super().uniform(low, high)
        return float(number), after


@wrong(RANGE)
class NumberAlone(Right):
    def uniform(self, low, high):
        return super().uniform(low, high)[0]


@wrong('bounds in the wrong order')
class WrongWayRound(Right):
    """Bounds in the wrong order are not noticed, and give what lies outside."""

    def uniform(self, low, high):
        if low > high:
            return low + self.word() % (low - high + 1), self.next()
        return super().uniform(low, high)


@wrong(HALVES)
class EqualHalves(Right):
    def split(self):
        left, _ = super().split()
        return left, left


@wrong(HALVES)
class LeftIsParent(Right):
    def split(self):
        return self, super().split()[1]


@wrong(CHILDREN)
class RightIsAhead(Right):
    """The right half is the generator after one draw, and so equal to no other, yet a child's."""

    def split(self):
        return super().split()[0], self.child(0)


@wrong(CHILDREN)
class EightBitChildren(Right):
    def child(self, index):
        return super().child(index % 256)


@wrong(CHILDREN)
class ChildZeroIsParent(Right):
    def child(self, index):
        return super().child(index) if index else self


CALLS = itertools.count()


@wrong('a child depends on its index alone')
class ChildrenInTurn(Right):
    """Each call makes the next child, whatever the index: as `spawn` of other libraries."""

    def child(self, _index):
        return super().child(next(CALLS))


@wrong('children are even')
class Neighbours(Right):
    """Children are next to each other, and their first draws are all the same."""

    def word(self):
        return mix64(self.state >> 16)

    def next(self):
        return type(self)(mix64(self.state))

    def child(self, index):
        return type(self)((mix64(self.state) & ~0xFFFF) + index % 0xFFFF + 1)


@wrong('pairs are even')
class LowBits(Right):
    """A linear congruence whose low bits are taken, of which the last one alternates."""

    def uniform(self, low, high):
        if low > high or high - low >= 1 << 31:
            raise ValueError('at most 2**31 numbers, the lower bound first')
        after = type(self)((6364136223846793005 * self.state + 1442695040888963407) & MASK64)
        return low + after.state % (high - low + 1), after


@wrong(RANGE)
class GivesAnother(Right):
    """The next generator is of another class."""

    def uniform(self, low, high):
        number, after = super().uniform(low, high)
        return number, Right(after.state)


@wrong(RANGE)
class TooNarrow(Right):
    """It refuses what must be served, in two lines."""

    def uniform(self, low, high):
        if high - low >= 1 << 31:
            raise ValueError('too wide' + chr(10) + 'for me')
        return super().uniform(low, high)


@wrong(HALVES)
class Thirds(Right):
    def split(self):
        return (*super().split(), self)


@wrong(CHILDREN)
@frozen
class NamesItsChildren(Right):
    """Children differ in a number that no draw uses."""

    name: int = 0

    def child(self, index):
        return NamesItsChildren(Right(self.state).child(0).state, index)


@wrong(VALUE)
class EqualsNone(Right):
    __eq__ = lambda self, other: other is None or Right.__eq__(self, other)  # noqa: E731
    __hash__ = Right.__hash__


@wrong('every number of a range is drawn')
class Constant(Right):
    def word(self):
        return 0


@wrong('a draw moves on')
class ShortPeriod(Right):
    def next(self):
        return type(self)((self.state & ~7) + (self.state + 1) % 8)


@wrong('a draw can be made again')
class Python(Right):
    """It draws from Python's generator, and so differently every time."""

    def uniform(self, low, high):
        return random.randint(min(low, high), max(low, high)), self.next()  # noqa: S311 - the mistake


WRONG['InTwoLines'] = Case(
    Right(),
    'a generator is read back from its text',
    (lambda rng: f'right{chr(10)}{rng.state}', lambda text: Right(int(text.split()[1]))),
)
WRONG['Shortened'] = Case(
    Right(1 << 40),
    'a generator is read back from its text',
    (lambda rng: f'{rng.state & 0xFFFFFFFF:x}', lambda text: Right(int(text, 16))),
)

RIGHT = {
    'SplitMix': SplitMix.from_seed(42),
    'SplitMix, least': SplitMix(0, 1),
    'SplitMix, most': SplitMix(MASK64, MASK64),
    'StdGen': StdGen.from_seed(42),
    'StdGen, least': StdGen(1, 1),
    'a class': Right(),
    'a tuple': Triple(1),
    'narrow': Narrow(),
}
