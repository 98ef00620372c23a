"""Sets of cells as integers.

On boards of more than 64 cells a set is a tuple of words of 60 bits, cell 0 in the lowest bit, so
that no operation reaches the sign bit of a word. Rows of a given length are found in sets of up to
64 bits, with a gap after each line of cells: the gap keeps a row from continuing into the next
line, so that each direction is one shift.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from fmcts.bits import nth_bit, popcount, replaced

Words: TypeAlias = tuple[int, ...]

WIDTH = 60


def words_for(cells: int) -> int:
    """Return how many words a set of `cells` cells takes.

    >>> words_for(60), words_for(61)
    (1, 2)
    """
    return -(-cells // WIDTH)


def fields(name: str, cells: int) -> tuple[str, ...]:
    """Return the names of a set's words as fields of a position.

    >>> fields('x', 121)
    ('x0', 'x1', 'x2')
    """
    return tuple(f'{name}{place}' for place in range(words_for(cells)))


def every(cells: int) -> Words:
    """Return the set of all cells.

    >>> every(61) == (2**60 - 1, 1)
    True
    """
    board = (1 << cells) - 1
    return tuple(board >> WIDTH * n & (1 << WIDTH) - 1 for n in range(words_for(cells)))


# The functions below are also compiled into rules.


def holds(words: Words, cell: int) -> int:
    """Return 1 if a cell belongs to the set, else 0.

    >>> holds((0, 0b100), 62), holds((0, 0b100), 2)
    (1, 0)
    """
    return words[cell // WIDTH] >> cell % WIDTH & 1


def with_cell(words: Words, cell: int) -> Words:
    """Return the set with one more cell.

    >>> with_cell((0, 0), 62)
    (0, 4)
    """
    place = cell // WIDTH
    return replaced(words, place, words[place] | 1 << cell % WIDTH)


def without_cell(words: Words, cell: int) -> Words:
    """Return the set without a cell.

    >>> without_cell((7, 7), 61)
    (7, 5)
    """
    place = cell // WIDTH
    return replaced(words, place, words[place] & ~(1 << cell % WIDTH))


def cardinality(words: Words) -> int:
    """Return how many cells belong to the set."""
    cells = 0
    for word in words:
        cells += popcount(word)
    return cells


def picked(words: Words, index: int) -> int:
    """Return the cell with `index` others of the set below it; the set must have one.

    >>> picked((0b101, 0b1), 1), picked((0b101, 0b1), 2)
    (2, 60)
    """
    below = 0
    for word in words:
        here = popcount(word)
        if index < here:
            return below + nth_bit(word, index)
        index -= here
        below += WIDTH
    return -1


def shifts(step: int, length: int) -> tuple[int, ...]:
    """Return the shifts that leave rows of `length` when a set is shifted onto itself by each.

    Stones next to a stone give pairs, pairs two steps from a pair give fours.

    >>> shifts(7, 4), shifts(1, 5)
    ((7, 14), (1, 2, 1))
    """
    found, have = [], 1
    while have < length:
        more = min(have, length - have)
        found.append(more * step)
        have += more
    return tuple(found)


def finder(stride: int, length: int) -> Callable[[int], bool]:
    """Return the rule `has_row(stones)`: whether stones contain `length` (2 or more) in a row.

    `stride` is the number of bits of a line of cells, including the gap.

    >>> has_row = finder(7, 4)
    >>> has_row(0b0001111), has_row(0b1_0000001_0000001_0000000_0000001)
    (True, False)
    """
    directions = tuple(shifts(step, length) for step in (1, stride, stride - 1, stride + 1))

    def has_row(stones: int) -> bool:
        for by in directions:
            row = stones
            for shift in by:
                row &= row >> shift
            if row != 0:
                return True
        return False

    return has_row
