"""A generator that records what is drawn from it, and from those derived from it."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen


@frozen(eq=False)
class Record:
    """A record of one generator and all derived from it, in one call of a bot.

    `drawn` are the generators from which a number was drawn, `derived` those that were split, or
    whose child was taken, each with the results.
    """

    drawn: dict[Any, None] = field(factory=dict)
    derived: dict[Any, list[Any]] = field(factory=dict)

    def is_used(self, generator: Any) -> bool:
        """Return whether numbers were drawn that `generator` would give again.

        They were drawn from it, or from a half or a child that would be derived from it again.
        """
        left, seen = [generator], set()
        while left:
            one = left.pop()
            if one in self.drawn:
                return True
            if one not in seen:
                seen.add(one)
                left.extend(self.derived.get(one, ()))
        return False


@frozen
class Recorded:
    """A generator equal to `inner`, draw for draw, that records the draws.

    Equality depends on the numbers, not on the record.
    """

    inner: Any
    record: Record = field(eq=False, repr=False)

    def uniform(self, low: int, high: int, /) -> tuple[int, Recorded]:
        """Return the inner draw. A generator that is returned unchanged does not count as used."""
        number, after = self.inner.uniform(low, high)
        if after != self.inner:
            self.record.drawn[self.inner] = None
        return number, Recorded(after, self.record)

    def split(self) -> tuple[Recorded, Recorded]:
        """Return the inner halves."""
        left, right = self.inner.split()
        self.record.derived.setdefault(self.inner, []).extend((left, right))
        return Recorded(left, self.record), Recorded(right, self.record)

    def child(self, index: int, /) -> Recorded:
        """Return the inner child."""
        child = self.inner.child(index)
        self.record.derived.setdefault(self.inner, []).append(child)
        return Recorded(child, self.record)


def recorded(generator: Any) -> Recorded:
    """Return the generator with an empty record.

    >>> from fmcts.rng import SplitMix
    >>> rng = recorded(SplitMix.from_seed(1))
    >>> _, after = rng.uniform(0, 6)
    >>> rng.record.is_used(rng.inner), rng.record.is_used(after.inner)
    (True, False)
    """
    return Recorded(generator, Record())
