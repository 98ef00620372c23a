"""Breakthrough (D. Troyka, 2000) on boards of up to 64 squares.

X starts on the first two rows and moves down the page, O on the last two and moves up: one square
straight ahead if it is empty, or diagonally ahead unless the mover's own man is there; an
opponent's man there is captured. A side wins by reaching the far row or by capturing all men.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from fmcts.bits import nth_bit, popcount
from fmcts.games.boards import Board, Grid, Layout
from fmcts.games.families._shared import (
    Family,
    between,
    integers,
    lettered,
    one_for_each,
    square_names,
)
from fmcts.games.from_rules import Game, make_game
from fmcts.rules import DRAW, IntegerRules, O, X

__all__ = ['game']

BITS: Final = 64
POSITION: Final = integers('Position', ('x', 'o', 'turn'))


@one_for_each
def game(rows: int, columns: int) -> Game:
    """Return Breakthrough on `rows` by `columns`, at most 64 squares.

    Moves are ordered by step, to lower columns first, and within a step by the square they start
    from: the move's number is `size * (3 * side + step) + square`, with `step` 0, 1 or 2. A move's
    name is its two squares.

    :raises ValueError: the sizes are not accepted.

    >>> [game(5, 4).format_move(move) for move in game(5, 4).start.moves][:3]
    ['b2a3', 'c2b3', 'd2c3']
    """
    between('rows', rows, 4, BITS // 2)
    between(f'columns of {rows}', columns, 2, BITS // rows)
    size = rows * columns
    board = (1 << size) - 1
    rules = _rules(rows, columns)
    return make_game(
        f'breakthrough:{rows},{columns}',
        POSITION((1 << 2 * columns) - 1, board ^ (1 << size - 2 * columns) - 1, X),
        rules,
        names=_names(rows, columns),
        longest_game=2 * 2 * columns * (rows - 1),  # each ply advances a man by a row
        found_by=(game, rows, columns),
        **_board(rows, columns, rules).of_states(),
    )


FAMILY: Final = Family(
    'breakthrough',
    ('ROWS', 'COLUMNS'),
    'breakthrough:6,6',
    "reach the opponent's last row",
    game,
    other='breakthrough:8,8',
    limits='4 rows or more, 2 columns or more, at most 64 squares',
    rules='two rows of pawns each, which move one square forward, straight or diagonally, and '
    'capture diagonally; reaching the far row wins',
    moves='from and to: `b2a3`',
)


def _rules(rows: int, columns: int) -> IntegerRules:  # noqa: C901 - several functions, each of them short
    size = rows * columns
    board = (1 << size) - 1
    first_row = (1 << columns) - 1
    last_row = first_row << size - columns
    below_last = board ^ last_row  # so that right shifts leave no copies of the sign
    not_left = sum(1 << square for square in range(size) if square % columns)
    not_right = not_left >> 1

    def able(position: Any, step: int) -> int:
        """Return the men of the side to move that can make a step: 0 and 2 diagonal, 1 straight."""
        x: int = position.x
        o: int = position.o
        mine = x if position.turn == X else o
        able = mine & not_left if step == 0 else mine & not_right if step == 2 else mine
        # Straight ahead a man is blocked by any other; a capture is diagonal.
        open_to = ~(x | o) if step == 1 else ~mine
        if position.turn == X:
            return able & open_to >> columns + step - 1 & below_last
        return able & open_to << columns - step + 1

    def count(position: Any) -> int:
        if ended(position) != DRAW:
            return 0
        return (
            popcount(able(position, 0)) + popcount(able(position, 1)) + popcount(able(position, 2))
        )

    def pick(position: Any, index: int) -> int:
        first: int = 3 * position.turn
        for step in range(3):
            men = able(position, step)
            if index < popcount(men):
                return size * (first + step) + nth_bit(men, index)
            index -= popcount(men)
        return -1

    def play(position: Any, move: int) -> Any:
        x, o = position.x, position.o
        square, step = move % size, move // size % 3
        if position.turn == X:
            target = 1 << square + columns + step - 1
            return POSITION(x ^ 1 << square | target, o & ~target, O)
        target = 1 << square - columns + step - 1
        return POSITION(x & ~target, o ^ 1 << square | target, X)

    def ended(position: Any) -> int:
        """Return the winner; `DRAW` while there is none."""
        if position.x & last_row != 0 or position.o == 0:
            return X
        if position.o & first_row != 0 or position.x == 0:
            return O
        return DRAW

    def side(position: Any) -> int:
        turn: int = position.turn
        return turn

    return IntegerRules(count=count, pick=pick, play=play, side=side, winner=ended, keys=6 * size)


def _board(rows: int, columns: int, rules: IntegerRules) -> Board:
    """Return the text of positions."""
    size = rows * columns
    first_row = (1 << columns) - 1
    last_row = first_row << size - columns

    def check(_layout: Layout, grid: Grid) -> str:
        for name in 'XO':
            men = len(grid.stones(name))
            if men > 2 * columns:
                return f'the board has {men} {name}: expected at most {2 * columns}'
        return ''

    def place(x: Sequence[int], o: Sequence[int], side: int) -> Any:
        mine, theirs = (sum(1 << square for square in men) for men in (x, o))
        # A game ends with the first man on the far row, or when one side has no men.
        there = popcount(mine & last_row) + popcount(theirs & first_row)
        if there + (not x) + (not o) > 1:
            return None
        position = POSITION(mine, theirs, side)
        won = rules.winner(position)
        return position if won == DRAW else POSITION(mine, theirs, 1 - won)

    layout = lettered(rows, columns)
    return Board(layout, rules, lambda it: (it.x, it.o), place, turns=False, check=check)


def _names(rows: int, columns: int) -> tuple[str, ...]:
    """Return the squares from and to, by the numbers of moves.

    If a step would leave the board, the name shows that; such a move is never legal.
    """
    places = square_names(rows, columns)

    def name(side: int, step: int, square: int) -> str:
        row, column = divmod(square, columns)
        row, column = row + (-1 if side else 1), column + step - 1
        there = row in range(rows) and column in range(columns)
        to = places[columns * row + column] if there else '-' * side + f'-{step}'
        return places[square] + to

    return tuple(
        name(side, step, square)
        for side in (X, O)
        for step in range(3)
        for square in range(rows * columns)
    )
