"""Tic-tac-toe: known counts, text and messages."""

from collections import Counter

import pytest
from returns.result import Success

from fmcts.game import Player
from fmcts.games import tictactoe
from fmcts.games.tictactoe import TicTacToe, start


@pytest.mark.exhaustive
def test_there_are_255168_games_and_5478_positions():
    ends = Counter()
    seen = set()

    def visit(state):
        seen.add(state)
        if state.over:
            ends[state.winner] += 1
        for move in state.moves:
            visit(state.play(move))

    visit(start)
    assert ends == {Player.X: 131_184, Player.O: 77_904, None: 46_080}
    assert ends.total() == 255_168
    assert len(seen) == 5478
    # What is printed reads back, for every position there is.
    assert all(tictactoe.parse(tictactoe.format(state)) == Success(state) for state in seen)


def test_the_printed_board():
    assert tictactoe.format(TicTacToe(0b000_010_001, 0b000_000_100)) == (
        'X . O\n. X .\n. . .\nO to move\n'
    )
    assert tictactoe.format(TicTacToe(0b000_000_111, 0b000_011_000)).endswith('\nX wins\n')


@pytest.mark.parametrize(
    ('text', 'ending'),
    [
        ('XXXOO....', 'X wins'),
        ('OOOXX.X..', 'O wins'),
        ('XOXXOOOXX', 'draw'),
        ('XXXXOOXOO', 'X wins'),  # two lines through the last stone
    ],
)
def test_a_terminal_position_can_be_parsed(text, ending):
    state = tictactoe.parse(text).unwrap()
    assert state.over
    assert tictactoe.parse(f'{text}\n{ending}') == Success(state)


IN_TURN = 'expected as many X as O, or one X more, since X begins'
TOO_LATE = 'no game leads to this board: it was over before its last move'


@pytest.mark.parametrize(
    ('text', 'complaint'),
    [
        ('XX.......', f'the board has 2 X and 0 O: {IN_TURN}'),
        ('XXXOOO...', TOO_LATE),
        ('XXX.OO.O.', TOO_LATE),
        (
            'XXXOO....\nO to move',
            "line 2: found 'O to move', expected 'X wins', as the board has it",
        ),
    ],
)
def test_a_malformed_board_is_refused_with_the_reason(text, complaint):
    assert tictactoe.parse(text).failure() == complaint


@pytest.mark.parametrize('text', ['9', '-1', '', 'a', '03', '٣', '1 2'])
def test_an_unknown_cell_is_refused(text):
    complaint = f'unknown cell {text!r}: expected a number from 0 to 8'
    assert tictactoe.parse_move(text).failure() == complaint
