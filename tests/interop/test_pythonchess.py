"""Chess by python-chess."""

import io
import pickle
import xml.etree.ElementTree as ET

import chess
import chess.pgn
import chess.svg
import pytest

from fmcts import Player, Search, SplitMix, analyse
from fmcts.errors import IllegalMoveError
from fmcts.interop.pythonchess import material, position, start
from fmcts.view import board_svg, draw


def after(state, moves):
    for move in moves.split():
        state = state.play(move)
    return state


@pytest.mark.parametrize(
    ('fen', 'moves', 'winner'),
    [
        (chess.STARTING_FEN, 'f2f3 e7e5 g2g4 d8h4', Player.O),
        ('7k/5Q2/8/8/8/8/8/6K1 w - - 0 1', 'f7g6', None),  # no mate, no move
        ('8/8/4k3/8/8/3K4/8/7r w - - 99 80', 'd3d4', None),  # 50 moves
        ('8/8/4k3/8/8/3Kp3/8/8 w - - 0 1', 'd3e3', None),  # two kings
        (chess.STARTING_FEN, 2 * 'g1f3 g8f6 f3g1 f6g8 ', None),  # the third time
    ],
    ids=['mate', 'stalemate', 'fifty moves', 'material', 'repetition'],
)
def test_wins_losses_and_draws(fen, moves, winner):
    *before, last = moves.split()
    state = after(position(fen), ' '.join(before))
    assert not state.over
    state = state.play(last)
    assert (state.over, state.moves, state.winner) == (True, (), winner)


def test_repetitions_survive_pickling_and_are_not_shared_between_lines():
    """What came before a state is its own: neither lost nor shared."""
    twice = after(start, 'g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1')
    twice = pickle.loads(pickle.dumps(twice))  # noqa: S301 - our own bytes
    assert not after(twice, 'f6d5').over
    assert after(twice, 'f6g8').over
    once = after(start, 'e2e3 g8f6 f1e2 f6g8 e2f1')
    assert not after(once, 'g8f6').over


def test_a_position_with_an_overdue_draw_claim_is_over():
    assert position('8/8/4k3/8/8/3K4/8/7r w - - 101 90').over


def test_states_are_values():
    one, two = after(start, 'e2e4 e7e5'), after(start, 'e2e4 e7e5')
    assert one == two
    assert hash(one) == hash(two)
    assert one != after(start, 'e2e4 e7e6')
    board = one.board
    board.push_uci('g1f3')
    assert one == two
    assert one.moves == two.moves
    assert str(one).endswith('R N B Q K B N R')
    assert 'oard' not in repr(one)


@pytest.mark.parametrize('move', ['e2e5', 'nonsense', 4])
def test_illegal_moves(move):
    words = f"illegal move {move!r}: the legal moves are 'a2a3', "
    with pytest.raises(IllegalMoveError, match=words):
        start.play(move)


def test_a_move_of_python_chess_is_told_apart_from_its_text():
    words = r"illegal move Move\.from_uci\('e2e4'\) \(did you mean 'e2e4'\?\): the legal"
    with pytest.raises(IllegalMoveError, match=words):
        start.play(chess.Move.from_uci('e2e4'))


@pytest.mark.parametrize(
    ('fen', 'complaint'),
    [
        ('x', "'x' is not a position of chess: expected 8 rows"),
        (None, '^fen must be a position in Forsyth-Edwards notation or a chess.Board, not None'),
        ('8/8/8/8/8/8/8/8 w - - 0 1', 'is not a valid position of chess: .*NO_WHITE_KING'),
    ],
)
def test_invalid_positions_are_refused(fen, complaint):
    with pytest.raises(ValueError, match=complaint):
        position(fen)


@pytest.mark.parametrize(
    ('fen', 'value'),
    [
        (chess.STARTING_FEN, 0.5),
        ('k7/8/8/8/8/8/8/KQR5 w - - 0 1', 0.5 + 14 / 36),
        ('kqr5/8/8/8/8/8/8/K7 w - - 0 1', 0.5 - 14 / 36),
        ('k7/8/8/8/8/8/P7/KBN5 w - - 0 1', 0.5 + 7 / 22),
    ],
)
def test_material_values(fen, value):
    assert material(position(fen)) == value


@pytest.mark.parametrize(
    ('fen', 'move', 'proof'),
    [
        ('1k1r4/pp6/8/8/8/6b1/5PPP/6K1 b - - 0 1', 'd8d1', 'win in 1'),
        ('kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1', 'a1a6', 'win in 3'),  # P. Morphy
    ],
    ids=['one by Black', 'two'],
)
def test_mates_are_found_and_proven(fen, move, proof):
    search = Search(5000, evaluate=material, solver=True)
    analysis, _ = analyse(position(fen), SplitMix.from_seed(1), search)
    assert (analysis.move, str(analysis.proof)) == (move, proof)


def test_the_image_is_python_chess_s():
    state = start.play('e2e4')
    assert board_svg(state) == state._repr_svg_() == state.picture()
    assert state.picture() == chess.svg.board(state.board, lastmove=chess.Move.from_uci('e2e4'))
    assert board_svg(start) == chess.svg.board(chess.Board())
    analysis, _ = analyse(state, SplitMix.from_seed(1), Search(2, evaluate=material))
    drawn = ET.fromstring(draw(analysis, depth=1, visits=0, boards=True))
    assert sum(it.tag.endswith('}svg') for it in drawn.iter()) == 1 + 2 * 3


# Positions of other kinds than a text of chess.
PGN = """[Variant "Fischerandom"]
[SetUp "1"]
[FEN "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w DBdb - 0 1"]

1. e3 e6 2. O-O *
"""


def test_a_game_of_chess960_is_read():
    board = chess.pgn.read_game(io.StringIO(PGN)).end().board()
    state = position(board)
    assert state.board == board
    assert set(state.moves) == {move.uci() for move in board.legal_moves}
    castled = position(PGN.split('"')[5]).play('e2e3').play('e7e6').play('c1d1')
    assert castled.board.board_fen() == board.board_fen()
    state = state.play('c8d8')  # as the king takes the rook
    assert str(state).splitlines()[0] == '. r . . . r k .'


def test_a_board_brings_the_moves_that_led_to_it():
    """Python-chess counts the repetitions; a text cannot tell."""
    board = chess.Board()
    for move in ('g1f3', 'g8f6', 'f3g1', 'f6g8') * 2:
        assert not position(board).over
        board.push_uci(move)
    assert board.is_repetition(3)
    state = position(board)
    assert (state.over, state.winner) == (True, None)
    assert pickle.loads(pickle.dumps(state)).over  # noqa: S301 - our own bytes
    assert not position(board.fen()).over
    board.pop()
    assert position(board).play('f6g8').over
    board.pop()
    assert not position(board).play('f3g1').play('h7h6').over


def test_a_line_of_epd_is_a_position():
    text = 'r1bqk2r/p1pp1ppp/2p2n2/8/1b2P3/2N5/PPP2PPP/R1BQKB1R w KQkq -'
    begin = position(f'{text} bm Bd3; id "a line"; hmvc 3; fmvn 7;')
    assert begin.board.fen() == f'{text} 3 7'
    assert begin.moves == position(f'{text} 3 7').moves
