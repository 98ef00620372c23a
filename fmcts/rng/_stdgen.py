"""L'Ecuyer's combined generator, the `StdGen` of Haskell's `random-1.1`.

P. L'Ecuyer, "Efficient and portable combined random number generators", Communications of the
ACM 31 (6), 1988. It is the generator that the tic-tac-toe article printed, so its sessions can be
replayed figure by figure.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import Attribute, define, field, frozen

from fmcts._arguments import as_whole
from fmcts._declared import drawn_by
from fmcts.rng._checks import MASK64, check_count, check_index, check_seed, span_of, within
from fmcts.rng._splitmix import GOLDEN_GAMMA, mix64, mix64_variant13

MODULUS1: Final = 2147483563
MODULUS2: Final = 2147483399
RADIX: Final = 2147483562  # raw draws lie in 1 .. RADIX
# Up to this many choices a single raw draw is enough; see `uniform`.
ONE_DRAW: Final = RADIX // 1000


def advance(s1: int, s2: int) -> tuple[int, int, int]:
    """Return a raw draw in 1 .. `RADIX`, and the two states after it."""
    # The original divides first, lest its integers overflow: the same remainder.
    s1 = 40014 * s1 % MODULUS1
    s2 = 40692 * s2 % MODULUS2
    z = s1 - s2
    return (z if z >= 1 else z + RADIX), s1, s2


def _check_state(_instance: object, attribute: Attribute[Any], value: int) -> None:
    within(value, attribute.name, 1, (MODULUS1 if attribute.name == 's1' else MODULUS2) - 1)


@drawn_by('stdgens')
@frozen
class StdGen:
    """The generator of `random-1.1`: two states, as Haskell shows them.

    :raises ValueError: a state is out of range.

    >>> StdGen.from_seed(42)
    StdGen(s1=43, s2=1)
    """

    s1: int = field(converter=as_whole, validator=_check_state)
    s2: int = field(converter=as_whole, validator=_check_state)

    @classmethod
    def from_seed(cls, seed: int) -> StdGen:
        """Return `mkStdGen seed` of random-1.1: only the lower 31 bits of the seed count.

        :raises ValueError: the seed is outside -2**63 .. 2**64 - 1.
        """
        quotient, first = divmod(check_seed(seed) & 0x7FFFFFFF, MODULUS1 - 1)
        return cls(first + 1, quotient % (MODULUS2 - 1) + 1)

    def word(self) -> tuple[int, StdGen]:
        """Return a raw draw in 1 .. 2147483562 and the next generator (Haskell's `next`)."""
        draw, s1, s2 = advance(self.s1, self.s2)
        return draw, StdGen(s1, s2)

    def uniform(self, low: int, high: int) -> tuple[int, StdGen]:
        """Return an integer from `low` to `high` and the next generator (`randomR` of random-1.1).

        Both bounds are included, and may be given in either order. Raw draws are digits in base
        `RADIX` until they cover a thousand times the range; the result is the remainder of a
        division. So a range of one number consumes a draw too.

        :raises TypeError: a bound is not an integer.

        >>> StdGen(1314174216, 1).uniform(0, 2)
        (2, StdGen(s1=2084555406, s2=40692))
        """
        low, span = span_of(low, high)
        draws = StdGenDraws(self.s1, self.s2)
        offset = draws.draw(span + 1)
        return low + offset, draws.freeze()

    def split(self) -> tuple[StdGen, StdGen]:
        """Return the two generators of Haskell's `split`, which is weak: prefer `child`."""
        _, t1, t2 = advance(self.s1, self.s2)
        # Without statistical foundation, as its authors say there; kept for the same numbers.
        left = StdGen(1 if self.s1 == MODULUS1 - 1 else self.s1 + 1, t2)
        right = StdGen(t1, MODULUS2 - 1 if self.s2 == 1 else self.s2 - 1)
        return left, right

    def child(self, index: int) -> StdGen:
        """Return generator number `index` derived from this one: a hash of states and index.

        It takes constant time and consumes nothing. The hash is SplitMix's, so children are as
        unrelated as two random states.

        :raises ValueError: the index is outside 0 .. 2**64 - 1.
        """
        key = mix64_variant13(self.s1 << 32 | self.s2)
        word = (key + check_index(index) * GOLDEN_GAMMA) & MASK64
        return StdGen(1 + mix64(word) % (MODULUS1 - 1), 1 + mix64_variant13(word) % (MODULUS2 - 1))

    def thaw(self) -> StdGenDraws:
        """Return a cursor that makes the draws of this generator."""
        return StdGenDraws(self.s1, self.s2)


# As for SplitMix: a search freezes a generator once per iteration, so `freeze` writes the slots.
_new = object.__new__
_put_s1 = StdGen.s1.__set__  # type: ignore[attr-defined]
_put_s2 = StdGen.s2.__set__  # type: ignore[attr-defined]


@define(eq=False)
class StdGenDraws:
    """The cursor of a `StdGen`."""

    _s1: int
    _s2: int

    def draw(self, count: int) -> int:
        """Draw what `uniform(0, count - 1)` would draw, and advance the cursor.

        :raises TypeError: `count` is not an integer.
        :raises ValueError: `count` is less than 1.
        """
        draw, self._s1, self._s2 = advance(self._s1, self._s2)
        if 0 < count <= ONE_DRAW and type(count) is int:
            return (draw - 1) % count
        count = check_count(count)
        value, covered = draw - 1, RADIX
        # The original's measure: no number is likelier than another by more than a thousandth.
        while covered < 1000 * count:
            draw, self._s1, self._s2 = advance(self._s1, self._s2)
            value, covered = value * RADIX + draw - 1, covered * RADIX
        return value % count

    def freeze(self) -> StdGen:
        """Return the generator at the position of the cursor."""
        rng = _new(StdGen)
        _put_s1(rng, self._s1)
        _put_s2(rng, self._s2)
        return rng
