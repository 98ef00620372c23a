"""A given number in a row for three players: A, B and C take turns on a board of any size.

The first with `length` in a row, a column or a diagonal wins; on a full board each gets a third.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from attrs import frozen

from fmcts.bits import popcount
from fmcts.game import illegal
from fmcts.games._printing import Pictured
from fmcts.rules import IntegerRules

__all__ = ['SmallThree', 'Three', 'start']

PLAYERS: Final = ('A', 'B', 'C')
CELLS: Final = 63  # of a board that fits in one integer; searches of larger ones are not compiled


# ---- rules on integers: a set of cells for each player ----


class Sets(NamedTuple):
    """A position as integers."""

    columns: int
    rows: int
    length: int
    a: int
    b: int
    c: int


def _pack(state: Three) -> Sets:
    sets = (
        sum(1 << cell for cell, mark in enumerate(state.cells) if mark == player)
        for player in PLAYERS
    )
    return Sets(state.columns, state.rows, state.length, *sets)


def _side(position: Sets) -> int:
    return popcount(position.a | position.b | position.c) % len(PLAYERS)


def _has_line(cells: int, position: Sets) -> bool:
    columns, rows, length = position.columns, position.rows, position.length
    for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        for row in range(rows - down * (length - 1)):
            for column in range(columns):
                last = column + right * (length - 1)
                if 0 <= last < columns:
                    full = True
                    for at in range(length):
                        cell = (row + at * down) * columns + column + at * right
                        full = full and cells >> cell & 1 == 1
                    if full:
                        return True
    return False


def _winner(position: Sets) -> int:
    if _has_line(position.a, position):
        return 0
    if _has_line(position.b, position):
        return 1
    return 2 if _has_line(position.c, position) else len(PLAYERS)


def _menu(position: Sets) -> int:
    taken = position.a | position.b | position.c
    last = (_side(position) + 2) % len(PLAYERS)  # who has just moved, and may have won
    if _has_line((position.a, position.b, position.c)[last], position):
        return 0
    return ((1 << position.columns * position.rows) - 1) & ~taken


def _play(position: Sets, move: int) -> Sets:
    columns, rows, length, a, b, c = position
    side, cell = _side(position), 1 << move
    if side == 0:
        return Sets(columns, rows, length, a | cell, b, c)
    if side == 1:
        return Sets(columns, rows, length, a, b | cell, c)
    return Sets(columns, rows, length, a, b, c | cell)


@frozen
class Three(Pictured):
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
        """Return the player with enough cells in a row."""
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
        return type(self)(self.columns, self.rows, self.length, cells)

    def __str__(self) -> str:
        """Return the board."""
        ends = range(0, len(self.cells), self.columns)
        return '\n'.join(' '.join(self.cells[at : at + self.columns]) for at in ends)


@frozen
class SmallThree(Three):
    """A board of at most 63 cells, on which a search can be compiled."""

    compiled = IntegerRules(
        pack=_pack, menu=_menu, play=_play, side=_side, winner=_winner, players=len(PLAYERS)
    )


def start(columns: int = 4, rows: int = 4, length: int = 3) -> Three:
    """Return the empty board.

    :raises ValueError: a side is not 1 to 19, or the length not 1 to the longer side.
    """
    if not (1 <= columns <= 19 and 1 <= rows <= 19 and 1 <= length <= max(columns, rows)):
        raise ValueError(
            'expected sides of 1 to 19 and a length up to the longer one, not '
            f'{columns}, {rows} and {length}'
        )
    kind = SmallThree if columns * rows <= CELLS else Three
    return kind(columns, rows, length, '.' * (columns * rows))
