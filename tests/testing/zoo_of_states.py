"""Games whose states are wrong as values: equality, hashes, copies, pickles."""

import threading
from collections.abc import Callable
from typing import Any, ClassVar

from attrs import evolve, field, frozen

from zoo_right import PROCESS, Heap, Noughts, wrong


@wrong('equal by value', 'states are compared as objects')
class ByIdentity(Heap):
    __eq__ = object.__eq__
    __hash__ = object.__hash__


@wrong('hashed by value', 'equality is by value, and the hash is not')
class HashOfIdentity(Heap):
    __eq__ = Heap.__eq__
    __hash__ = object.__hash__


@wrong('hashed by value', 'a class with __eq__ and without __hash__')
class NoHash(Heap):
    __hash__ = None


@wrong('states differ', 'equality looks at the class alone', 1)
class AllEqual(Heap):
    def __eq__(self, other):
        return isinstance(other, Heap)

    __hash__ = lambda _self: 0  # noqa: E731 - in one line


@wrong('equal states are alike', 'equality leaves out the side to move', 2)
class SideLeftOut(Heap):
    def __eq__(self, other):
        return isinstance(other, Heap) and self.left == other.left

    __hash__ = lambda self: hash(self.left)  # noqa: E731 - in one line


@wrong('same moves', 'a cache of the class is keyed by too little', 5, theirs=Noughts())
class CachedForAll(Noughts):
    """A cache of the class keeps the winner by the number of stones."""

    known: ClassVar[dict] = {}

    @property
    def winner(self):
        stones = 9 - self.cells.count(None)
        return self.known.setdefault(stones, Noughts(self.cells).winner)


@wrong('states differ', 'equality takes everything for a state')
class ComparesFields(Heap):
    __eq__ = lambda self, other: (self.left, self.player) == (other.left, other.player)  # noqa: E731
    __hash__ = Heap.__hash__


@wrong('states pickle', 'a state holds a lambda')
@frozen
class HoldsAFunction(Heap):
    rule: Callable = field(default=lambda: None, eq=False)


@wrong('states copy', 'a state holds a lock')
@frozen
class HoldsALock(Heap):
    lock: Any = field(factory=threading.Lock, eq=False)


@wrong(PROCESS, 'a hash of text is kept, and pickled with the state', 1)
@frozen
class KeepsItsHash(Heap):
    name: str = 'heap'
    kept: int = field(init=False, eq=False)

    def __attrs_post_init__(self):
        object.__setattr__(self, 'kept', hash((self.left, self.player.name, self.name)))

    def __hash__(self):
        return self.kept


@wrong('states copy', 'a copy is made of the start', 1)
class ForgetsInCopies(Heap):
    def __deepcopy__(self, _):
        return evolve(self, left=6)

    def __reduce__(self):
        return type(self), (self.left,)
