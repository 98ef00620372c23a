"""Connect Four, 7 columns by 6 rows, on integers: seven bits a column, the bottom cell first.

The seventh bit of each column stays empty. It keeps lines from continuing into the next column, so
that each direction is one shift everywhere: 1 up, 7 across, 6 and 8 along the diagonals.

     5 12 19 26 33 40 47    the top row
     .  .  .  .  .  .  .
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42    the bottom row

The layout is the usual one, as in John Tromp's "Fhourstones" benchmark.
"""

from __future__ import annotations

from typing import NamedTuple

from fmcts.bits import popcount

FULL = 0b0111111_0111111_0111111_0111111_0111111_0111111_0111111
TOP = 0b0100000_0100000_0100000_0100000_0100000_0100000_0100000
BOTTOM = 0b0000001_0000001_0000001_0000001_0000001_0000001_0000001


def landings(occupied: int) -> int:
    """Return the cells where a disc may land over the `occupied` cells, one bit per open column.

    The discs of a column are a run of ones, so adding one at its bottom carries into its first
    empty cell, or past the top of a full column.

    >>> landings(0b0111111_0000011) == BOTTOM ^ 0b0000001_0000001 ^ 0b0000000_0000100
    True
    """
    return (occupied + BOTTOM) & FULL


def drop(occupied: int, column: int) -> int:
    """Return the bit of a disc dropped into an open `column` (0-6) over the `occupied` cells.

    >>> drop(0, 1) == 1 << 7, drop(0b0000011, 0) == 1 << 2
    (True, True)
    """
    # This is `landings` inlined: a call costs more than its body.
    return (occupied + BOTTOM) & 0b0111111 << 7 * column


def has_four(stones: int) -> bool:
    """Return whether one player's `stones` contain four in a row.

    >>> has_four(0b0001111), has_four(0b1_0000001_0000001_0000000_0000001)
    (True, False)
    """
    # Two adjacent stones are a pair; two pairs, two steps apart, are four.
    across = stones & stones >> 7
    upward = stones & stones >> 1
    falling = stones & stones >> 6
    rising = stones & stones >> 8
    return (
        across & across >> 14
        | upward & upward >> 2
        | falling & falling >> 12
        | rising & rising >> 16
    ) != 0  # fmt: skip


class Position(NamedTuple):
    """The discs of the side to move, and the opponent's."""

    mine: int
    theirs: int


def menu(position: Position) -> int:
    """Return the cells where a disc may land, one bit per column; 0 if the game is over."""
    return 0 if has_four(position.theirs) else landings(position.mine | position.theirs)


def play(position: Position, cell: int) -> Position:
    """Return the position after a disc lands on `cell`."""
    return Position(position.theirs, position.mine | 1 << cell)


def side(position: Position) -> int:
    """Return the side to move: 0 for X, who moves first, and 1 for O."""
    return popcount(position.mine | position.theirs) & 1


def winner(position: Position) -> int:
    """Return the winner of a finished game: 0 for X, 1 for O, 2 for a draw."""
    return 1 - side(position) if has_four(position.theirs) else 2


def threats(stones: int, occupied: int) -> int:
    """Return the empty cells, reachable or not, that complete four of one player's `stones`.

    >>> threats(0b0000111, 0b0000111) == 0b0001000
    True
    """
    found = stones << 1 & stones << 2 & stones << 3
    for step in (7, 6, 8):  # across and along the diagonals
        pair = stones << step & stones << 2 * step
        found |= pair & stones << 3 * step
        found |= pair & stones >> step
        pair = stones >> step & stones >> 2 * step
        found |= pair & stones << step
        found |= pair & stones >> 3 * step
    return found & (FULL ^ occupied)


def winning(position: Position, cells: int) -> int:
    """Return the landing `cells` that make four."""
    return cells & threats(position.mine, position.mine | position.theirs)


def safe(position: Position, cells: int) -> int:
    """Return the landing `cells` after which the opponent cannot make four at once."""
    occupied = position.mine | position.theirs
    against = threats(position.theirs, occupied)
    forced = cells & against
    allowed = forced or cells
    if forced & (forced - 1):  # two threats cannot both be answered
        allowed = 0
    # Do not play below a cell where the opponent would win, unless the move itself wins.
    return allowed & ~(against >> 1) | cells & threats(position.mine, occupied)


def patient(position: Position, cells: int) -> int:
    """Return the safe landing `cells` that are not directly below one where the player would win.

    A disc below such a cell lets the opponent occupy it. If both sides wait like this, the one that
    first runs out of other moves loses: zugzwang, which decides Connect Four (V. Allis, "A
    knowledge-based approach of Connect-Four", 1988).
    """
    waiting = threats(position.mine, position.mine | position.theirs)
    return safe(position, cells) & ~(waiting >> 1)
