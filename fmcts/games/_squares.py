"""Boards with a letter for each column and a number for each row, from a1, top left."""

from __future__ import annotations

from typing import Final

from fmcts.games.boards import Layout

LETTERS: Final = 'abcdefghijklmnopqrstuvwxyz'


def lettered(rows: int, columns: int, *, slanted: bool = False) -> Layout:
    """Return the layout of such a board.

    >>> lettered(3, 3).header, lettered(12, 2).header, lettered(3, 3).cell_name(5)
    ('  a b c', '   a b', 'c2')
    """
    names = square_names(rows, columns)
    indent = ' ' * (len(str(rows)) + 1)
    header = indent + ' '.join(LETTERS[:columns])
    return Layout(rows, columns, names.__getitem__, header=header, numbered=True, slanted=slanted)


def square_names(rows: int, columns: int) -> tuple[str, ...]:
    """Return the names of a board's squares in reading order.

    >>> square_names(2, 3)
    ('a1', 'b1', 'c1', 'a2', 'b2', 'c2')
    """
    return tuple(f'{LETTERS[column]}{row + 1}' for row in range(rows) for column in range(columns))
