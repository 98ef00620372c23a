"""The values that a call must leave alone: all parts of its arguments, and others' generators.

Equality and pickles do not show enough of a change: both leave out what follows from the rest, such
as moves that a state caches, where faults are hard to find. So a value is described part by part.
"""

from __future__ import annotations

import functools
import pickle
import random
import sys
import types
from collections import Counter, deque
from collections.abc import Callable, Iterator, Set as AbstractSet
from contextlib import contextmanager, suppress
from enum import Enum
from typing import Any, Final, TypeAlias

from attrs import field, frozen

from fmcts._arguments import cut, shown, where_they_differ
from fmcts._declared import itself

PLAIN: Final = (str, bytes, int, float, complex, type(None), type, types.ModuleType, Enum, range)
SEQUENCES: Final = (list, tuple, deque, bytearray)
MAPPINGS: Final = (dict, types.MappingProxyType)
NONE: Final = frozenset[str]()
NOBODYS: Final = 3_141_592_653  # a seed
METHODS: Final = ('uniform', 'split', 'child')  # of a generator

Snapshot: TypeAlias = dict[str, str]
"""A description of each part of a value, by the path to it."""


def parts(value: Any, name: str, memos: AbstractSet[str] = NONE) -> Iterator[tuple[str, Any]]:
    """Yield every object that can be reached from a value called `name`, with the path to it.

    :param memos: the names of attributes that are left out.
    """
    waiting, met = deque([(name, value)]), dict[int, Any]()
    while waiting:
        path, thing = waiting.popleft()
        yield path, thing
        constant = getattr(type(thing), '__deepcopy__', None) is itself
        if not (isinstance(thing, PLAIN) or constant or id(thing) in met):
            met[id(thing)] = thing  # kept alive, so that `id` stays unique
            waiting += [(path + step, inner) for step, inner in _inner(thing, memos)]


def _inner(thing: Any, memos: AbstractSet[str]) -> Iterator[tuple[str, Any]]:
    """Yield the parts of an object: attributes, items, and what a function closes over."""
    if isinstance(thing, types.FunctionType):
        for cell in thing.__closure__ or ():
            with suppress(ValueError):  # it is empty yet
                yield '.__closure__', cell.cell_contents
    elif isinstance(thing, MAPPINGS):
        yield from ((f'[{shown(key)}]', inner) for key, inner in thing.items())
    elif isinstance(thing, SEQUENCES) and not _are_plain(thing):
        yield from ((f'[{place}]', inner) for place, inner in enumerate(thing))
    held = attributes(thing).items()
    yield from ((f'.{name}', inner) for name, inner in held if name not in memos)


def _are_plain(things: Any) -> bool:
    return all(isinstance(thing, PLAIN) for thing in things)


def attributes(thing: Any) -> dict[str, Any]:
    """Return the values of an object's attributes, by name: in its `__dict__` and in slots."""
    try:
        held = object.__getstate__(thing)
    except TypeError:
        return {}
    both = held if isinstance(held, tuple) else (held,)
    return {name: value for each in both if each for name, value in each.items()}


def snapshot(value: Any, name: str, memos: AbstractSet[str] = NONE) -> Snapshot:
    """Return a description of everything that can be reached from a value."""
    return {path: _described(thing, memos) for path, thing in parts(value, name, memos)}


def _described(thing: Any, memos: AbstractSet[str] = NONE) -> str:
    kind = type(thing)
    if isinstance(thing, PLAIN) or (kind in SEQUENCES and _are_plain(thing)):
        return repr(thing)
    if isinstance(thing, AbstractSet):  # in an order that does not depend on hashes
        return f'the {kind.__name__} {sorted(map(_described, thing))}'
    if isinstance(thing, SEQUENCES) and _are_plain(thing):
        return f'the {kind.__name__} {[*thing]}'
    if isinstance(thing, MAPPINGS + SEQUENCES):
        return f'a {kind.__name__} of {len(thing)}'
    if hasattr(thing, 'tolist'):  # an array: in a text NaN and -0.0 differ from others too
        return repr(thing.tolist())
    # A cached property that is filled when it is asked for is no change.
    cached, held = functools.cached_property, getattr(thing, '__dict__', {}).keys() - memos
    own = sorted(name for name in held if not isinstance(getattr(kind, name, None), cached))
    return f'a {kind.__name__}' + (f' with {", ".join(own)}' if own else '')


def changed(before: Snapshot, now: Snapshot) -> str | None:
    """Return the first part that is gone or another now, in words.

    New parts alone are caches, slots or cached properties that are filled when they are asked for.
    A new item makes its list another, and a new attribute its object.
    """
    for path, was in before.items():
        if now.get(path) != was:
            found = f'is {cut(now[path], 60)}' if path in now else 'is gone'
            return f'{path} was {cut(was, 60)} and {found}'
    return None


def unlike(one: Any, two: Any, name: str, memos: AbstractSet[str] = NONE) -> str | None:
    """Return the first part in which two values called `name` differ, in words.

    What only one of them has yet, such as a cache filled on access, is left out.
    """
    first, second = snapshot(one, name, memos), snapshot(two, name, memos)
    for path in first:
        if path in second and first[path] != second[path]:
            left, right = where_they_differ(first[path], second[path])
            return f'{path} is {left}, and {right}'
    return None


# Generators.


@contextmanager
def global_generators() -> Iterator[Callable[[], str | None]]:
    """Give a function that says which generator of the whole process was drawn from or seeded.

    Within the block they are seeded with a seed that nobody has, so that it is seen too if they are
    seeded anew with the seed that they had; afterwards they are restored.
    """
    legacy = sys.modules.get('numpy.random')

    def states() -> dict[str, Any]:
        found: dict[str, Any] = {
            "the global generator of Python's module random": random.getstate()
        }
        if legacy is not None:
            found["NumPy's global generator"] = pickle.dumps(legacy.get_state())  # has an array
        return found

    python, numpy = random.getstate(), legacy and legacy.get_state()
    # To a state that nobody else seeds, so that seeding is noticed as well as drawing.
    random.seed(NOBODYS)
    if legacy is not None:
        legacy.seed(NOBODYS)
    before = states()

    def moved() -> str | None:
        changed = [name for name, state in states().items() if before[name] != state]
        return f'{" and ".join(changed)} was drawn from or seeded' if changed else None

    try:
        yield moved
    finally:
        random.setstate(python)
        if legacy is not None:
            legacy.set_state(numpy)


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
        left, right = self._derived(*self.inner.split())
        return left, right

    def child(self, index: int, /) -> Recorded:
        """Return the inner child."""
        return self._derived(self.inner.child(index))[0]

    def _derived(self, *made: Any) -> list[Recorded]:
        self.record.derived.setdefault(self.inner, []).extend(made)
        return [Recorded(one, self.record) for one in made]
