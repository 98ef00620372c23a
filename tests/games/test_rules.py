"""The rules on integers against naive rules; check_game has them beside the states."""

import itertools
import random

from fmcts.games import connect4, othello, tictactoe
from fmcts.games.families.othello import whole_boards
from fmcts.rules import DRAW

DIRECTIONS = [step for step in itertools.product((-1, 0, 1), repeat=2) if step != (0, 0)]


def bits(*cells):
    return sum(1 << cell for cell in cells)


def lines_of(length, rows, columns):
    """Every straight line of `length` cells, as lists of (row, column)."""
    for row, column in itertools.product(range(rows), range(columns)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = [(row + n * down, column + n * right) for n in range(length)]
            if all(0 <= r < rows and 0 <= c < columns for r, c in line):
                yield line


def walked_flips(mine, theirs, square):
    """Othello's capture, walked square by square in each direction."""
    captured = 0
    for down, right in DIRECTIONS:
        row, column = divmod(square, 8)
        line = []
        while True:
            row, column = row + down, column + right
            if not (0 <= row < 8 and 0 <= column < 8):
                break
            cell = 8 * row + column
            if theirs >> cell & 1:
                line.append(cell)
                continue
            if mine >> cell & 1:
                captured |= bits(*line)
            break
    return captured


def random_boards(count):
    """Pairs of disjoint 64-bit sets: far more varied than games reach, borders included."""
    source = random.Random(20)  # noqa: S311 - no secrets here
    for _ in range(count):
        mine, theirs = source.getrandbits(64), source.getrandbits(64)
        if source.random() < 0.5:
            theirs |= source.getrandbits(64)
        yield mine & ~theirs, theirs


def test_tictactoe_has_eight_lines():
    lines = [bits(*(3 * r + c for r, c in line)) for line in lines_of(3, 3, 3)]
    assert len(lines) == 8
    for stones in range(512):
        won = any(stones & line == line for line in lines)
        assert tictactoe.WIN[stones] == won
        assert (tictactoe.BOARD.rules.menu(tictactoe.EMPTY._replace(theirs=stones)) == 0) == (
            won or stones == 511
        )


def test_connect4_has_69_lines():
    rules, empty = connect4.BOARD.rules, connect4.POSITION(0, 0)
    lines = [bits(*(7 * c + r for r, c in line)) for line in lines_of(4, 6, 7)]
    assert len(lines) == 69
    source = random.Random(22)  # noqa: S311 - no secrets here
    sets = [*lines, *(line ^ 1 << n for line in lines for n in range(49) if line >> n & 1)]
    for stones in (*sets, *(source.getrandbits(49) & connect4.FULL for _ in range(2000))):
        won = any(stones & line == line for line in lines)
        assert connect4.has_four(stones) == won
        assert (rules.winner(empty._replace(theirs=stones)) != DRAW) == won


def test_captures_equal_those_found_by_walking():
    at_once = whole_boards(8)
    for mine, theirs in random_boards(150):
        squares = 0
        for square in range(64):
            if (mine | theirs) >> square & 1:
                continue
            captured = walked_flips(mine, theirs, square)
            assert othello.flips(mine, theirs, square) == captured
            assert at_once[1](mine, theirs, square) == captured
            squares |= bool(captured) << square
        assert othello.mobility(mine, theirs) == at_once[0](mine, theirs) == squares
