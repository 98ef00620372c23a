"""Boards read from the text of any game (`fmcts.games._cells`), and the lines that won."""

from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Player, SplitMix
from fmcts.games import connect4, find_game, game_of, othello
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
