"""m,n,k games: stones on a board of m columns and n rows, k in a row win.

`mnk:3,3,3` is tic-tac-toe, `mnk:15,15,5` gomoku without restrictions (six in a row also win). A
move is a cell in reading order. There are two implementations, for boards of up to 64 bits by
shifts of whole boards, and for larger ones by a walk from the new stone; tests compare them on
boards that both support.
"""

from __future__ import annotations

from typing import Any, Final

from fmcts.bits import nth_bit, popcount
from fmcts.games import _stones as stones
from fmcts.games._rules import cells as sets
from fmcts.games._rules.cells import cardinality, finder, holds, picked, with_cell, without_cell
from fmcts.games.families._shared import (
    Family,
    between,
    integers,
    lettered,
    one_for_each,
    square_names,
)
from fmcts.games.from_rules import Game, make_game
from fmcts.rules import DRAW, IntegerRules, X

__all__ = ['game', 'in_one_word', 'in_words']

LARGEST: Final = 16
DIRECTIONS: Final = ((1, 0), (0, 1), (1, 1), (-1, 1))


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
    one_word = (columns + 1) * rows <= 64
    return (in_one_word if one_word else in_words)(columns, rows, length)


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


def in_one_word(columns: int, rows: int, length: int) -> Game:
    """Return the game on one word of bits per side."""
    stride = columns + 1
    board = sum((1 << columns) - 1 << stride * row for row in range(rows))
    has_row = finder(stride, length)
    Position = integers('Position', ('mine', 'theirs'))

    def menu(position: Any) -> int:
        if has_row(position.theirs):
            return 0
        free: int = board & ~(position.mine | position.theirs)
        return free

    def pick(menu: int, index: int) -> int:
        bit = nth_bit(menu, index)
        return bit - bit // stride

    def play(position: Any, cell: int) -> Any:
        return Position(position.theirs, position.mine | 1 << cell + cell // columns)

    def side(position: Any) -> int:
        return popcount(position.mine | position.theirs) & 1

    def winner(position: Any) -> int:
        return 1 - side(position) if has_row(position.theirs) else DRAW

    rules = IntegerRules(
        menu=menu, pick=pick, play=play, side=side, winner=winner, keys=columns * rows
    )
    bits = [1 << cell + cell // columns for cell in range(columns * rows)]
    letters, built = stones.on_bits(Position, bits, has_row)
    text = stones.notation(lettered(rows, columns), rules, letters, built)
    return _made(columns, rows, length, Position(0, 0), rules, text)


def in_words(columns: int, rows: int, length: int) -> Game:  # noqa: C901 - several functions, each of them short
    """Return the game on several words of bits."""
    size = columns * rows
    width = sets.words_for(size)
    twice = 2 * width  # compiled code slices by plain names
    empty_fields = sets.fields('empty', size)
    Position = integers('Position', empty_fields, sets.fields('x', size), ('turn', 'won'))
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

    def letters(position: Any) -> str:
        return written(position[:width], position[width:twice], size)

    rules = IntegerRules(
        menu=menu, count=cardinality, pick=picked, play=play, side=side, winner=winner, keys=size
    )
    start = Position(*sets.every(size), *(0,) * width, X, 0)
    text = stones.notation(lettered(rows, columns), rules, letters, stones.by_turns(start, rules))
    return _made(columns, rows, length, start, rules, text)


def written(empty: sets.Words, x: sets.Words, size: int) -> str:
    """Return a board in letters, given its empty cells and X's."""
    return ''.join(
        '.' if holds(empty, cell) else 'X' if holds(x, cell) else 'O' for cell in range(size)
    )


def _made(
    columns: int, rows: int, length: int, start: Any, rules: IntegerRules, text: dict[str, Any]
) -> Game:
    return make_game(
        f'mnk:{columns},{rows},{length}',
        start,
        rules,
        names=square_names(rows, columns),
        longest_game=columns * rows,
        found_by=(game, columns, rows, length),
        **text,
    )
