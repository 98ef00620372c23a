"""So many in a row, on sets of stones of up to 64 bits with a gap after each line of cells.

The gap keeps lines from running on into the next one, so that a line is the same shift everywhere.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ['finder', 'shifts']


def shifts(step: int, length: int) -> tuple[int, ...]:
    """By how much to shift a set onto itself, one after the other, until lines are left.

    Stones with a neighbour one step on begin pairs, pairs with a pair two steps on begin fours.

    >>> shifts(7, 4), shifts(1, 5)
    ((7, 14), (1, 2, 1))
    """
    found, have = [], 1
    while have < length:
        more = min(have, length - have)
        found.append(more * step)
        have += more
    return tuple(found)


def finder(stride: int, length: int) -> Callable[[int], bool]:
    """The rule `has_row(stones)`: whether a player's stones hold `length` (2 or more) in a row.

    `stride` is how many bits a line of cells takes, with the gap.

    >>> has_row = finder(7, 4)
    >>> has_row(0b0001111), has_row(0b1_0000001_0000001_0000000_0000001)
    (True, False)
    """
    directions = tuple(shifts(step, length) for step in (1, stride, stride - 1, stride + 1))

    def has_row(stones: int) -> bool:
        for by in directions:
            row = stones
            for shift in by:
                row &= row >> shift
            if row != 0:
                return True
        return False

    return has_row
