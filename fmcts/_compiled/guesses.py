"""Speculate that selection picks the same child as last time.

Each step of a descent needs the child that the previous one chose, and scores take divisions and
roots one after another, so a processor would wait most of the time. It need not if it continues
with a guess, and discards its work if the choice turns out to be another. This changes nothing but
the time taken. A search that concentrates on few moves, such as those by AMAF, usually chooses what
it chose before. UCB1 by itself spreads its visits, and would gain nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from fmcts._compiled.structure import Structure
from fmcts._numba.guessing import guessed
from fmcts._numba.intrinsics import get, inlined, int64, put

__all__ = ['confirming', 'how_many']

Verb: TypeAlias = Callable[..., Any]

MOST: Final = 1 << 12  # 16 kB, so that they stay in the nearest caches
NEAR: Final = 4  # blocks that begin within 16 integers share a guess


def how_many(structure: Structure) -> int:
    """For how many places there are guesses, as numbers of any value at first."""
    return 0 if structure.plain else MOST


def confirming(structure: Structure) -> Verb:
    """`confirm(guesses, block, index)`: the index that was chosen; the next guess for the block."""
    if structure.plain:
        return inlined(lambda _guesses, _block, index: index)

    @inlined
    def confirm(guesses: Any, block: Any, index: Any) -> Any:
        place = block >> NEAR & MOST - 1
        chosen = guessed(index, int64(get(guesses, place)))
        put(guesses, place, chosen)
        return chosen

    return confirm
