"""Following lines of moves on the board."""

from types import SimpleNamespace

from returns.result import Failure, Success

from fmcts.games import othello, tictactoe
from fmcts.matches._lines import Followed, follow, in_text

ONE, TWO = tictactoe.start.play(4), tictactoe.start.play(4).play(0)


def test_a_line_has_its_states_and_moves():
    assert follow(tictactoe.start, (4, 0)) == Success(Followed((tictactoe.start, ONE, TWO), (4, 0)))
    assert follow(ONE, []) == Success(Followed((ONE,), ()))


def test_moves_are_replaced_by_the_game_s_own():
    """A move that equals a legal one stands for it: a record holds one kind of them."""
    (move,) = follow(tictactoe.start, [4.0]).unwrap().moves
    assert isinstance(move, int)


def test_the_ply_of_an_illegal_move_is_named():
    assert follow(tictactoe.start, (4, 0, 4, 1)) == Failure(
        'ply 3: illegal move 4: the legal moves are 1, 2, 3, 5, 6, 7, 8'
    )
    assert follow(tictactoe.start, (9,)).failure().startswith('ply 1: illegal move 9')


def test_moves_are_parsed_as_the_game_formats_them():
    read = in_text(othello)
    move = othello.start.moves[1]
    assert read(othello.start, othello.format_move(move)) == Success(move)
    line = follow(othello.start, [othello.format_move(move)], read).unwrap()
    assert (line.moves, line.states[1]) == ((move,), othello.start.play(move))


def test_unknown_moves_are_refused():
    read = in_text(tictactoe)
    assert read(TWO, '4') == Failure("'4' is not one of 1, 2, 3, 5, 6, 7, 8")
    assert read(TWO, 1) == Failure('1 is not one of 1, 2, 3, 5, 6, 7, 8')  # no text
    over = tictactoe.parse('XXXOO....').unwrap()
    assert read(over, '5') == Failure("'5' is not one of none")


def test_ambiguous_moves_are_refused():
    """A game whose texts are ambiguous has no records that can be read."""
    vague = SimpleNamespace(format_move=lambda _move: 'there')
    assert in_text(vague)(TWO, 'there').failure().startswith("'there' is not one of there, there")
