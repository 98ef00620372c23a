"""Generators with mistakes in their draws, or in their halves and children."""

import itertools
import random

from fmcts.rng._splitmix import MASK64, mix64
from zoo_generators_right import Right


class Modulo(Right):
    """A word of 31 bits modulo the range: what is left over goes to the lower numbers."""

    def uniform(self, low, high):
        if low > high or high - low >= 1 << 31:
            raise ValueError('at most 2**31 numbers, the lower bound first')
        return low + (self.word() >> 33) % (high - low + 1), self.next()


class HighExclusive(Right):
    """The upper bound is left out, as in `random.randrange`."""

    def uniform(self, low, high):
        return super().uniform(low, max(low, high - 1))


class NegativeRanges(Right):
    """The range is counted from 0: right for lower bounds that are not negative."""

    def uniform(self, low, high):
        number, after = super().uniform(0, abs(high - low))
        return abs(low) + number, after


class OneTooMany(Right):
    def uniform(self, low, high):
        return super().uniform(low, high + 1)


class Fractions(Right):
    def uniform(self, low, high):
        number, after = super().uniform(low, high)
        return float(number), after


class NumberAlone(Right):
    def uniform(self, low, high):
        return super().uniform(low, high)[0]


class WrongWayRound(Right):
    """Bounds in the wrong order are not noticed, and give what lies outside."""

    def uniform(self, low, high):
        if low > high:
            return low + self.word() % (low - high + 1), self.next()
        return super().uniform(low, high)


class EqualHalves(Right):
    def split(self):
        left, _ = super().split()
        return left, left


class LeftIsParent(Right):
    def split(self):
        return self, super().split()[1]


class RightIsAhead(Right):
    """The right half is the generator after one draw, and so equal to no other, yet a child's."""

    def split(self):
        return super().split()[0], self.child(0)


class EightBitChildren(Right):
    def child(self, index):
        return super().child(index % 256)


class ChildZeroIsParent(Right):
    def child(self, index):
        return super().child(index) if index else self


CALLS = itertools.count()


class ChildrenInTurn(Right):
    """Each call makes the next child, whatever the index: as `spawn` of other libraries."""

    def child(self, _index):
        return super().child(next(CALLS))


class Neighbours(Right):
    """Children are next to each other, and their first draws are all the same."""

    def word(self):
        return mix64(self.state >> 16)

    def next(self):
        return type(self)(mix64(self.state))

    def child(self, index):
        return type(self)((mix64(self.state) & ~0xFFFF) + index % 0xFFFF + 1)


class LowBits(Right):
    """A linear congruence whose low bits are taken, of which the last one alternates."""

    def uniform(self, low, high):
        if low > high or high - low >= 1 << 31:
            raise ValueError('at most 2**31 numbers, the lower bound first')
        after = type(self)((6364136223846793005 * self.state + 1442695040888963407) & MASK64)
        return low + after.state % (high - low + 1), after


class Constant(Right):
    def word(self):
        return 0


class ShortPeriod(Right):
    def next(self):
        return type(self)((self.state & ~7) + (self.state + 1) % 8)


class Python(Right):
    """It draws from Python's generator, and so differently every time."""

    def uniform(self, low, high):
        return random.randint(min(low, high), max(low, high)), self.next()  # noqa: S311 - the mistake
