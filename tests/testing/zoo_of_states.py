"""Games whose states are wrong as values: equality, hashes, copies, pickles."""

import threading
from collections.abc import Callable
from typing import Any, ClassVar

from attrs import evolve, field, frozen

from zoo_right import Heap, Noughts


class ByIdentity(Heap):
    __eq__ = object.__eq__
    __hash__ = object.__hash__


class HashOfIdentity(Heap):
    __eq__ = Heap.__eq__
    __hash__ = object.__hash__


class NoHash(Heap):
    __hash__ = None


class AllEqual(Heap):
    def __eq__(self, other):
        return isinstance(other, Heap)

    __hash__ = lambda _self: 0  # noqa: E731 - in one line


class SideLeftOut(Heap):
    def __eq__(self, other):
        return isinstance(other, Heap) and self.left == other.left

    __hash__ = lambda self: hash(self.left)  # noqa: E731 - in one line


class CachedForAll(Noughts):
    """A cache of the class keeps the winner by the number of stones."""

    known: ClassVar[dict] = {}

    @property
    def winner(self):
        stones = 9 - self.cells.count(None)
        return self.known.setdefault(stones, Noughts(self.cells).winner)


class ComparesFields(Heap):
    __eq__ = lambda self, other: (self.left, self.player) == (other.left, other.player)  # noqa: E731
    __hash__ = Heap.__hash__


@frozen
class HoldsAFunction(Heap):
    rule: Callable = field(default=lambda: None, eq=False)


@frozen
class HoldsALock(Heap):
    lock: Any = field(factory=threading.Lock, eq=False)


@frozen
class KeepsItsHash(Heap):
    name: str = 'heap'
    kept: int = field(init=False, eq=False)

    def __attrs_post_init__(self):
        object.__setattr__(self, 'kept', hash((self.left, self.player.name, self.name)))

    def __hash__(self):
        return self.kept


class ForgetsInCopies(Heap):
    def __deepcopy__(self, _):
        return evolve(self, left=6)

    def __reduce__(self):
        return type(self), (self.left,)
