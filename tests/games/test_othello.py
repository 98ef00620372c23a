"""Othello: known counts, published positions, passes, text and messages."""

import pytest
from returns.result import Success

from fmcts.errors import IllegalMoveError
from fmcts.game import Player
from fmcts.games import othello
from fmcts.games.othello import PASS, Othello, start

HEADER = '  a b c d e f g h\n'
START_LINE = '-' * 27 + 'OX' + '-' * 6 + 'XO' + '-' * 27

# Positions 40, 41, 43, 48 and 59 of the FFO endgame suite, in the one-line form in which they are
# published, each with the legal moves that are published with their values.
FFO = {
    'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X;': (
        'a2 c7 d8 c1 b1 g7 d7 c6 f7 a6'
    ),
    '-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X;': (
        'h4 h3 f8 g5 b7 g7 g1 a2 a7 b2'
    ),
    '--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O;': 'g3 c7 h4 g7 g2 b1',
    '-----X--X-XXX---XXXXOO--XOXOOXX-XOOXXX--XOOXX-----OOOX---XXXXXX- O;': (
        'f6 g5 g6 g3 e1 d1 h4 h5 h3 c1 b1 b2 g7'
    ),
    '-----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X X;': (
        'h4 g8 e8 a5 b3 f3 b5 d3 e3 g3 c3'
    ),
}

# The shortest game: X takes every disc with its fifth.
WIPE_OUT = ['e6', 'f4', 'e3', 'f6', 'g5', 'd6', 'e7', 'f5', 'c5']


def replay(names, state=start):
    for name in names:
        state = state.play(othello.parse_move(name).unwrap())
    return state


def test_perft(perft):
    assert [perft(start, plies) for plies in range(1, 7)] == [4, 12, 56, 244, 1396, 8200]


@pytest.mark.parametrize(('line', 'moves'), FFO.items())
def test_published_positions_have_their_published_moves(line, moves):
    state = othello.parse(line).unwrap()
    assert set(map(othello.format_move, state.moves)) == set(moves.split())
    cells, side = line.rstrip(';').split()
    assert state.player is Player[side]
    assert (state.x.bit_count(), state.o.bit_count()) == (cells.count('X'), cells.count('O'))


def test_a_forced_pass_leaves_the_board_unchanged():
    # O stands alone in a corner of X's: only X can move.
    cells = 'OX' + '.' * 25 + 'XX' + '.' * 6 + 'XX' + '.' * 27
    state = othello.parse(f'{cells} X').unwrap()
    assert state.moves == (PASS,)
    after = state.play(PASS)
    assert after == Othello(state.x, state.o, Player.O)
    assert list(map(othello.format_move, after.moves)) == ['c1']
    with pytest.raises(IllegalMoveError, match='illegal move 0: the legal moves are 64'):
        state.play(0)


def test_a_side_without_discs_has_lost():
    state = replay(WIPE_OUT)
    assert state.over
    assert state.o == 0
    assert state.winner is Player.X
    text = othello.format(state)
    assert text.endswith('\nO to move (no moves left: X wins 13-0)\n')
    assert othello.parse(text) == Success(state)
    # The side alone says as much.
    assert othello.parse(text.replace(' (no moves left: X wins 13-0)', '')) == Success(state)
    with pytest.raises(IllegalMoveError, match='illegal move 64: the game is over'):
        state.play(PASS)


@pytest.mark.parametrize(
    ('cells', 'winner', 'told'),
    [
        ('X' * 32 + 'O' * 32, None, 'draw 32-32'),
        ('X' * 24 + 'O' * 40, Player.O, 'O wins 40-24'),
        ('X' * 64, Player.X, 'X wins 64-0'),
    ],
)
def test_more_discs_win(cells, winner, told):
    state = othello.parse(f'{cells} O').unwrap()
    assert state.over
    assert state.moves == ()
    assert state.winner is winner
    assert othello.format(state).endswith(f'\nO to move (no moves left: {told})\n')


def test_the_printed_board():
    text = (
        HEADER
        + '1 . . . . . . . .\n2 . . . . . . . .\n3 . . . X . . . .\n4 . . . X X . . .\n'
        + '5 . . . X O . . .\n6 . . . . . . . .\n7 . . . . . . . .\n8 . . . . . . . .\n'
        + 'O to move\n'
    )
    state = replay(['d3'])
    assert othello.format(state) == text
    assert othello.parse(text) == Success(state)
    # The letters and numbers at the side may be missing.
    bare = ''.join(line.lstrip('12345678 ') + '\n' for line in text.splitlines()[1:])
    assert othello.parse(bare) == Success(state)


PRINTED = othello.format(start)
SIDES = "'X to move' or 'O to move' after the board"
AS_IT = 'as the board has it'
NO_DISC = (
    'd4: found an empty square, expected a disc of X or O, since the game begins with discs on the '
    'four centre squares'
)


@pytest.mark.parametrize(
    ('text', 'complaint'),
    [
        (
            PRINTED.replace('X to move\n', ''),
            f'the side is missing: expected {SIDES}',
        ),
        (
            PRINTED.replace('X to move', 'X wins'),
            f"line 10: found 'X wins', expected 'O to move', {AS_IT}",
        ),
        (f'{START_LINE} Y;', f"line 1: found 'Y': expected {SIDES}"),
        (
            PRINTED.replace('X to move', 'X to move (no moves left: draw 2-2)'),
            f"line 10: found 'X to move (no moves left: draw 2-2)', expected 'X to move', {AS_IT}",
        ),
        (
            'X' * 64 + '\nO to move (no moves left: X wins 60-4)',
            (
                "line 2: found 'O to move (no moves left: X wins 60-4)', "
                f"expected 'O to move (no moves left: X wins 64-0)', {AS_IT}"
            ),
        ),
        (PRINTED.replace('4 . . . O', '4 . . . .'), NO_DISC),
    ],
)
def test_a_malformed_board_is_refused_with_the_reason(text, complaint):
    assert othello.parse(text).failure() == complaint


@pytest.mark.parametrize('text', ['i1', 'a9', 'a0', '', '19', '3d', 'a1b', 'a\nb'])
def test_an_unknown_square_is_refused(text):
    assert othello.parse_move(text).failure() == (
        f"unknown square {text!r}: expected a column a-h and a row 1-8 such as 'd3', or 'pass'"
    )


def test_squares_are_parsed_in_either_case():
    assert othello.parse_move(' D3 ') == Success(19)
    assert othello.parse_move('PASS') == Success(PASS)
