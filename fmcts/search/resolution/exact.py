"""Exact values: what a position is worth to a single player, once all below it is known.

T. Cazenave and A. Saffidine, "Score bounded Monte-Carlo tree search", Computers and Games 2010,
with bounds that are the same: of a finished game, of a node whose moves have all been followed to
exact values, and of one with a move that is worth the most that there is (1, where rewards come at
the end alone). With rewards on the way a value is the return from there, as the mean of a node is.

Departs from the article: a node has no bounds before its value is known, as rewards on the way have
none, and a move is not cut for being at most what another is at least.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from attrs import frozen

from fmcts.formulas import maximum, where
from fmcts.search.derived import Place
from fmcts.search.resolution.resolution import Resolution

__all__ = ['EXACT']

ZERO: Final = 5e-324
"""An exact value of 0: in the column, 0 says that nothing is known."""


@frozen
class Exact(Resolution):
    """The column `exact`; no value is more than `most`. See the module."""

    names = ('exact',)
    first = (-math.inf,)
    averaged = True  # it is a value, and so has what is gained on the way
    most: float = math.inf

    def end(self, reward: float) -> tuple[float]:
        """Return what the end of the game is worth."""
        return (where(reward == 0.0, ZERO, reward),)

    def fold(self, seen: tuple[float, ...], child: Any) -> tuple[float]:
        """Return the highest value known."""
        return (maximum(seen[0], child.exact),)

    def node(self, seen: tuple[float, ...], node: Place) -> tuple[float]:
        """Return the highest value, if no other move can be worth more."""
        # Nothing beats the most that can be gained, whatever the untried moves are worth.
        return (where(node.complete, seen[0], where(seen[0] >= self.most, seen[0], 0.0)),)

    @staticmethod
    def preferred(numbers: Sequence[float], values: Sequence[float]) -> list[int]:
        """Return the highest exact value, or those without one if the mean of one is higher."""
        known = [index for index, number in enumerate(numbers) if number]
        others = [index for index, number in enumerate(numbers) if not number]
        if not known:
            return others
        best = max(known, key=lambda index: numbers[index])
        # A mean is no proof, but to play the lower exact value would pass over what is likely more.
        better = any(values[index] > numbers[best] for index in others)
        return others if better else [best]


EXACT: Final = Exact()
