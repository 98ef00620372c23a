"""Othello on integers: bit 0 is a1 (top left), bit 1 is b1, and so on row by row to bit 63, h8.

A move captures along a line: a run of the opponent's discs between the new disc and another disc
of the mover. Both functions follow such runs step by step, all squares at once.
"""

from __future__ import annotations

__all__ = ['BOARD', 'flips', 'mobility']

BOARD = 0xFFFF_FFFF_FFFF_FFFF

# Each line's step, and the squares that have a neighbour on both sides along it: a captured disc
# lies between two others, so the rest can never be captured and no run leaves the board. No mask
# holds bit 63, hence no run does, and a right shift has no sign to smear.
LINES = (
    (1, 0x7E7E_7E7E_7E7E_7E7E),
    (8, 0x00FF_FFFF_FFFF_FF00),
    (7, 0x007E_7E7E_7E7E_7E00),
    (9, 0x007E_7E7E_7E7E_7E00),
)


def mobility(mine: int, theirs: int) -> int:
    """The squares where the side with the discs `mine` may play against `theirs`, as 64 bits.

    >>> mobility(1 << 28 | 1 << 35, 1 << 27 | 1 << 36) == 1 << 19 | 1 << 26 | 1 << 37 | 1 << 44
    True
    """
    squares = 0
    for step, inside in LINES:
        between = theirs & inside
        run = mine << step & between
        while run:
            run <<= step
            squares |= run
            run &= between
        run = mine >> step & between
        while run:
            run >>= step
            squares |= run
            run &= between
    return squares & (BOARD ^ (mine | theirs))


def flips(mine: int, theirs: int, square: int) -> int:
    """The discs of `theirs` which the side with `mine` captures by playing on the empty `square`.

    None (0) exactly when the move is not legal.

    >>> flips(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, 19) == 1 << 27
    True
    """
    captured = 0
    disc = 1 << square
    for step, inside in LINES:
        between = theirs & inside
        run = disc << step & between
        if run:
            line = run
            run <<= step
            while run & between:
                line |= run
                run <<= step
            if run & mine:
                captured |= line
        run = disc >> step & between
        if run:
            line = run
            run >>= step
            while run & between:
                line |= run
                run >>= step
            if run & mine:
                captured |= line
    return captured
