"""m,n,k games: stones on a board of m columns and n rows, k in a row win.

`mnk:3,3,3` is tic-tac-toe, `mnk:15,15,5` gomoku without restrictions (six in a row also win). A
move is a cell in reading order. There are two implementations, for boards of up to 63 cells by
shifts of whole boards, and for larger ones by a walk from the new stone; tests compare them on
boards that both support.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from fmcts.bits import popcount
from fmcts.games.boards import Board, Layout, placed_in_turn
from fmcts.games.families._shared import (
    Family,
    between,
    cardinality,
    every,
    fields,
    finder,
    holds,
    in_turn,
    in_words_of,
    integers,
    lettered,
    one_for_each,
    picked,
    square_names,
    with_cell,
    without_cell,
    words_for,
)
from fmcts.games.from_rules import Game, make_game
from fmcts.rules import DRAW, IntegerRules, X

__all__ = ['game']

LARGEST: Final = 16
DIRECTIONS: Final = ((1, 0), (0, 1), (-1, 1), (1, 1))


@one_for_each
def game(columns: int, rows: int, length: int) -> Game:
    """Return the game of `length` in a row on `columns` and `rows`, 1 to 16 each.

    :raises ValueError: other sizes, or a row longer than the board.

    >>> game(3, 3, 3).start.play(4).moves
    (0, 1, 2, 3, 5, 6, 7, 8)
    """
    between('columns', columns, 1, LARGEST)
    between('rows', rows, 1, LARGEST)
    between('a row to win', length, 2, max(columns, rows))
    # One bit stays free for the sign.
    made = in_one_word if columns * rows < 64 else in_words
    return game_by(made, columns, rows, length)


def game_by(made: Callable[..., tuple[Any, Board]], columns: int, rows: int, length: int) -> Game:
    """Return the game as one of the two implementations has it."""
    start, board = made(columns, rows, length, lettered(rows, columns))
    return make_game(
        f'mnk:{columns},{rows},{length}',
        start,
        board.rules,
        names=square_names(rows, columns),
        longest_game=columns * rows,
        found_by=(game, columns, rows, length),
        **board.of_states(),
    )


FAMILY: Final = Family(
    'mnk',
    ('COLUMNS', 'ROWS', 'LENGTH'),
    'mnk:4,4,3',
    'LENGTH in a row on a board',
    game,
    other='mnk:10,10,5',
    limits='1 to 16 each, LENGTH from 2 to the longer side',
    rules='stones placed in turn; LENGTH or more in a row win',
    moves='a cell: `b2`',
)


def in_one_word(columns: int, rows: int, length: int, layout: Layout) -> tuple[Any, Board]:
    """Return the start and the board of the game on one word of bits per side."""
    size = columns * rows
    full = (1 << size) - 1
    starts = [0] * len(DIRECTIONS)  # the cells from which a row in each direction is on the board
    for way, (right, down) in enumerate(DIRECTIONS):
        for cell in range(size):
            row, column = divmod(cell, columns)
            last_row, last_column = row + (length - 1) * down, column + (length - 1) * right
            starts[way] |= (last_row < rows and 0 <= last_column < columns) << cell
    has_row = finder(columns, length, starts)
    Position = integers('Position', ('mine', 'theirs'))

    def menu(position: Any) -> int:
        if has_row(position.theirs):
            return 0
        free: int = full & ~(position.mine | position.theirs)
        return free

    def play(position: Any, cell: int) -> Any:
        return Position(position.theirs, position.mine | 1 << cell)

    def side(position: Any) -> int:
        return popcount(position.mine | position.theirs) & 1

    def winner(position: Any) -> int:
        return 1 - side(position) if has_row(position.theirs) else DRAW

    rules = IntegerRules(menu=menu, play=play, side=side, winner=winner, keys=size)
    start = Position(0, 0)
    return start, Board(layout, rules, in_turn, placed_in_turn(start, rules))


def in_words(columns: int, rows: int, length: int, layout: Layout) -> tuple[Any, Board]:  # noqa: C901 - several functions, each of them short
    """Return the start and the board of the game on several words of bits."""
    size = columns * rows
    width = words_for(size)
    twice = 2 * width  # compiled code slices by plain names
    empty_fields = fields('empty', size)
    Position = integers('Position', empty_fields, fields('x', size), ('turn', 'won'))
    Cells = integers('Cells', empty_fields)
    none = Cells(*(0,) * width)

    def has(position: Any, column: int, row: int) -> int:
        """Return 1 if the side to move has a stone on a cell, which may be outside the board."""
        if column < 0 or column >= columns or row < 0 or row >= rows:
            return 0
        cell = columns * row + column
        if position.turn == X:
            return holds(position[width:twice], cell)
        return 1 - (holds(position[:width], cell) | holds(position[width:twice], cell))

    def wins(position: Any, cell: int) -> int:
        """Return whether a stone of the side to move completes a row there."""
        column, row = cell % columns, cell // columns
        for right, down in DIRECTIONS:
            found, away = 1, 1
            while found < length and has(position, column + away * right, row + away * down) != 0:
                found, away = found + 1, away + 1
            away = 1
            while found < length and has(position, column - away * right, row - away * down) != 0:
                found, away = found + 1, away + 1
            if found >= length:
                return 1
        return 0

    def menu(position: Any) -> Any:
        return none if position.won != 0 else Cells(*position[:width])

    def play(position: Any, cell: int) -> Any:
        empty, x = position[:width], position[width:twice]
        if position.turn == X:
            x = with_cell(x, cell)
        after = (1 - position.turn, wins(position, cell))
        return Position(*(without_cell(empty, cell) + x + after))

    def side(position: Any) -> int:
        turn: int = position.turn
        return turn

    def winner(position: Any) -> int:
        return 1 - side(position) if position.won != 0 else DRAW

    rules = IntegerRules(
        menu=menu, count=cardinality, pick=picked, play=play, side=side, winner=winner, keys=size
    )
    start = Position(*every(size), *(0,) * width, X, 0)
    return start, Board(layout, rules, in_words_of(size), placed_in_turn(start, rules))
