"""Boards as text: read from that of any game, the lines that won, and the shared layout."""

from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Player, SplitMix
from fmcts.games import boards, connect4, find_game, game_of, othello
from fmcts.games._cells import read_cells, winning_line
from fmcts.view import board_svg


@pytest.mark.parametrize(
    ('name', 'length'),
    [('tictactoe', 3), ('connect4', 4), ('mnk:5,4,3', 3), ('connect:5,4,3', 3), ('mnk:9,9,5', 5)],
)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_a_winning_row_belongs_to_the_winner(name, length, seed):
    state, last = ended(find_game(name).unwrap().start, seed)
    game = game_of(state)
    cells = read_cells(game.format(state))
    for side in 'XO':
        line = winning_line(cells, name, side)
        won = state.winner is Player[side]
        assert bool(line) == won
        if won:
            assert len(line) >= length
            assert {cells[place] for place in line} == {side}
            steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line)}
            assert len(steps) == 1
            # Without its last stone the game went on.
            before = read_cells(game.format(last))
            assert any(before[place] == '.' for place in line)
    assert ('class="line"' in board_svg(state)) == (state.winner is not None)


@given(seed=st.integers(0, 2**32), size=st.integers(2, 6))
@settings(max_examples=20, deadline=None)
def test_a_winning_chain_of_hex_joins_the_borders(seed, size):
    state, _ = ended(find_game(f'hex:{size}').unwrap().start, seed)
    side = str(state.winner)
    cells = read_cells(game_of(state).format(state))
    line = winning_line(cells, f'hex:{size}', side)
    along = 0 if side == 'X' else 1
    assert (line[0][along], line[-1][along]) == (0, size - 1)
    assert {cells[place] for place in line} == {side}
    for (row, column), (next_row, next_column) in pairwise(line):
        step = next_row - row, next_column - column
        assert step in {(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)}
    assert winning_line(cells, f'hex:{size}', str(state.winner.other)) == ()


def ended(state, seed):
    rng, last = SplitMix.from_seed(seed), state
    while not state.over:
        last = state
        place, rng = rng.uniform(0, len(state.moves) - 1)
        state = state.play(state.moves[place])
    return state, last


@pytest.mark.parametrize(
    'text', ['X . O\n. X', 'a b\nX . O', 'X O\nX', 'free text', '', '1 2\n3 4', 'a\nb\nX .']
)
def test_text_without_rows_of_cells_is_not_a_board(text):
    assert read_cells(text) is None


def test_games_of_states():
    assert game_of(connect4.start) is connect4
    assert game_of(find_game('hex:5').unwrap().start) is find_game('hex:5').unwrap()
    assert game_of(object()) is None
    assert game_of(type('Mine', (othello.Othello,), {})()) is othello


LAYOUT = boards.Layout(2, 3, '012345', header='  a b c', footer='= = =', numbered=True)


@pytest.mark.parametrize(
    'text',
    [
        '  a b c\n1 X . O\n2 . x .\n= = =\nthe  end\n',
        'A B C\n1X.O\n2.X.\nthe end',
        '\n X _ o \r\n\n-X-\r\n= = =\r\n the end \r\n',
        'X.O.X. the end;',
        'abc\nx-o-x-\n===\nthe end\n',
    ],
)
def test_labels_spacing_and_case_do_not_matter(text):
    grid = LAYOUT.read(text).unwrap()
    assert grid.cells == 'X.O.X.'
    assert grid.ending == 'the end'
    assert (grid.stones('X'), grid.stones('O')) == ([0, 4], [2])


EXPECTED = 'expected 2 rows of 3 cells, or all 6 cells on one line'


@pytest.mark.parametrize(
    ('text', 'complaint'),
    [
        ('', f'the board is empty: {EXPECTED}'),
        ('X.O\n= = =', f'the board ends after row 1: {EXPECTED}'),
        ('1 X.O\n3 .X.', "line 2, cell 3: found '3', expected X, O or . for an empty cell"),
        ('1\n2 .X.', 'line 1: found 0 cells, expected 3, or all 6 on one line'),
        ('X.O\n.X.\n= =\ndraw', "line 4: found 'draw', expected the end of the board"),
        ('X.O\n.X.\ndraw\n= = =', "line 4: found '= = =', expected the end of the board"),
        ('X.O\n.\u2028X', 'line 2: found 2 cells, expected 3'),
        ('X' * 5000, 'line 1: found 5000 cells, expected 3, or all 6 on one line'),
        ('X.?.X.', "line 1, cell 2: found '?', expected X, O or . for an empty cell"),
        ('X.O\n.\x00X', "line 2, cell 4: found '\\x00', expected X, O or . for an empty cell"),
    ],
)
def test_messages_name_the_place(text, complaint):
    assert LAYOUT.read(text).failure() == complaint
