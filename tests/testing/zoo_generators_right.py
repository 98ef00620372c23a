"""Correct generators, from which the wrong ones are made."""

from typing import NamedTuple

from attrs import frozen

from fmcts.rng._splitmix import GOLDEN_GAMMA, MASK64, mix64, mix64_variant13


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
