"""Hex (P. Hein, 1942; J. Nash, 1948) on rhombic boards of 2 to 16 cells a side.

X joins the top row with the bottom row, O the left column with the right one. A move is a cell in
reading order; its neighbours are left and right, above and above right, below and below left.
Blocking the opponent means joining one's own borders, so a full board has exactly one winner.
"""

from __future__ import annotations

from typing import Any, Final

from fmcts.bits import Table
from fmcts.games.boards import Board, placed_in_turn
from fmcts.games.families._shared import (
    Family,
    between,
    cardinality,
    every,
    fields,
    holds,
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
from fmcts.rules import IntegerRules, X

__all__ = ['game']

AROUND: Final = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1))  # rows down, columns right


@one_for_each
def game(side_length: int) -> Game:
    """Return Hex on `side_length` rows and columns, 2 to 16.

    :raises ValueError: another size.

    >>> game(11).start.moves[-1]
    120
    """
    between('a side of the board', side_length, 2, 16)
    start, rules = _rules(side_length)
    size = side_length * side_length
    layout = lettered(side_length, side_length, slanted=True)
    board = Board(layout, rules, in_words_of(size), placed_in_turn(start, rules))
    return make_game(
        f'hex:{side_length}',
        start,
        rules,
        names=square_names(side_length, side_length),
        longest_game=size,
        found_by=(game, side_length),
        **board.of_states(),
    )


FAMILY: Final = Family(
    'hex',
    ('SIZE',),
    'hex:7',
    'X joins top and bottom, O the sides',
    game,
    other='hex:10',
    limits='2 to 16',
    rules='X joins top and bottom, O left and right',
    moves='a cell',
)


def _rules(side_length: int) -> tuple[Any, IntegerRules]:  # noqa: C901 - several functions, each of them short
    """Return the initial position and the rules."""
    size = side_length * side_length
    width = words_for(size)
    twice, thrice = 2 * width, 3 * width  # compiled code slices by plain names
    empty_fields = fields('empty', size)
    # `linked` are the stones of either side that are connected to its first border.
    words = (empty_fields, fields('x', size), fields('linked', size))
    Position = integers('Position', *words, ('turn', 'won'))
    Cells = integers('Cells', empty_fields)
    none = Cells(*(0,) * width)
    nothing = (0,) * width
    last = side_length - 1
    neighbours = _neighbours(side_length)

    def along(turn: int, cell: int) -> int:
        """Return how far a cell is from the first border of a side."""
        return cell // side_length if turn == X else cell % side_length

    def belongs(position: Any, cell: int) -> int:
        """Return 1 if the side to move has a stone on a cell, else 0; `size` means no cell."""
        # The cell beyond every edge, so that neighbours need no case of their own.
        if cell == size:
            return 0
        if position.turn == X:
            return holds(position[width:twice], cell)
        return 1 - (holds(position[:width], cell) | holds(position[width:twice], cell))

    def links(position: Any, cell: int) -> bool:
        """Return whether a stone there would be connected to the first border of its side."""
        if along(position.turn, cell) == 0:
            return True
        for way in range(6):
            beside = neighbours[6 * cell + way]
            if belongs(position, beside) != 0 and holds(linked_of(position), beside) != 0:
                return True
        return False

    def linked_of(position: Any) -> Any:
        return position[twice:thrice]

    def play(position: Any, cell: int) -> Any:
        turn = position.turn
        empty, x, linked = without_cell(position[:width], cell), x_of(position), linked_of(position)
        if turn == X:
            x = with_cell(x, cell)
        won = 0
        if links(position, cell):
            # The stone, and all that it connects: each stone is linked once in a game.
            new = with_cell(nothing, cell)
            left = 1
            while left != 0:
                here = picked(new, 0)
                new = without_cell(new, here)
                left -= 1
                linked = with_cell(linked, here)
                if along(turn, here) == last:
                    won = 1
                for way in range(6):
                    beside = neighbours[6 * here + way]
                    if (
                        belongs(position, beside) != 0
                        and holds(linked, beside) == 0
                        and holds(new, beside) == 0
                    ):
                        new = with_cell(new, beside)
                        left += 1
        return Position(*(empty + x + linked + (1 - turn, won)))

    def x_of(position: Any) -> Any:
        return position[width:twice]

    def menu(position: Any) -> Any:
        return none if position.won != 0 else Cells(*position[:width])

    def side(position: Any) -> int:
        turn: int = position.turn
        return turn

    def winner(position: Any) -> int:
        # Somebody always wins: a full board of Hex has a path for exactly one side.
        return 1 - side(position)

    rules = IntegerRules(
        menu=menu, count=cardinality, pick=picked, play=play, side=side, winner=winner, keys=size
    )
    return Position(*every(size), *nothing, *nothing, X, 0), rules


def _neighbours(side_length: int) -> Table:
    """Return six neighbours for each cell; the number of cells marks one outside the board."""
    board = range(side_length)
    return Table(
        side_length * (row + down) + column + right
        if row + down in board and column + right in board
        else side_length * side_length
        for row in board
        for column in board
        for down, right in AROUND
    )
