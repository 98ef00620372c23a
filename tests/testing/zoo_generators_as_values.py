"""Generators that are wrong as values: mutable, or wrong in equality, hash or pickle."""

from attrs import define, field, frozen

from zoo_generators_right import Right


@define
class Mutable:
    """A draw changes the generator itself, and gives it back."""

    state: int = 1

    def uniform(self, low, high):
        number, after = Right(self.state).uniform(low, high)
        self.state = after.state
        return number, self

    def split(self):
        return tuple(Mutable(half.state) for half in Right(self.state).split())

    def child(self, index):
        return Mutable(Right(self.state).child(index).state)


@define(unsafe_hash=True)
class NotFrozen(Right.__mro__[1]):
    """Nothing changes it, and anybody could."""

    state: int = 1
    word, next, uniform = Right.word, Right.next, Right.uniform
    split, child = Right.split, Right.child


class HiddenSlot(Right.__mro__[1]):
    """As that, with a name that is hidden from those who only guess it."""

    __slots__ = ('__state',)

    def __init__(self, state=1):
        self.__state = state

    @property
    def state(self):
        return self.__state

    def __eq__(self, other):
        return isinstance(other, HiddenSlot) and self.state == other.state

    def __hash__(self):
        return hash(self.state)

    word, next, uniform = Right.word, Right.next, Right.uniform
    split, child = Right.split, Right.child


@frozen(eq=False)
class ByIdentity(Right):
    """Its equality is that of objects."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


class HashByIdentity(Right):
    __hash__ = object.__hash__


class NoHash(Right):
    __hash__ = None


@frozen
class ForgetsWhenPickled(Right):
    """Its pickle is that of the seed."""

    drawn: int = field(default=0, eq=False)

    def __reduce__(self):
        return type(self), (self.state & 0xFF,)


class NoChild:
    def uniform(self, low, _high):
        return low, self

    def split(self):
        return self, self
