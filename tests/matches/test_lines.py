"""Following lines of moves on the board."""

from types import SimpleNamespace

import pytest

from fmcts.games import othello, tictactoe
from fmcts.matches._lines import Replay, follow, in_text

ONE, TWO = tictactoe.start.play(4), tictactoe.start.play(4).play(0)


def test_a_line_has_its_states_and_moves():
    assert follow(tictactoe.start, (4, 0)) == Replay((tictactoe.start, ONE, TWO), (4, 0))
    assert follow(ONE, []) == Replay((ONE,), ())


def test_moves_are_replaced_by_the_game_s_own():
    """A move that equals a legal one stands for it: a record holds one kind of them."""
    (move,) = follow(tictactoe.start, [4.0]).moves
    assert isinstance(move, int)


def test_the_ply_of_an_illegal_move_is_named():
    with pytest.raises(ValueError, match='ply 3: illegal move 4: the legal moves are 1, 2'):
        follow(tictactoe.start, (4, 0, 4, 1))
    with pytest.raises(ValueError, match='ply 1: illegal move 9'):
        follow(tictactoe.start, (9,))


def test_moves_are_parsed_as_the_game_formats_them():
    read = in_text(othello)
    move = othello.start.moves[1]
    assert read(othello.start, othello.format_move(move)) == move
    line = follow(othello.start, [othello.format_move(move)], read)
    assert (line.moves, line.states[1]) == ((move,), othello.start.play(move))


def test_unknown_moves_are_refused():
    read = in_text(tictactoe)
    with pytest.raises(ValueError, match="'4' is not one of 1, 2, 3, 5, 6, 7, 8"):
        read(TWO, '4')
    with pytest.raises(ValueError, match='1 is not one of 1, 2, 3, 5, 6, 7, 8'):
        read(TWO, 1)
    over = tictactoe.parse('XXXOO....').unwrap()
    with pytest.raises(ValueError, match="'5' is not one of none"):
        read(over, '5')


def test_ambiguous_moves_are_refused():
    """A game whose texts are ambiguous has no records that can be read."""
    vague = SimpleNamespace(format_move=lambda _move: 'there')
    with pytest.raises(ValueError, match="'there' is not one of there, there"):
        in_text(vague)(TWO, 'there')
