"""Sets of cells on boards of more than 64: tuples of words of 60 bits, cell 0 in the lowest bit.

With 60 bits, no operation reaches the sign bit of a word.
"""

from __future__ import annotations

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
