"""Hex against naive rules and known results."""

import functools

import pytest

from fmcts.games.families import hex as hex_boards
from fmcts.solve import AlphaBeta, solve

AROUND = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1))


def joins(stones, begins, ends):
    """Whether a chain of stones, as (row, column), leads from one border to the other."""
    reached = {stone for stone in stones if begins(*stone)}
    while True:
        more = {
            (row + down, column + right) for row, column in reached for down, right in AROUND
        } & stones
        if more <= reached:
            return any(ends(*stone) for stone in reached)
        reached |= more


def plain_winner(cells, size):
    """`X`, `O` or nobody, read off a board in letters."""
    squares = {side: set() for side in 'XO.'}
    for at, side in enumerate(cells):
        squares[side].add(divmod(at, size))
    if joins(squares['X'], lambda row, _: row == 0, lambda row, _: row == size - 1):
        return 'X'
    if joins(squares['O'], lambda _, column: column == 0, lambda _, col: col == size - 1):
        return 'O'
    return None


def cells_of(game, state):
    return ''.join(c for line in game.format(state).splitlines()[1:-1] for c in line if c in 'XO.')


@pytest.mark.parametrize('size', [2, 3, 5, 8, 11, 16])
def test_connections_are_found_exactly(size):
    game = hex_boards.game(size)
    state, plies = game.start, 0
    while not state.over:
        assert plain_winner(cells_of(game, state), size) is None
        state = state.play(state.moves[(7 * plies + 3) % len(state.moves)])
        plies += 1
    assert plain_winner(cells_of(game, state), size) == state.winner.name


@functools.cache
def plain_value(cells, size):
    """Whether the side to move wins, by the plain reading; no other code is asked."""
    if plain_winner(cells, size) is not None:
        return False  # the other side has just won
    side = 'X' if cells.count('X') == cells.count('O') else 'O'
    return any(
        not plain_value(cells[:at] + side + cells[at + 1 :], size)
        for at, cell in enumerate(cells)
        if cell == '.'
    )


def test_winning_openings_on_three_by_three():
    game = hex_boards.game(3)
    winning = [
        move
        for move in game.start.moves
        if solve(game.start.play(move), AlphaBeta(distance=False), engine='inplace').value == 0.0
    ]
    cells = '.' * 9
    assert winning == [
        at for at in range(9) if not plain_value(cells[:at] + 'X' + cells[at + 1 :], 3)
    ]
    assert [game.format_move(move) for move in winning] == OPENINGS
    assert winning == sorted(8 - move for move in winning)  # the board turned round


OPENINGS = ['c1', 'a2', 'b2', 'c2', 'a3']


def test_the_printed_board_is_slanted():
    game = hex_boards.game(3)
    assert game.format(game.start.play(1).play(4)) == (
        '  a b c\n1 . X .\n 2 . O .\n  3 . . .\nX to move\n'
    )
