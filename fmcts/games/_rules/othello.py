"""Othello on integers: bit 0 is a1 (top left), bit 1 is b1, and so on row by row to bit 63, h8.

A move captures along a line: a run of the opponent's discs between the new disc and another disc of
the mover. Both functions follow such runs step by step, all squares at once. They are made for
boards of any size that fits in 64 bits; `mobility` and `flips` are those for 8 by 8.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

BOARD = 0xFFFF_FFFF_FFFF_FFFF

Mobility: TypeAlias = Callable[[int, int], int]
Flips: TypeAlias = Callable[[int, int, int], int]


def lines(size: int) -> tuple[tuple[int, int], ...]:
    """Return each line's step, and the squares that have a neighbour on both sides along it.

    A captured disc is between two others, so the remaining squares can never be captured and no run
    leaves the board. No mask contains bit 63, hence no run does, and a right shift copies no sign
    bit.
    """
    squares = [(row, column) for row in range(size) for column in range(size)]
    inner = range(1, size - 1)
    in_row = sum(1 << size * row + column for row, column in squares if column in inner)
    in_column = sum(1 << size * row + column for row, column in squares if row in inner)
    both = in_row & in_column
    return (1, in_row), (size, in_column), (size - 1, both), (size + 1, both)


def made_for(size: int) -> tuple[Mobility, Flips]:  # noqa: C901 - two functions together
    """Return the functions `mobility` and `flips` for a board of side `size`, at most 8.

    - `mobility(mine, theirs)`: the squares where the side with the discs `mine` may play.
    - `flips(mine, theirs, square)`: the discs of `theirs` that the side with `mine` captures by
      playing on the empty `square`; 0 exactly when the move is not legal.

    >>> mobility, flips = made_for(8)
    >>> mobility(1 << 28 | 1 << 35, 1 << 27 | 1 << 36) == 1 << 19 | 1 << 26 | 1 << 37 | 1 << 44
    True
    >>> flips(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, 19) == 1 << 27
    True
    """
    every_line = lines(size)
    board = BOARD >> 64 - size * size

    def mobility(mine: int, theirs: int) -> int:
        squares = 0
        for step, inside in every_line:
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
        return squares & (board ^ (mine | theirs))

    def flips(mine: int, theirs: int, square: int) -> int:
        captured = 0
        disc = 1 << square
        for step, inside in every_line:
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

    return mobility, flips


mobility, flips = made_for(8)
