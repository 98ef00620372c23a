"""Othello on boards of other even sizes, 4 by 4 to 16 by 16; `othello:8` is Othello itself.

A move is a square in reading order, or the pass if there is none. X moves first. There are two
implementations, for boards of up to 64 squares by whole boards, and for larger ones by a walk from
each square; tests compare them on boards that both support.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final

from returns.result import Result

from fmcts.bits import nth_bit, popcount
from fmcts.games import boards
from fmcts.games._rules import cells as sets
from fmcts.games._rules.cells import cardinality, holds, picked, with_cell, without_cell
from fmcts.games._rules.othello import made_for
from fmcts.games.families._shared import (
    Family,
    between,
    integers,
    lettered,
    one_for_each,
    square_names,
)
from fmcts.games.from_rules import Game, make_game
from fmcts.rules import DRAW, IntegerRules, X, side_of

__all__ = ['game', 'in_one_word', 'in_words']

DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


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
    return in_one_word(size) if size <= 8 else in_words(size)


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


def in_one_word(size: int) -> Game:  # noqa: C901 - several functions, each of them short
    """Return the game on one word of bits per side."""
    mobility, flips = made_for(size)
    squares = size * size
    Position = integers('Position', ('mine', 'theirs', 'turn'))
    Moves = integers('Moves', ('squares', 'passes'))

    def menu(position: Any) -> Any:
        found = mobility(position.mine, position.theirs)
        if found == 0 and mobility(position.theirs, position.mine) != 0:
            return Moves(0, 1)
        return Moves(found, 0)

    def count(menu: Any) -> int:
        return popcount(menu.squares) + int(menu.passes)

    def pick(menu: Any, index: int) -> int:
        return squares if menu.passes != 0 else nth_bit(menu.squares, index)

    def play(position: Any, move: int) -> Any:
        mine, theirs, turn = position.mine, position.theirs, position.turn
        if move == squares:
            return Position(theirs, mine, 1 - turn)
        captured = flips(mine, theirs, move)
        return Position(theirs ^ captured, mine | captured | 1 << move, 1 - turn)

    def winner(position: Any) -> int:
        lead = popcount(position.mine) - popcount(position.theirs)
        if lead == 0:
            return DRAW
        leader: int = position.turn if lead > 0 else 1 - position.turn
        return leader

    def placed(x: Sequence[int], o: Sequence[int], turn: int) -> Any:
        words = [sum(1 << square for square in discs) for discs in (x, o)]
        return Position(words[turn], words[1 - turn], turn)

    def letters(position: Any) -> str:
        x, o = position[:2] if position.turn == X else position[1::-1]
        return ''.join(
            'X' if x >> square & 1 else 'O' if o >> square & 1 else '.' for square in range(squares)
        )

    rules = IntegerRules(
        menu=menu, count=count, pick=pick, play=play, side=side, winner=winner, keys=squares + 1
    )
    return _made(size, rules, placed, letters)


def in_words(size: int) -> Game:  # noqa: C901 - several functions, each of them short
    """Return the game on several words of bits."""
    squares = size * size
    width = sets.words_for(squares)
    twice = 2 * width  # compiled code slices by plain names
    Position = integers(
        'Position', sets.fields('mine', squares), sets.fields('theirs', squares), ['turn']
    )
    Moves = integers('Moves', sets.fields('squares', squares), ['passes'])
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

    def placed(x: Sequence[int], o: Sequence[int], turn: int) -> Any:
        words = [functools.reduce(with_cell, discs, nothing) for discs in (x, o)]
        return Position(*words[turn], *words[1 - turn], turn)

    def letters(position: Any) -> str:
        mine, theirs = position[:width], position[width:twice]
        x, o = (mine, theirs) if position.turn == X else (theirs, mine)
        return ''.join(
            'X' if holds(x, square) else 'O' if holds(o, square) else '.'
            for square in range(squares)
        )

    rules = IntegerRules(
        menu=menu, count=count, pick=pick, play=play, side=side, winner=winner, keys=squares + 1
    )
    return _made(size, rules, placed, letters)


def side(position: Any) -> int:
    """Return the side to move."""
    turn: int = position.turn
    return turn


def _made(size: int, rules: IntegerRules, placed: Any, letters: Any) -> Game:
    layout = lettered(size, size)
    middle = size // 2
    low, high = (size * (middle - 1) + middle - 1, size * middle + middle - 1)  # two of the centre
    centre = (low, low + 1, high, high + 1)
    start = placed((low + 1, high), (low, high + 1), X)

    def format(state: Any) -> str:  # noqa: A001 - the library's name for the inverse of parse
        return f'{boards.write_rows(letters(state.position), layout)}{ending(state.position)}\n'

    def ending(position: Any) -> str:
        to_move = f'{"XO"[position.turn]} to move'
        if rules.count(rules.menu(position)):
            return to_move
        cells = letters(position)
        x, o = cells.count('X'), cells.count('O')
        result = 'draw' if x == o else f'{"X" if x > o else "O"} wins'
        return f'{to_move} (no moves left: {result} {max(x, o)}-{min(x, o)})'

    def parse(text: str) -> Result[Any, str]:
        return boards.read_grid(text, layout).bind(centre_taken).bind(position_of)

    def centre_taken(grid: boards.Grid) -> Result[boards.Grid, str]:
        return boards.check_taken(grid, centre)

    def position_of(grid: boards.Grid) -> Result[Any, str]:
        x, o = ([at for at, found in enumerate(grid.cells) if found == name] for name in 'XO')

        def checked(player: Any) -> Result[Any, str]:
            position = placed(x, o, side_of(player))
            accepted = (ending(position), f'{player} to move', str(player))
            return boards.check_ending(grid, accepted).map(lambda _: position)

        return boards.read_side(grid).bind(checked)

    return make_game(
        f'othello:{size}',
        start,
        rules,
        names=(*square_names(size, size), 'pass'),
        format=format,
        parse=parse,
        longest_game=2 * size * size,  # squares to fill, never two passes in a row
        found_by=(game, size),
    )
