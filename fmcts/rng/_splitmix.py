"""SplitMix, the generator of Haskell's `random` >= 1.2.

Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014,
doi:10.1145/2660193.2660195; constants and ranges as in the Haskell packages `splitmix` 0.1 and
`random` 1.2, draw for draw.
"""

from __future__ import annotations

import struct
from typing import Final

from attrs import define, field, frozen

from fmcts._arguments import as_whole, shown
from fmcts._declared import drawn_by
from fmcts.rng._checks import (
    MASK64,
    check_count,
    check_index,
    check_seed,
    check_word,
    span_of,
)

GOLDEN_GAMMA: Final = 0x9E3779B97F4A7C15


def mix64(z: int) -> int:
    """Mix a 64-bit word by the finaliser of MurmurHash3: a bijection that spreads every bit."""
    z = ((z ^ z >> 33) * 0xFF51AFD7ED558CCD) & MASK64
    z = ((z ^ z >> 33) * 0xC4CEB9FE1A85EC53) & MASK64
    return z ^ z >> 33


def mix64_variant13(z: int) -> int:
    """Mix a 64-bit word by Stafford's variant 13, which is used for gammas and children."""
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK64
    return z ^ z >> 31


def mix_gamma(z: int) -> int:
    """Return an odd increment whose neighbouring bits differ often enough."""
    gamma = mix64_variant13(z) | 1
    return gamma if (gamma ^ gamma >> 1).bit_count() >= 24 else gamma ^ 0xAAAAAAAAAAAAAAAA


class Lanes:
    """Constants to compute a block of `count` words at once.

    Lane k of one big integer holds word k of a counter. Lanes are 128 bits wide, so that a 64-bit
    product fits in one.
    """

    def __init__(self, count: int) -> None:
        self.ones = sum(1 << 128 * lane for lane in range(count))
        self.ramp = sum((lane + 1) << 128 * lane for lane in range(count))
        self.low64 = self.ones * MASK64
        self.low31 = self.ones * (MASK64 >> 33)
        self.bytes = 16 * count
        self.unpack = struct.Struct('<' + 'Q8x' * count).unpack


LANES: Final = Lanes(64)


def words_after(state: int, gamma: int) -> tuple[int, ...]:
    """Return the next 64 words: `mix64(state + gamma)`, `mix64(state + 2 * gamma)`, ..."""
    low64, low31 = LANES.low64, LANES.low31
    # A product of two words fits its lane of 128 bits, so none carries into the next; a shift does
    # bring bits of the next one in, which `low31` removes.
    z = (state * LANES.ones + gamma * LANES.ramp) & low64
    z = ((z ^ (z >> 33 & low31)) * 0xFF51AFD7ED558CCD) & low64
    z = ((z ^ (z >> 33 & low31)) * 0xC4CEB9FE1A85EC53) & low64
    z ^= z >> 33 & low31
    return LANES.unpack(z.to_bytes(LANES.bytes, 'little'))


def mask_for(span: int) -> int:
    """Return ones up to the highest bit of `span` (>= 0), at least one bit."""
    return (1 << (span | 1).bit_length()) - 1


def _wide_mask(count: int) -> int:
    if count > MASK64 + 1:
        check_count(count, MASK64 + 1)
    return mask_for(count - 1)


# Indexed by the number of choices, 0 (never drawn) to 128: enough for most boards.
_MASKS: Final = tuple(mask_for(max(count - 1, 0)) for count in range(129))


@drawn_by('splitmixes')
@frozen
class SplitMix:
    """A SplitMix generator: a `state` and an odd `gamma`, 64 bits each.

    :raises ValueError: a number does not fit in 64 bits, or `gamma` is even.

    >>> SplitMix.from_seed(42)
    SplitMix(state=9297814886316923340, gamma=13679457532755275413)
    """

    state: int = field(converter=as_whole, validator=check_word)
    gamma: int = field(converter=as_whole, validator=check_word)
    # Words that a thawed cursor has computed ahead, and how many of them are spent. They follow
    # from state and gamma: equality, hash, repr and pickle ignore them. Only `made_of` sets them.
    _words: tuple[int, ...] = field(default=(), init=False, eq=False, repr=False)
    _spent: int = field(default=0, init=False, eq=False, repr=False)

    @gamma.validator
    def _check_odd(self, _attribute: object, value: int) -> None:
        if value % 2 == 0:
            raise ValueError(f'the gamma of a SplitMix generator must be odd, not {value}')

    def __reduce__(self) -> tuple[object, tuple[int, int]]:
        return SplitMix, (self.state, self.gamma)

    @classmethod
    def from_seed(cls, seed: int) -> SplitMix:
        """Return Haskell's `mkStdGen seed`, for any 64-bit seed, signed or not.

        :raises ValueError: the seed is outside -2**63 .. 2**64 - 1.
        """
        seed = check_seed(seed)
        return cls(mix64(seed), mix_gamma((seed + GOLDEN_GAMMA) & MASK64))

    def word(self) -> tuple[int, SplitMix]:
        """Return 64 random bits and the next generator (Haskell's `genWord64`)."""
        return self.uniform(0, MASK64)

    def uniform(self, low: int, high: int) -> tuple[int, SplitMix]:
        """Return an integer from `low` to `high` and the next generator (Haskell's `uniformR`).

        Both bounds are included, and may be given in either order. A range of one number consumes
        nothing. Otherwise words are masked to the width of the range until one is in it.

        :raises TypeError: a bound is not an integer.
        :raises ValueError: the range has more than 2**64 numbers.

        >>> SplitMix.from_seed(0).uniform(0, 8)
        (8, SplitMix(state=16294208416658607535, gamma=16294208416658607535))
        """
        low, span = span_of(low, high)
        if span > MASK64:
            raise ValueError(
                f'a range of {shown(span + 1)} numbers; SplitMix draws from at most 2**64'
            )
        if not span:
            return low, self
        state, gamma, mask = self.state, self.gamma, mask_for(span)
        while True:
            state = (state + gamma) & MASK64
            offset = mix64(state) & mask
            if offset <= span:
                return low + offset, made_of(state, gamma)

    def split(self) -> tuple[SplitMix, SplitMix]:
        """Return this stream two words later, and a new stream made of those words (`split`)."""
        middle = (self.state + self.gamma) & MASK64
        end = (middle + self.gamma) & MASK64
        return made_of(end, self.gamma), made_of(mix64(middle), mix_gamma(end))

    def child(self, index: int) -> SplitMix:
        """Return generator number `index` derived from this one: a hash of state, gamma and index.

        It takes constant time and consumes nothing. Children of one generator have different
        states: a bijection, seeded by state and gamma, hashes a counter.

        :raises ValueError: the index is outside 0 .. 2**64 - 1.
        """
        counter = check_index(index) * GOLDEN_GAMMA
        key = mix64_variant13(mix64_variant13(self.state) ^ self.gamma)
        return made_of(
            mix64_variant13((key + counter) & MASK64), mix_gamma((mix64(key) + counter) & MASK64)
        )

    def thaw(self) -> SplitMixDraws:
        """Return a cursor that makes the draws of this generator, a block of words at a time."""
        return SplitMixDraws(self.state, self.gamma, self._words, self._spent, self._spent)


# A frozen attrs class sets its fields through object.__setattr__ and runs validators. A search
# freezes a generator once per iteration, so values known to be valid are written to the slots.
_new = object.__new__
_put_state = SplitMix.state.__set__  # type: ignore[attr-defined]
_put_gamma = SplitMix.gamma.__set__  # type: ignore[attr-defined]
_put_words = SplitMix._words.__set__  # type: ignore[attr-defined]  # noqa: SLF001
_put_spent = SplitMix._spent.__set__  # type: ignore[attr-defined]  # noqa: SLF001


def made_of(state: int, gamma: int, words: tuple[int, ...] = (), spent: int = 0) -> SplitMix:
    """Make a generator of a state and a gamma that this module computed, without validation.

    Nothing is checked. `words` are drawn ahead; `spent` of them are used.
    """
    rng = _new(SplitMix)
    _put_state(rng, state)
    _put_gamma(rng, gamma)
    _put_words(rng, words)
    _put_spent(rng, spent)
    return rng


@define(eq=False)
class SplitMixDraws:
    """The cursor of a SplitMix generator, `_spent` words into a block.

    `_state` belongs to index `_begin` of the block: where the cursor was thawed, or the start.
    """

    _state: int
    _gamma: int
    _words: tuple[int, ...]
    _begin: int
    _spent: int

    def draw(self, count: int) -> int:
        """Draw what `uniform(0, count - 1)` would draw, and advance the cursor.

        :raises TypeError: `count` is not an integer.
        :raises ValueError: `count` is less than 1, or more than 2**64.
        """
        # Wrong counts are detected where they fail, so that right ones pass fewer checks.
        if count == 1:
            return 0 if type(count) is int else check_count(count) - 1
        try:
            mask = _MASKS[count] if count <= 128 else _wide_mask(count)
        except (TypeError, IndexError):
            check_count(count)
            raise
        while True:
            spent = self._spent
            if spent == len(self._words):
                self._state = self._state_here()
                self._words = words_after(self._state, self._gamma)
                self._begin = spent = 0
            self._spent = spent + 1
            number = self._words[spent] & mask
            if number < count:
                return number
            if count < 1:
                check_count(count)

    def _state_here(self) -> int:
        return (self._state + (self._spent - self._begin) * self._gamma) & MASK64

    def freeze(self) -> SplitMix:
        """Return the generator at the position of the cursor, with the words computed ahead."""
        return made_of(self._state_here(), self._gamma, self._words, self._spent)
