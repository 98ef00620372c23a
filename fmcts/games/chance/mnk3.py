"""So many in a row for three players: A, B and C take turns on a board of any size.

The first with `length` in a row, a column or a diagonal wins; on a full board each gets a third.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen

from fmcts.game import illegal

__all__ = ['Three', 'start']

PLAYERS: Final = ('A', 'B', 'C')


@frozen
class Three:
    """A board: a letter or `.` for each cell, row by row. A move is the number of a cell."""

    columns: int
    rows: int
    length: int
    cells: str
    players = PLAYERS

    @property
    def player(self) -> str:
        """The player whose turn it is."""
        return PLAYERS[(len(self.cells) - self.cells.count('.')) % 3]

    @property
    def moves(self) -> tuple[int, ...]:
        """The empty cells."""
        if self.winner is not None:
            return ()
        return tuple(cell for cell, mark in enumerate(self.cells) if mark == '.')

    @property
    def over(self) -> bool:
        """True if somebody has won or the board is full."""
        return '.' not in self.cells or self.winner is not None

    @property
    def winner(self) -> str | None:
        """The player with so many in a row."""
        wide, high = self.columns, self.rows
        for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            for cell, mark in enumerate(self.cells):
                row, column = divmod(cell, wide)
                last_row = row + down * (self.length - 1)
                last_column = column + right * (self.length - 1)
                if mark == '.' or last_row >= high or not 0 <= last_column < wide:
                    continue
                step = down * wide + right
                if all(self.cells[cell + at * step] == mark for at in range(self.length)):
                    return mark
        return None

    def play(self, move: Any) -> Three:
        """Return the board after a move.

        :raises IllegalMoveError: the cell is taken, there is none, or the game is over.
        """
        if type(move) is not int or move not in self.moves:
            raise illegal(self, move)
        cells = self.cells[:move] + self.player + self.cells[move + 1 :]
        return Three(self.columns, self.rows, self.length, cells)

    def __str__(self) -> str:
        """Return the board."""
        ends = range(0, len(self.cells), self.columns)
        return '\n'.join(' '.join(self.cells[at : at + self.columns]) for at in ends)


def start(columns: int = 4, rows: int = 4, length: int = 3) -> Three:
    """Return the empty board.

    :raises ValueError: a side is not 1 to 19, or the length not 1 to the longer side.
    """
    if not (1 <= columns <= 19 and 1 <= rows <= 19 and 1 <= length <= max(columns, rows)):
        raise ValueError(
            'expected sides of 1 to 19 and a length up to the longer one, not '
            f'{columns}, {rows} and {length}'
        )
    return Three(columns, rows, length, '.' * (columns * rows))
