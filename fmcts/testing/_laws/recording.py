"""What a function draws: records of the generator that it receives, and of global generators.

And generators of the same kind as one found inside a value.
"""

from __future__ import annotations

import pickle
import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from attrs import field, frozen

METHODS = ('uniform', 'split', 'child')
OTHERS = 8


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

    Equality depends on the numbers, not on the record.
    """

    inner: Any
    record: Record = field(eq=False, repr=False)

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


def recorded(generator: Any) -> Recorded:
    """Return the generator with an empty record.

    >>> from fmcts.rng import SplitMix
    >>> rng = recorded(SplitMix.from_seed(1))
    >>> _, after = rng.uniform(0, 6)
    >>> rng.record.is_used(rng.inner), rng.record.is_used(after.inner)
    (True, False)
    """
    return Recorded(generator, Record())


def _named_states() -> Iterator[tuple[str, object]]:
    yield "the global generator of Python's module random", random.getstate()
    numpy_random = sys.modules.get('numpy.random')
    if numpy_random is not None:
        state = numpy_random.get_state(legacy=False)  # holds arrays, which are compared as bytes
        yield "NumPy's global generator", pickle.dumps(state)


def state_of_generators() -> dict[str, object]:
    """Return the states of the global generators: `random`'s, and NumPy's if it is loaded."""
    return dict(_named_states())


def moved_on(before: dict[str, object]) -> str | None:
    """Return which of them has been drawn from or seeded since, in words, or `None`."""
    now = state_of_generators()
    changed = [name for name, state in before.items() if now[name] != state]
    return f'{" and ".join(changed)} was drawn from or seeded' if changed else None


def others_like(thing: Any) -> Iterator[Any]:
    """Yield other generators of the kind of `thing`; none if it is not a generator.

    Generators are the library's, or those of Python or NumPy.
    """
    kind, numpy_random = type(thing), sys.modules.get('numpy.random')
    for seed in range(OTHERS):
        if isinstance(thing, random.Random) or (
            numpy_random is not None and isinstance(thing, numpy_random.RandomState)
        ):
            yield kind(seed)
        elif numpy_random is not None and isinstance(thing, numpy_random.Generator):
            yield kind(type(thing.bit_generator)(seed))
        elif all(callable(getattr(thing, name, None)) for name in METHODS):
            yield thing.child(seed)
