"""Connect Four, 7 columns by 6 rows, on integers: seven bits a column, the bottom cell first.

The seventh bit of each column stays empty. It keeps lines from running on into the next column, so
that a line is the same shift everywhere: 1 up, 7 across, 6 and 8 along the diagonals.

     5 12 19 26 33 40 47    the top row
     .  .  .  .  .  .  .
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42    the bottom row

The layout is the usual one, as in John Tromp's "Fhourstones" benchmark.
"""

from __future__ import annotations

__all__ = ['FULL', 'TOP', 'drop', 'has_four', 'open_columns']

FULL = 0b0111111_0111111_0111111_0111111_0111111_0111111_0111111
TOP = 0b0100000_0100000_0100000_0100000_0100000_0100000_0100000


def open_columns(occupied: int) -> int:
    """The columns with room, as 7 bits (bit n is column n), given the `occupied` cells.

    >>> f'{open_columns(0b0111111):07b}'
    '1111110'
    """
    columns = 0
    for column in range(7):
        if occupied >> (7 * column + 5) & 1 == 0:
            columns |= 1 << column
    return columns


def drop(occupied: int, column: int) -> int:
    """The one bit of a disc let fall into an open `column` (0-6) over the `occupied` cells.

    The discs of a column are a run of ones, so one added at its bottom carries into its first
    empty cell.

    >>> drop(0, 1) == 1 << 7, drop(0b0000011, 0) == 1 << 2
    (True, True)
    """
    return (occupied + (1 << 7 * column)) & (FULL ^ occupied)


def has_four(stones: int) -> bool:
    """Whether one player's `stones` hold four in a row.

    >>> has_four(0b0001111), has_four(0b1_0000001_0000001_0000000_0000001)
    (True, False)
    """
    # Two neighbours make a pair; two pairs, two steps apart, make four.
    for step in (7, 1, 6, 8):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False
