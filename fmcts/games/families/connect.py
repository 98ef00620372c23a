"""Connection games with gravity: discs fall down columns, and `length` in a row win.

`connect:7,6,4` is Connect Four. A move is a column.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from fmcts.bits import nth_bit, popcount
from fmcts.games import _stones as stones, boards
from fmcts.games._rules.cells import finder
from fmcts.games.families._shared import Family, between, integers, one_for_each
from fmcts.games.from_rules import Game, make_game
from fmcts.rules import DRAW, IntegerRules

__all__ = ['game']

BITS: Final = 64  # each column takes one more than its rows


@one_for_each
def game(columns: int, rows: int, length: int) -> Game:  # noqa: C901 - several functions, each of them short
    """Return the game of `length` in a row on `columns` and `rows`.

    The board must fit in 64 bits: `columns * (rows + 1)` is at most 64.

    :raises ValueError: other sizes, or a row longer than the board.

    >>> game(7, 6, 4).start.play(3).play(3).moves
    (0, 1, 2, 3, 4, 5, 6)
    """
    between('columns', columns, 1, BITS // 2)
    between(f'rows on {columns} columns', rows, 1, BITS // columns - 1)
    between('a row to win', length, 2, max(columns, rows))
    stride = rows + 1
    bottom = sum(1 << stride * column for column in range(columns))
    board = bottom * ((1 << rows) - 1)
    column_bits = (1 << rows) - 1
    has_row = finder(stride, length)
    Position = integers('Position', ('mine', 'theirs'))

    def menu(position: Any) -> int:
        """Return the cells where a disc may land, in the order of the columns."""
        if has_row(position.theirs):
            return 0
        # A column is a run of ones: adding one at its bottom carries into its first empty cell.
        landings: int = (position.mine | position.theirs) + bottom & board
        return landings

    def pick(menu: int, index: int) -> int:
        return nth_bit(menu, index) // stride

    def landing(position: Any, column: int) -> int:
        """Return the bit of a disc in a column that has room."""
        occupied: int = position.mine | position.theirs
        return occupied + bottom & column_bits << stride * column

    def play(position: Any, column: int) -> Any:
        return Position(position.theirs, position.mine | landing(position, column))

    def key(position: Any, column: int) -> int:
        """Return the cell where the disc lands."""
        occupied = position.mine | position.theirs
        return stride * column + popcount(occupied & column_bits << stride * column)

    def side(position: Any) -> int:
        return popcount(position.mine | position.theirs) & 1

    def winner(position: Any) -> int:
        return 1 - side(position) if has_row(position.theirs) else DRAW

    # The bit of each cell, in reading order: the top row first.
    bits = [
        1 << stride * column + row for row in reversed(range(rows)) for column in range(columns)
    ]
    letters, built = stones.on_bits(Position, bits, has_row)

    def tops(cells: str) -> Iterator[int]:
        """Yield the uppermost disc of each column that has one."""
        for column in range(columns):
            filled = (cell for cell in range(column, len(cells), columns) if cells[cell] != '.')
            yield from [*filled][:1]

    names = tuple(map(str, range(columns)))
    layout = boards.Layout(
        rows,
        columns,
        lambda cell: f'row {cell // columns + 1}, column {cell % columns}',
        footer=' '.join(name[-1] for name in names),
    )
    rules = IntegerRules(
        menu=menu, pick=pick, play=play, side=side, winner=winner, key=key, keys=stride * columns
    )
    return make_game(
        f'connect:{columns},{rows},{length}',
        Position(0, 0),
        rules,
        names=names,
        longest_game=columns * rows,
        found_by=(game, columns, rows, length),
        **stones.notation(
            layout, rules, letters, built, tops, partial(stones.check_resting, columns=columns)
        ),
    )


FAMILY: Final = Family(
    'connect',
    ('COLUMNS', 'ROWS', 'LENGTH'),
    'connect:5,4,4',
    'LENGTH in a row, with gravity',
    game,
    other='connect:8,7,4',
    limits='COLUMNS (ROWS + 1) at most 64',
    rules='discs fall down columns; LENGTH or more in a row win',
    moves='a column: `3`',
)
