"""Tic-tac-toe on integers: bit n of a set of stones is cell n, in reading order.

0 1 2
3 4 5
6 7 8
"""

from __future__ import annotations

__all__ = ['FULL', 'has_line']

FULL = 0b111_111_111


def has_line(stones: int) -> bool:
    """Whether one player's `stones` (9 bits) hold three in a row.

    >>> has_line(0b001_010_100), has_line(0b001_110_000)
    (True, False)
    """
    return (
        # A line's first cell remains where its second and third cell are set too.
        stones & stones >> 1 & stones >> 2 & 0b001_001_001 != 0
        or stones & stones >> 3 & stones >> 6 != 0
        or stones & 0b100_010_001 == 0b100_010_001
        or stones & 0b001_010_100 == 0b001_010_100
    )
