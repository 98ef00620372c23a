"""The generator protocol, and the thawed cursor for a run of draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, Self, TypeVar

from attrs import define

from fmcts._arguments import shown


class Rng(Protocol):
    """A frozen pseudo-random generator: drawing leaves it unchanged and returns its successor."""

    def uniform(self, low: int, high: int, /) -> tuple[int, Self]:
        """Return an integer from `low` to `high`, both included, and the next generator."""

    def split(self) -> tuple[Self, Self]:
        """Return two generators, with streams independent of each other and of this one's."""

    def child(self, index: int, /) -> Self:
        """Return generator number `index` (0, 1, 2, ...) derived from this one, in constant time.

        It depends only on this generator and `index`, so game 17 of a match is the same whatever
        game 16 drew, and whichever worker plays it.
        """


R = TypeVar('R', bound=Rng)


class Draws(Protocol):
    """A thawed generator: a mutable cursor for a run of draws inside one function.

    It lives between `thaw` and `freeze`, like the state of `runST` in Haskell, and makes the same
    draws as the frozen generator.
    """

    def draw(self, count: int, /) -> int:
        """Draw what `uniform(0, count - 1)` would draw (`count` >= 1), and advance the cursor."""

    def freeze(self) -> Rng:
        """Return the frozen generator at the position of the cursor."""


@define
class UniformDraws:
    """A cursor over any generator: one call of `uniform` per draw."""

    rng: Rng

    def draw(self, count: int) -> int:
        """Draw what `uniform(0, count - 1)` would draw, and advance the cursor.

        :raises ValueError: the generator draws anything else than an integer from 0 to `count` - 1.
        """
        drawn, self.rng = self.rng.uniform(0, count - 1)
        if not hasattr(drawn, '__index__') or not 0 <= drawn < count:
            kind = type(self.rng).__name__
            raise ValueError(
                f'{kind}.uniform(0, {count - 1}) drew {shown(drawn)}, which is not such an integer'
            )
        return drawn

    def freeze(self) -> Rng:
        """Return the generator to use next."""
        return self.rng


def thaw(rng: Rng) -> Draws:
    """Return a cursor over `rng`: by its own method `thaw` if it has one, else by `uniform`.

    A class that overrides `uniform` alone does not use the `thaw` that it inherits, whose draws are
    the draws of the inherited `uniform`.
    """
    own: Callable[[], Draws] | None = getattr(rng, 'thaw', None)
    return UniformDraws(rng) if own is None or _overrides_uniform(type(rng)) else own()


def _overrides_uniform(kind: type) -> bool:
    for base in kind.__mro__:
        if 'thaw' in vars(base):
            return False
        if 'uniform' in vars(base):
            return True
    return False  # an attribute of the value
