"""Sets of cells on boards of more than 64: tuples of words of 60 bits, cell 0 in the lowest.

So many bits leave the sign of a word alone, whatever is done to it.
"""

from __future__ import annotations

from typing import TypeAlias

from fmcts.bits import nth_bit, popcount, replaced

__all__ = [
    'WIDTH',
    'Words',
    'counted',
    'every',
    'fields',
    'holds',
    'picked',
    'with_cell',
    'without_cell',
    'words_for',
]

Words: TypeAlias = tuple[int, ...]

WIDTH = 60


def words_for(cells: int) -> int:
    """How many words a set of so many cells takes.

    >>> words_for(60), words_for(61)
    (1, 2)
    """
    return -(-cells // WIDTH)


def fields(name: str, cells: int) -> tuple[str, ...]:
    """What the words of a set are called in a position.

    >>> fields('x', 121)
    ('x0', 'x1', 'x2')
    """
    return tuple(f'{name}{place}' for place in range(words_for(cells)))


def every(cells: int) -> Words:
    """The set of all cells.

    >>> every(61) == (2**60 - 1, 1)
    True
    """
    board = (1 << cells) - 1
    return tuple(board >> WIDTH * n & (1 << WIDTH) - 1 for n in range(words_for(cells)))


# The rest is compiled into rules as well.


def holds(words: Words, cell: int) -> int:
    """Whether a cell belongs to the set: 0 or 1.

    >>> holds((0, 0b100), 62), holds((0, 0b100), 2)
    (1, 0)
    """
    return words[cell // WIDTH] >> cell % WIDTH & 1


def with_cell(words: Words, cell: int) -> Words:
    """The set and one more cell.

    >>> with_cell((0, 0), 62)
    (0, 4)
    """
    place = cell // WIDTH
    return replaced(words, place, words[place] | 1 << cell % WIDTH)


def without_cell(words: Words, cell: int) -> Words:
    """The set without a cell.

    >>> without_cell((7, 7), 61)
    (7, 5)
    """
    place = cell // WIDTH
    return replaced(words, place, words[place] & ~(1 << cell % WIDTH))


def counted(words: Words) -> int:
    """How many cells belong to the set."""
    cells = 0
    for word in words:
        cells += popcount(word)
    return cells


def picked(words: Words, index: int) -> int:
    """The cell with `index` others of the set below it; there must be one.

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
