"""Speculate that selection picks the same child as last time.

Each step of a descent needs the child that the previous step chose, and a score takes several
divisions and roots in sequence, so the processor would wait most of the time. Instead it continues
with a guess, and discards the work if the guess was wrong. This affects only the time taken. A
search that concentrates on few moves, such as AMAF, usually repeats its choice. UCB1 alone spreads
its visits and would gain nothing, so it does not guess.
"""

from __future__ import annotations

from typing import Any, Final

from fmcts._compiled.structure import Structure
from fmcts._numba.intrinsics import Verb, get, guessed, inlined, int64, put

MOST: Final = 1 << 12  # 16 kB, small enough for the first-level cache
NEAR: Final = 4  # blocks that begin within 16 integers share a guess


def how_many(structure: Structure) -> int:
    """Return the size of the array of guesses; its initial values do not matter."""
    return 0 if structure.plain else MOST


def confirming(structure: Structure) -> Verb:
    """Return `confirm(guesses, block, index)`.

    It returns the index that was chosen, and stores it as the next guess for the block.
    """
    if structure.plain:
        return inlined(lambda _guesses, _block, index: index)

    @inlined
    def confirm(guesses: Any, block: Any, index: Any) -> Any:
        place = block >> NEAR & MOST - 1
        chosen = guessed(index, int64(get(guesses, place)))
        put(guesses, place, chosen)
        return chosen

    return confirm
