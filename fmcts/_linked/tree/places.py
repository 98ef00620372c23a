"""The places of a tree's numbers in its array, which `game.h` describes."""

from __future__ import annotations

from typing import Final

HEADER: Final = 2
VISITS, HALVES, BELOW, MOVE = range(4)
ROOT: Final = 0
INTEGERS: Final = 4  # rows of integers, before those of doubles
SLACK: Final = 32  # integers needed after the last row, as lanes are read past its end
LIMIT: Final = 2**31 - 1  # integers: `below` must be able to hold the index of any block


def size(total: int, rows: int, tail: int = 0) -> int:
    """Return the number of integers in a block for `total` children with `rows` rows of doubles.

    `tail` is the number of integers in its table.
    """
    return HEADER + (INTEGERS + 2 * rows) * total + tail


def first(rows: int) -> int:
    """Return the start of the block of the root's children: after the block of the root."""
    return HEADER + INTEGERS + 2 * rows


def cell(block: int, total: int, row: int, index: int) -> int:
    """Return the index of the number of child `index` in a `row` of integers."""
    return block + HEADER + row * total + index


def column(block: int, total: int, row: int, index: int) -> int:
    """Return the index of the number of child `index` in a `row` of doubles, two integers."""
    return block + HEADER + (INTEGERS + 2 * row) * total + 2 * index


def entry(block: int, total: int, rows: int, place: int) -> int:
    """Return the index of integer `place` of the table."""
    return block + HEADER + (INTEGERS + 2 * rows) * total + place
