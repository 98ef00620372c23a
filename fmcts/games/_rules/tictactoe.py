"""Tic-tac-toe on integers: bit n of a set of stones is cell n, in reading order.

0 1 2
3 4 5
6 7 8
"""

from __future__ import annotations

from typing import NamedTuple

from fmcts.bits import popcount

__all__ = ['FULL', 'Position', 'has_line', 'menu', 'play', 'side', 'winner']

FULL = 0b111_111_111


def has_line(stones: int) -> bool:
    """Whether one player's `stones` (9 bits) hold three in a row.

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
    """The stones of the side to move, and those of the other."""

    mine: int
    theirs: int


def menu(position: Position) -> int:
    """The empty cells as bits; 0 when the game is over.

    >>> menu(Position(0b000_000_011, 0b000_011_000)) == 0b111_100_100
    True
    """
    if has_line(position.theirs):
        return 0
    return FULL & ~(position.mine | position.theirs)


def play(position: Position, cell: int) -> Position:
    """The position after a stone on an empty `cell`."""
    return Position(position.theirs, position.mine | 1 << cell)


def side(position: Position) -> int:
    """The side to move: 0 is X, who begins, and 1 is O."""
    return popcount(position.mine | position.theirs) & 1


def winner(position: Position) -> int:
    """Who won a finished game: 0 is X, 1 is O, 2 is nobody."""
    return 1 - side(position) if has_line(position.theirs) else 2
