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

from typing import NamedTuple

from fmcts.bits import popcount

__all__ = [
    'BOTTOM',
    'FULL',
    'TOP',
    'Position',
    'drop',
    'has_four',
    'landings',
    'menu',
    'patient',
    'play',
    'safe',
    'side',
    'threats',
    'winner',
    'winning',
]

FULL = 0b0111111_0111111_0111111_0111111_0111111_0111111_0111111
TOP = 0b0100000_0100000_0100000_0100000_0100000_0100000_0100000
BOTTOM = 0b0000001_0000001_0000001_0000001_0000001_0000001_0000001


def landings(occupied: int) -> int:
    """The cells where a disc may land over the `occupied` cells: one bit for each open column.

    The discs of a column are a run of ones, so one added at its bottom carries into its first
    empty cell, or past the top of a full column.

    >>> landings(0b0111111_0000011) == BOTTOM ^ 0b0000001_0000001 ^ 0b0000000_0000100
    True
    """
    return (occupied + BOTTOM) & FULL


def drop(occupied: int, column: int) -> int:
    """The one bit of a disc let fall into an open `column` (0-6) over the `occupied` cells.

    >>> drop(0, 1) == 1 << 7, drop(0b0000011, 0) == 1 << 2
    (True, True)
    """
    # `landings` written out, as a call costs more than it does.
    return (occupied + BOTTOM) & 0b0111111 << 7 * column


def has_four(stones: int) -> bool:
    """Whether one player's `stones` hold four in a row.

    >>> has_four(0b0001111), has_four(0b1_0000001_0000001_0000000_0000001)
    (True, False)
    """
    # Two neighbours make a pair; two pairs, two steps apart, make four.
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
    """The discs of the side to move, and those of the other."""

    mine: int
    theirs: int


def menu(position: Position) -> int:
    """The cells where a disc may land as bits, in the order of the columns; 0: the game is over."""
    return 0 if has_four(position.theirs) else landings(position.mine | position.theirs)


def play(position: Position, cell: int) -> Position:
    """The position after a disc that lands on `cell`."""
    return Position(position.theirs, position.mine | 1 << cell)


def side(position: Position) -> int:
    """The side to move: 0 is X, who begins, and 1 is O."""
    return popcount(position.mine | position.theirs) & 1


def winner(position: Position) -> int:
    """Who won a finished game: 0 is X, 1 is O, 2 is nobody."""
    return 1 - side(position) if has_four(position.theirs) else 2


def threats(stones: int, occupied: int) -> int:
    """The empty cells that would make four of one player's `stones`, reachable or not.

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
    """Those of the landing `cells` that make four."""
    return cells & threats(position.mine, position.mine | position.theirs)


def safe(position: Position, cells: int) -> int:
    """Those of the landing `cells` after which the opponent cannot make four at once."""
    occupied = position.mine | position.theirs
    against = threats(position.theirs, occupied)
    forced = cells & against
    kept = forced or cells
    if forced & (forced - 1):  # one must be taken, and two cannot be
        kept = 0
    # Not right below a cell that the opponent waits for; but a win ends the game.
    return kept & ~(against >> 1) | cells & threats(position.mine, occupied)


def patient(position: Position, cells: int) -> int:
    """Those of the safe landing `cells` that are not right below one where the player would win.

    Who plays there lets the opponent take that cell. Where both sides wait so, the one that runs
    out of other moves first loses by it: zugzwang, on which Connect Four turns (V. Allis, "A
    knowledge-based approach of Connect-Four", 1988).
    """
    waiting = threats(position.mine, position.mine | position.theirs)
    return safe(position, cells) & ~(waiting >> 1)
