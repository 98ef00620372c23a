"""Tic-tac-toe on integers: bit n of a set of stones is cell n, in reading order.

0 1 2
3 4 5
6 7 8
"""

from __future__ import annotations

from typing import NamedTuple

from fmcts.bits import popcount

FULL = 0b111_111_111


def has_line(stones: int) -> bool:
    """Return whether one player's `stones` (9 bits) contain three in a row.

    >>> has_line(0b001_010_100), has_line(0b001_110_000)
    (True, False)
    """
    # A line's first cell remains where its second and third cell are set too.
    rows = stones & stones >> 1 & stones >> 2 & 0b001_001_001
    columns = stones & stones >> 3 & stones >> 6
    return (
        rows | columns != 0
        or stones & 0b100_010_001 == 0b100_010_001
        or stones & 0b001_010_100 == 0b001_010_100
    )


class Position(NamedTuple):
    """The stones of the side to move, and the opponent's."""

    mine: int
    theirs: int


def menu(position: Position) -> int:
    """Return the empty cells as bits; 0 if the game is over.

    >>> menu(Position(0b000_000_011, 0b000_011_000)) == 0b111_100_100
    True
    """
    if has_line(position.theirs):
        return 0
    return FULL & ~(position.mine | position.theirs)


def play(position: Position, cell: int) -> Position:
    """Return the position after a stone on an empty `cell`."""
    return Position(position.theirs, position.mine | 1 << cell)


def side(position: Position) -> int:
    """Return the side to move: 0 for X, who moves first, and 1 for O."""
    return popcount(position.mine | position.theirs) & 1


def winner(position: Position) -> int:
    """Return the winner of a finished game: 0 for X, 1 for O, 2 for a draw."""
    return 1 - side(position) if has_line(position.theirs) else 2
