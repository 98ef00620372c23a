"""Rows of a given length, on sets of stones of up to 64 bits with a gap after each line of cells.

The gap keeps a row from continuing into the next line, so that each direction is one shift.
"""

from __future__ import annotations

from collections.abc import Callable


def shifts(step: int, length: int) -> tuple[int, ...]:
    """Return the shifts that leave rows of `length` when a set is shifted onto itself by each.

    Stones next to a stone give pairs, pairs two steps from a pair give fours.

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
    """Return the rule `has_row(stones)`: whether stones contain `length` (2 or more) in a row.

    `stride` is the number of bits of a line of cells, including the gap.

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
