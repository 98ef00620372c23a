"""A generator that remembers what was drawn from it, and from those that come of it."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

__all__ = ['Record', 'Recorded', 'recorded']


@frozen(eq=False)
class Record:
    """What happened to one generator and to all that come of it, in one call of a bot.

    `drawn` are the generators of which a number was drawn, `derived` those that were split, or
    whose child was taken, each with what came of it.
    """

    drawn: dict[Any, None] = field(factory=dict)
    derived: dict[Any, list[Any]] = field(factory=dict)

    def is_used(self, generator: Any) -> bool:
        """Whether numbers were drawn that `generator` would give again.

        They were drawn of it, or of a half or a child that would come of it again.
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
    """The same generator as `inner`, draw for draw, which writes down what is drawn.

    It is equal to another by what they give, not by what was written down.
    """

    inner: Any
    record: Record = field(eq=False, repr=False)

    def uniform(self, low: int, high: int, /) -> tuple[int, Recorded]:
        """As the inner one gives it. It is not used up where it comes back as it was."""
        number, after = self.inner.uniform(low, high)
        if after != self.inner:
            self.record.drawn[self.inner] = None
        return number, Recorded(after, self.record)

    def split(self) -> tuple[Recorded, Recorded]:
        """As the inner one gives them."""
        left, right = self.inner.split()
        self.record.derived.setdefault(self.inner, []).extend((left, right))
        return Recorded(left, self.record), Recorded(right, self.record)

    def child(self, index: int, /) -> Recorded:
        """As the inner one gives it."""
        child = self.inner.child(index)
        self.record.derived.setdefault(self.inner, []).append(child)
        return Recorded(child, self.record)


def recorded(generator: Any) -> Recorded:
    """The generator with an empty record.

    >>> from fmcts.rng import SplitMix
    >>> rng = recorded(SplitMix.from_seed(1))
    >>> _, after = rng.uniform(0, 6)
    >>> rng.record.is_used(rng.inner), rng.record.is_used(after.inner)
    (True, False)
    """
    return Recorded(generator, Record())
