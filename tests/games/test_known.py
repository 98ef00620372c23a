"""Tic-tac-toe, Connect Four and Othello: known counts, published positions, text and messages."""

from collections import Counter

import pytest
from returns.result import Success

from fmcts.errors import IllegalMoveError
from fmcts.game import Player
from fmcts.games import connect4, othello, tictactoe
from fmcts.games.othello import PASS, Othello
from fmcts.games.tictactoe import TicTacToe
from toy_games import play_line


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

    visit(tictactoe.start)
    assert ends == {Player.X: 131_184, Player.O: 77_904, None: 46_080}
    assert ends.total() == 255_168
    assert len(seen) == 5478
    # What is printed reads back, for every position there is.
    assert all(tictactoe.parse(tictactoe.format(state)) == Success(state) for state in seen)


@pytest.mark.parametrize(
    ('game', 'counts'),
    [
        (connect4, [7, 49, 343, 2401, 16_807, 117_649, 823_536]),
        (othello, [4, 12, 56, 244, 1396, 8200]),
    ],
    ids=['connect4', 'othello'],
)
def test_perft(game, counts, perft):
    assert [perft(game.start, plies) for plies, _ in enumerate(counts, 1)] == counts


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


# ---- othello ----


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
WIPE_OUT = 'e6 f4 e3 f6 g5 d6 e7 f5 c5'


def replay(names):
    return play_line(othello.start, [othello.parse_move(it).unwrap() for it in names.split()])


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


# ---- text ----


EMPTY = '. . . . . . .\n'
FOOTER = '0 1 2 3 4 5 6\n'
PRINTED = othello.format(othello.start)
AFTER_D3 = """\
  a b c d e f g h
1 . . . . . . . .
2 . . . . . . . .
3 . . . X . . . .
4 . . . X X . . .
5 . . . X O . . .
6 . . . . . . . .
7 . . . . . . . .
8 . . . . . . . .
O to move
"""


@pytest.mark.parametrize(
    ('game', 'state', 'text', 'others'),
    [
        (tictactoe, TicTacToe(0b010_001, 0b000_100), 'X . O\n. X .\n. . .\nO to move\n', ()),
        (tictactoe, TicTacToe(0b000_111, 0b011_000), 'X X X\nO O .\n. . .\nX wins\n', ()),
        (  # labels and the last line may be missing
            connect4,
            play_line(connect4.start, (3, 3, 4)),
            EMPTY * 4 + '. . . O . . .\n. . . X X . .\n' + FOOTER + 'O to move\n',
            (lambda text: text.replace(FOOTER, ''), lambda text: text.replace('O to move', '')),
        ),
        (  # the letters and numbers at the side may be missing
            othello,
            replay('d3'),
            AFTER_D3,
            (lambda text: '\n'.join(it.lstrip('12345678 ') for it in text.splitlines()[1:]),),
        ),
    ],
    ids=['tictactoe', 'tictactoe, over', 'connect4', 'othello'],
)
def test_the_printed_board(game, state, text, others):
    assert game.format(state) == text
    for form in (str, *others):
        assert game.parse(form(text)) == Success(state)


IN_TURN = 'expected as many X as O, or one X more, since X begins'
TOO_LATE = 'no game leads to this board: it was over before its last move'
SIDES = "'X to move' or 'O to move' after the board"
AS_IT = 'as the board has it'
COUNTED, OTHER = (f'(no moves left: X wins {it})' for it in ('64-0', '60-4'))
NO_DISC = (
    'd4: found an empty square, expected a disc of X or O, since the game begins with discs on the '
    'four centre squares'
)


@pytest.mark.parametrize(
    ('game', 'text', 'complaint'),
    [
        (tictactoe, 'XX.......', f'the board has 2 X and 0 O: {IN_TURN}'),
        (tictactoe, 'XXXOOO...', TOO_LATE),
        (tictactoe, 'XXX.OO.O.', TOO_LATE),
        (
            tictactoe,
            'XXXOO....\nO to move',
            f"line 2: found 'O to move', expected 'X wins', {AS_IT}",
        ),
        (
            connect4,
            EMPTY * 2 + '. . . . . X .\n' + EMPTY * 3,
            'row 3, column 5: found X above an empty cell, expected discs to rest on others',
        ),
        (connect4, '.' * 35 + 'XX.....', f'the board has 2 X and 0 O: {IN_TURN}'),
        (connect4, '.' * 28 + 'OOOO...XXXX...', TOO_LATE),
        (connect4, '.' * 28 + 'OOOO..X' + 'XXXX..O', TOO_LATE),  # both sides have four in a row
        (connect4, '.' * 28 + 'OOOX...' + 'XXXXO..', TOO_LATE),  # the last mover's row is buried
        (
            connect4,
            EMPTY * 6 + FOOTER + 'O to move\n',
            f"line 8: found 'O to move', expected 'X to move', {AS_IT}",
        ),
        (
            othello,
            PRINTED.replace('X to move\n', ''),
            f'the side is missing: expected {SIDES}',
        ),
        (
            othello,
            PRINTED.replace('X to move', 'X wins'),
            f"line 10: found 'X wins', expected 'O to move', {AS_IT}",
        ),
        (
            othello,
            '-' * 27 + 'OX' + '-' * 6 + 'XO' + '-' * 27 + ' Y;',
            f"line 1: found 'Y': expected {SIDES}",
        ),
        (
            othello,
            PRINTED.replace('X to move', 'X to move (no moves left: draw 2-2)'),
            f"line 10: found 'X to move (no moves left: draw 2-2)', expected 'X to move', {AS_IT}",
        ),
        (
            othello,
            f'{"X" * 64}\nO to move {OTHER}',
            f"line 2: found 'O to move {OTHER}', expected 'O to move {COUNTED}', {AS_IT}",
        ),
        (othello, PRINTED.replace('4 . . . O', '4 . . . .'), NO_DISC),
    ],
)
def test_a_malformed_board_is_refused_with_the_reason(game, text, complaint):
    assert game.parse(text).failure() == complaint


@pytest.mark.parametrize(
    ('game', 'texts', 'complaint'),
    [
        (tictactoe, ['9', '-1', '', 'a', '03', '٣', '1 2'], 'cell {!r}: {} number from 0 to 8'),
        (connect4, ['7', '-1', '', 'd', '3.0'], 'column {!r}: {} number from 0 to 6'),
        (
            othello,
            ['i1', 'a9', 'a0', '', '19', '3d', 'a1b', 'a\nb'],
            "square {!r}: {} column a-h and a row 1-8 such as 'd3', or 'pass'",
        ),
    ],
    ids=['tictactoe', 'connect4', 'othello'],
)
def test_an_unknown_move_is_refused(game, texts, complaint):
    for text in texts:
        assert game.parse_move(text).failure() == f'unknown {complaint.format(text, "expected a")}'


def test_squares_are_parsed_in_either_case():
    assert othello.parse_move(' D3 ') == Success(19)
    assert othello.parse_move('PASS') == Success(PASS)
