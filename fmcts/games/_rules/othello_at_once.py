"""Othello's rules without loops, fast as machine code; `othello` has rules fast in Python.

They are the same functions of the same integers (tests compare them), written so that they compile
to code without branches. Runs of discs are followed three and six steps at a time ("Kogge-Stone
fill"), the four lines side by side in one register; captures are looked up along rays. Both are
well known from computer chess (https://www.chessprogramming.org/Kogge-Stone_Algorithm).
"""

from __future__ import annotations

from typing import NamedTuple

from fmcts.bits import WORD, Table, highest_bit, keep_if, lowest_bit, popcount, union_of_four

# The four lines, and the squares that have a neighbour on both sides along each: no other disc can
# be captured. Only the first two masks include border squares, and none includes bit 0 or 63.
STEPS = (1, 7, 8, 9)
INSIDE = (
    0x7E7E_7E7E_7E7E_7E7E,
    0x007E_7E7E_7E7E_7E00,
    0x00FF_FFFF_FFFF_FF00,
    0x007E_7E7E_7E7E_7E00,
)


def past_runs(step: int, inside: int, mine: int, theirs: int) -> int:
    """Return the squares just past an unbroken run of `theirs` beside a disc of `mine`."""
    between = inside & theirs
    # Upwards: one disc, two, then pairs, so that runs of up to six are complete.
    up = between & mine << step
    up |= between & up << step
    pairs = between & between << step
    up |= pairs & up << 2 * step
    up |= pairs & up << 2 * step
    # `between` masks the bits where a right shift could copy the sign.
    down = between & mine >> step
    down |= between & down >> step
    pairs = between & between >> step
    down |= pairs & down >> 2 * step
    down |= pairs & down >> 2 * step
    return up << step | down >> step


def mobility(mine: int, theirs: int) -> int:
    """Return the squares where the side with the discs `mine` may play, as 64 bits.

    >>> mobility(1 << 28 | 1 << 35, 1 << 27 | 1 << 36) == 1 << 19 | 1 << 26 | 1 << 37 | 1 << 44
    True
    """
    return union_of_four(past_runs, STEPS, INSIDE, mine, theirs) & ~(mine | theirs) & WORD


def _ray(square: int, right: int, down: int) -> int:
    """Return the squares from `square` (excluded) to the border in one direction, as bits."""
    column, row, bits = square % 8 + right, square // 8 + down, 0
    while 0 <= column < 8 and 0 <= row < 8:
        bits |= 1 << 8 * row + column
        column, row = column + right, row + down
    return bits


# Eight rays for each square: four towards higher squares, then four towards lower ones.
DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
RAYS = Table(_ray(square, right, down) for square in range(64) for right, down in DIRECTIONS)


def upwards(ray: int, mine: int, theirs: int) -> int:
    """Return the discs captured along a `ray` towards higher squares."""
    end = lowest_bit(ray & ~theirs) & mine  # the run's end, if it is mine
    return keep_if(ray & (end - 1), end)


def downwards(ray: int, mine: int, theirs: int) -> int:
    """Return the discs captured along a `ray` towards lower squares."""
    end = highest_bit(ray & ~theirs) & mine
    return ray & -(end << 1)


def flips(mine: int, theirs: int, square: int) -> int:
    """Return the discs of `theirs` captured by the side with `mine` playing on the empty `square`.

    >>> flips(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, 19) == 1 << 27
    True
    """
    first = 8 * square
    return (
        upwards(RAYS[first], mine, theirs)
        | upwards(RAYS[first + 1], mine, theirs)
        | upwards(RAYS[first + 2], mine, theirs)
        | upwards(RAYS[first + 3], mine, theirs)
        | downwards(RAYS[first + 4], mine, theirs)
        | downwards(RAYS[first + 5], mine, theirs)
        | downwards(RAYS[first + 6], mine, theirs)
        | downwards(RAYS[first + 7], mine, theirs)
    )


class Position(NamedTuple):
    """The discs of the side to move, the opponent's, and the side to move: 0 is X, 1 is O."""

    mine: int
    theirs: int
    turn: int


def menu(position: Position) -> int:
    """Return the legal squares as bits; one occupied square for a forced pass; 0 at the end."""
    squares = mobility(position.mine, position.theirs)
    if squares != 0:
        return squares
    if mobility(position.theirs, position.mine) != 0:
        return lowest_bit(position.mine)
    return 0


def play(position: Position, square: int) -> Position:
    """Return the position after a disc on `square`; an occupied square is the pass."""
    mine, theirs = position.mine, position.theirs
    disc = 1 << square
    if disc & (mine | theirs):
        return Position(theirs, mine, 1 - position.turn)
    captured = flips(mine, theirs, square)
    return Position(theirs ^ captured, mine | captured | disc, 1 - position.turn)


PASS = 64


def key(position: Position, square: int) -> int:
    """Return the key of a move: the square, or `PASS`."""
    occupied = position.mine | position.theirs
    return PASS if occupied >> square & 1 else square


def side(position: Position) -> int:
    """Return the side to move: 0 for X, who moves first, and 1 for O."""
    return position.turn


def winner(position: Position) -> int:
    """Return the winner of a finished game: 0 for X, 1 for O, 2 for a draw."""
    lead = popcount(position.mine) - popcount(position.theirs)
    return position.turn if lead > 0 else 1 - position.turn if lead < 0 else 2
