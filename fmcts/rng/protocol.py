"""What a generator is, and the local mutation that a long run of draws may use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, Self

from attrs import define


class Rng(Protocol):
    """A frozen pseudo-random generator: drawing leaves it unchanged and returns its successor."""

    def uniform(self, low: int, high: int, /) -> tuple[int, Self]:
        """An integer between `low` and `high`, both included, and the next generator."""

    def split(self) -> tuple[Self, Self]:
        """Two generators whose streams are independent of each other and of this one's."""

    def child(self, index: int, /) -> Self:
        """The generator number `index` (0, 1, 2, ...) derived from this one, in constant time.

        It depends on nothing but this generator and `index`, so game 17 of a match is the same
        whatever was drawn in game 16, and whichever worker plays it.
        """


class Draws(Protocol):
    """A thawed generator: a mutable cursor for a run of draws that nobody else can see.

    It exists between `thaw` and `freeze` inside one function, as `runST` does in Haskell, and it
    makes the very draws that the frozen generator would make.
    """

    def draw(self, count: int, /) -> int:
        """What `uniform(0, count - 1)` draws, `count` being at least 1; advances the cursor."""

    def freeze(self) -> Rng:
        """The frozen generator that stands where the cursor stands."""


@define
class UniformDraws:
    """The cursor over any generator: one call of `uniform` a draw."""

    rng: Rng

    def draw(self, count: int) -> int:
        """What `uniform(0, count - 1)` draws; advances the cursor."""
        number, self.rng = self.rng.uniform(0, count - 1)
        return number

    def freeze(self) -> Rng:
        """The generator to use next."""
        return self.rng


def thaw(rng: Rng) -> Draws:
    """A cursor over `rng`: that of its own method `thaw` if it has one, else of `uniform`."""
    own: Callable[[], Draws] | None = getattr(rng, 'thaw', None)
    return UniformDraws(rng) if own is None else own()
