"""What a function draws: a record of the generator that it receives, and of global generators."""

from __future__ import annotations

import pickle
import random
import sys
from collections import Counter
from typing import Any

from attrs import field, frozen


@frozen(eq=False)
class Record:
    """A record of one generator and all derived from it, in one call of a bot.

    `drawn` are the generators from which numbers were drawn, with how many; `derived` those that
    were split, or whose child was taken, each with the results.
    """

    drawn: Counter[Any] = field(factory=Counter)
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

    >>> from fmcts.rng import SplitMix
    >>> rng = Recorded(SplitMix.from_seed(1))
    >>> _, after = rng.uniform(0, 6)
    >>> rng.record.is_used(rng.inner), rng.record.is_used(after.inner)
    (True, False)
    """

    inner: Any
    record: Record = field(factory=Record, eq=False, repr=False)

    def uniform(self, low: int, high: int, /) -> tuple[int, Recorded]:
        """Return the inner draw. A generator that is returned unchanged does not count as used."""
        number, after = self.inner.uniform(low, high)
        if after != self.inner:
            self.record.drawn[self.inner] += 1
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


def state_of_generators() -> dict[str, object]:
    """Return the states of the global generators: `random`'s, and NumPy's if it is loaded."""
    states: dict[str, object] = {
        "the global generator of Python's module random": random.getstate()
    }
    if numpy_random := sys.modules.get('numpy.random'):
        state = numpy_random.get_state(legacy=False)  # holds arrays, which are compared as bytes
        states["NumPy's global generator"] = pickle.dumps(state)
    return states


def moved_on(before: dict[str, object]) -> str | None:
    """Return which of them has been drawn from or seeded since, in words, or `None`."""
    now = state_of_generators()
    changed = [name for name, state in before.items() if now[name] != state]
    return f'{" and ".join(changed)} was drawn from or seeded' if changed else None
