"""Othello on boards of even sizes, 4 by 4 to 16 by 16; `othello:8` is Othello itself.

A move is a square in reading order, or the pass if there is none. X moves first. There are two
implementations, for boards of up to 64 squares by whole boards, and for larger ones by a walk from
each square; tests compare them on boards that both support.

Whole boards are made for machine code, where they take no branches: runs of discs are followed
three and six steps at a time ("Kogge-Stone fill"), the four lines side by side in one register;
captures are looked up along rays. Both are well known from computer chess
(https://www.chessprogramming.org/Kogge-Stone_Algorithm).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

from fmcts.bits import WORD, Table, highest_bit, keep_if, lowest_bit, past_runs, popcount
from fmcts.games.boards import Board, Grid, Layout, Place
from fmcts.games.families._shared import (
    Family,
    between,
    cardinality,
    fields,
    holds,
    integers,
    joined,
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

# Eight directions for each square: four towards higher squares, then four towards lower ones.
DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
POSITION: Final = integers('Position', ('mine', 'theirs', 'turn'))


Made = tuple[IntegerRules, Callable[[Any], tuple[int, int]], Place]
"""Rules, and `sides` and `place` of a `Board`."""


@one_for_each
def game(size: int) -> Game:
    """Return Othello on `size` rows and columns, an even number from 4 to 16.

    :raises ValueError: another size.

    >>> [game(6).format_move(move) for move in game(6).start.moves]
    ['c2', 'b3', 'e4', 'd5']
    """
    between('a side of the board', size, 4, 16)
    if size % 2:
        raise ValueError(f'a side of the board: expected an even number, not {size}')
    return game_by(in_one_word if size <= 8 else in_words, size)


def game_by(made: Callable[[int], Made], size: int) -> Game:
    """Return the game as one of the two implementations has it."""
    board = board_of(size, made)
    return make_game(
        f'othello:{size}',
        board.place(*start_of(size), X),
        board.rules,
        moves=board.rules.key if made is in_one_word else None,
        names=(*square_names(size, size), 'pass'),
        longest_game=2 * size * size,  # squares to fill, never two passes in a row
        found_by=(game, size),
        **board.of_states(),
    )


FAMILY: Final = Family(
    'othello',
    ('SIZE',),
    'othello:6',
    'Othello on other sizes',
    game,
    other='othello:10',
    limits='even, 4 to 16',
    rules='Othello; a side that cannot move passes',
    moves='a square, or `pass`',
)


def start_of(size: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the squares that hold the discs of X and of O at the start."""
    middle = size // 2
    low, high = size * (middle - 1) + middle - 1, size * middle + middle - 1
    return (low + 1, high), (low, high + 1)


def board_of(size: int, made: Callable[[int], Made]) -> Board:
    """Return the rules and the text of a game."""
    rules, sides, place = made(size)

    def check(layout: Layout, grid: Grid) -> str:
        """Return which of the squares that never become empty is; `''` if none is."""
        for square in sorted(sum(start_of(size), ())):
            if grid.cells[square] == '.':
                return (
                    f'{layout.cells[square]}: found an empty square, expected a disc of X or O, '
                    'since the game begins with discs on the four centre squares'
                )
        return ''

    def ending(_rules: IntegerRules, position: Any) -> str:
        to_move = f'{"XO"[position.turn]} to move'
        if rules.listed(rules.menu(position)):
            return to_move
        x, o = (discs.bit_count() for discs in sides(position))
        result = 'draw' if x == o else f'{"X" if x > o else "O"} wins'
        return f'{to_move} (no moves left: {result} {max(x, o)}-{min(x, o)})'

    layout = lettered(size, size)
    return Board(layout, rules, sides, place, turns=False, check=check, ending=ending)


def in_one_word(size: int) -> Made:
    """Return the game on one word of bits per side."""
    squares = size * size
    mobility, flips = whole_boards(size)

    def menu(position: Any) -> int:
        """Return the legal squares; one occupied square for a forced pass; 0 at the end."""
        found = mobility(position.mine, position.theirs)
        if found != 0:
            return found
        if mobility(position.theirs, position.mine) != 0:
            return lowest_bit(position.mine)
        return 0

    def play(position: Any, square: int) -> Any:
        """Return the position after a disc on `square`; an occupied square is the pass."""
        mine, theirs = position.mine, position.theirs
        disc = 1 << square
        if disc & (mine | theirs):
            return POSITION(theirs, mine, 1 - position.turn)
        captured = flips(mine, theirs, square)
        return POSITION(theirs ^ captured, mine | captured | disc, 1 - position.turn)

    def key(position: Any, square: int) -> int:
        occupied = position.mine | position.theirs
        return squares if occupied >> square & 1 else square

    def winner(position: Any) -> int:
        lead = popcount(position.mine) - popcount(position.theirs)
        return position.turn if lead > 0 else 1 - position.turn if lead < 0 else DRAW

    def place(x: Sequence[int], o: Sequence[int], turn: int) -> Any:
        words = [sum(1 << square for square in discs) for discs in (x, o)]
        return POSITION(words[turn], words[1 - turn], turn)

    def sides(position: Any) -> tuple[int, int]:
        mine, theirs, turn = position
        return (mine, theirs) if turn == X else (theirs, mine)

    rules = IntegerRules(menu=menu, play=play, side=side, winner=winner, key=key, keys=squares + 1)
    return rules, sides, place


def whole_boards(size: int) -> tuple[Callable[[int, int], int], Callable[[int, int, int], int]]:
    """Return the functions `mobility` and `flips` for a board of side `size`, at most 8.

    - `mobility(mine, theirs)`: the squares where the side with the discs `mine` may play.
    - `flips(mine, theirs, square)`: the discs of `theirs` that the side with `mine` captures by
      playing on the empty `square`; 0 exactly when the move is not legal.

    >>> mobility, flips = whole_boards(8)
    >>> mobility(1 << 28 | 1 << 35, 1 << 27 | 1 << 36) == 1 << 19 | 1 << 26 | 1 << 37 | 1 << 44
    True
    >>> flips(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, 19) == 1 << 27
    True
    """
    board = WORD >> 64 - size * size
    steps, insides = (tuple(each) for each in zip(*lines(size), strict=True))
    rays = Table(
        sum(1 << there for there in _ray(size, square, right, down))
        for square in range(size * size)
        for right, down in DIRECTIONS
    )

    def mobility(mine: int, theirs: int) -> int:
        return past_runs(steps, insides, mine, theirs) & ~(mine | theirs) & board

    def flips(mine: int, theirs: int, square: int) -> int:
        first = 8 * square
        return (
            upwards(rays[first], mine, theirs)
            | upwards(rays[first + 1], mine, theirs)
            | upwards(rays[first + 2], mine, theirs)
            | upwards(rays[first + 3], mine, theirs)
            | downwards(rays[first + 4], mine, theirs)
            | downwards(rays[first + 5], mine, theirs)
            | downwards(rays[first + 6], mine, theirs)
            | downwards(rays[first + 7], mine, theirs)
        )

    return mobility, flips


def lines(size: int) -> tuple[tuple[int, int], ...]:
    """Return each line's step, and the squares that have a neighbour on both sides along it.

    A captured disc is between two others, so the remaining squares can never be captured and no run
    leaves the board. No mask contains bit 63, hence no run does, and a right shift copies no sign
    bit.
    """
    squares = [(row, column) for row in range(size) for column in range(size)]
    inner = range(1, size - 1)
    in_row = sum(1 << size * row + column for row, column in squares if column in inner)
    in_column = sum(1 << size * row + column for row, column in squares if row in inner)
    both = in_row & in_column
    return (1, in_row), (size, in_column), (size - 1, both), (size + 1, both)


def _ray(size: int, square: int, right: int, down: int) -> list[int]:
    """Return the squares from `square` (excluded) to the border in one direction."""
    row, column = divmod(square, size)
    found = []
    while 0 <= (column := column + right) < size and 0 <= (row := row + down) < size:
        found.append(size * row + column)
    return found


def upwards(ray: int, mine: int, theirs: int) -> int:
    """Return the discs captured along a `ray` towards higher squares."""
    end = lowest_bit(ray & ~theirs) & mine  # the run's end, if it is mine
    return keep_if(ray & (end - 1), end)


def downwards(ray: int, mine: int, theirs: int) -> int:
    """Return the discs captured along a `ray` towards lower squares."""
    end = highest_bit(ray & ~theirs) & mine
    return ray & -(end << 1)


def in_words(size: int) -> Made:  # noqa: C901 - several functions, each of them short
    """Return the game on several words of bits."""
    squares = size * size
    width = words_for(squares)
    twice = 2 * width  # compiled code slices by plain names
    Position = integers('Position', fields('mine', squares), fields('theirs', squares), ['turn'])
    Moves = integers('Moves', fields('squares', squares), ['passes'])
    nothing = (0,) * width

    def captures(mine: Any, theirs: Any, square: int, right: int, down: int) -> int:
        """Return how many discs are captured from a square in one direction."""
        column, row = square % size + right, square // size + down
        found = 0
        while column >= 0 and column < size and row >= 0 and row < size:
            here = size * row + column
            if holds(theirs, here) == 0:
                return found if holds(mine, here) != 0 else 0
            found += 1
            column, row = column + right, row + down
        return 0

    def mobility(mine: Any, theirs: Any) -> Any:
        found = nothing
        for square in range(squares):
            if holds(mine, square) == 0 and holds(theirs, square) == 0:
                for right, down in DIRECTIONS:
                    if captures(mine, theirs, square, right, down) != 0:
                        found = with_cell(found, square)
                        break
        return found

    def menu(position: Any) -> Any:
        mine, theirs = position[:width], position[width:twice]
        found = mobility(mine, theirs)
        passes = 0
        if cardinality(found) == 0 and cardinality(mobility(theirs, mine)) != 0:
            passes = 1
        return Moves(*(found + (passes,)))  # noqa: RUF005 - numba adds tuples

    def count(menu: Any) -> int:
        return cardinality(menu)  # the pass is a word with one bit

    def pick(menu: Any, index: int) -> int:
        return squares if menu.passes != 0 else picked(menu, index)

    def play(position: Any, move: int) -> Any:
        mine, theirs = position[:width], position[width:twice]
        if move != squares:
            before, other = mine, theirs
            mine = with_cell(mine, move)
            for right, down in DIRECTIONS:
                here = move
                for _ in range(captures(before, other, move, right, down)):
                    here += size * down + right
                    mine, theirs = with_cell(mine, here), without_cell(theirs, here)
        return Position(*(theirs + mine + (1 - position.turn,)))

    def winner(position: Any) -> int:
        lead = cardinality(position[:width]) - cardinality(position[width:twice])
        if lead == 0:
            return DRAW
        leader: int = position.turn if lead > 0 else 1 - position.turn
        return leader

    def place(x: Sequence[int], o: Sequence[int], turn: int) -> Any:
        words = [functools.reduce(with_cell, discs, nothing) for discs in (x, o)]
        return Position(*words[turn], *words[1 - turn], turn)

    def sides(position: Any) -> tuple[int, int]:
        mine, theirs = joined(position[:width]), joined(position[width:twice])
        return (mine, theirs) if position.turn == X else (theirs, mine)

    rules = IntegerRules(
        menu=menu, count=count, pick=pick, play=play, side=side, winner=winner, keys=squares + 1
    )
    return rules, sides, place


def side(position: Any) -> int:
    """Return the side to move."""
    turn: int = position.turn
    return turn
