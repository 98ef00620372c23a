"""How states print themselves: `repr`, `str`, and the picture in a notebook."""

import pytest
from attrs import frozen
from hypothesis import given, settings, strategies as st

from fmcts import Player
from fmcts.games import connect4, find_game, game_of, othello, tictactoe
from fmcts.games._printing import Unwritten, written
from fmcts.games.connect4 import Connect4
from fmcts.games.othello import Othello
from fmcts.games.tictactoe import TicTacToe
from fmcts.testing import positions
from fmcts.view import board_svg

KINDS = {kind.__name__: kind for kind in (TicTacToe, Connect4, Othello)}


@pytest.mark.parametrize('game', [tictactoe, connect4, othello])
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_repr_of_a_state_evaluates_to_it(game, data):
    state = data.draw(positions(game.start))
    assert eval(repr(state), KINDS) == state  # noqa: S307 - our own text
    assert repr(state).startswith(f'{type(state).__name__}.of(')
    assert game.parse(str(state)).unwrap() == state
    assert f'{state}\n' == game.format(state)


@pytest.mark.parametrize(
    ('state', 'text'),
    [
        (TicTacToe(511, 511), 'TicTacToe(x=511, o=511)'),
        (TicTacToe(7, 0), 'TicTacToe(x=7, o=0)'),
        (Connect4(1 << 6), 'Connect4(x=64, o=0)'),
        (Othello(1, 1), "Othello(x=1, o=1, player=<Player.X: 'X'>)"),
    ],
)
def test_impossible_boards_print_their_fields(state, text):
    assert repr(state) == text


@pytest.mark.parametrize('name', ['mnk:4,4,3', 'hex:3', 'othello:6', 'nim:1,2', 'breakthrough:4,2'])
def test_states_made_from_rules_print_their_board(name):
    game = find_game(name).unwrap()
    state = game.start.play(game.start.moves[0])
    assert f'{state}\n' == game.format(state)
    assert state._repr_svg_() == board_svg(state)
    assert repr(state).startswith(f'{name}(')


def test_a_subclass_prints_its_own_name():
    @frozen(repr=False)
    class Mine(TicTacToe):
        note: str = ''

    assert repr(Mine()) == "Mine.of('.../.../...')"
    assert repr(Mine(note='x')) == "Mine(x=0, o=0, note='x')"
    assert game_of(Mine()) is tictactoe


@frozen
class Taking:
    left: tuple = ((1, 2), 'a b', 7, 'A_B')
    player: Player = Player.X

    moves = property(lambda self: self.left)
    over = property(lambda self: not self.left)
    winner = property(lambda self: self.player.other if self.over else None)

    def play(self, move):
        return Taking(tuple(one for one in self.left if one != move), self.player.other)


game = Unwritten('mine:start', Taking())


def test_text_of_positions():
    assert game.format(Taking()) == f'{Taking()!r}\nX to move\n'
    assert game.format(Taking(())) == f'{Taking(())!r}\nO wins\n'
    assert game.parse('x').failure() == (
        'mine:start is a state without a text format, so boards cannot be read: give the moves'
    )


def test_text_of_moves():
    assert [game.format_move(move) for move in game.start.moves] == ['1:2', 'a_b', '7', 'A_B']
    assert game.parse_move('1:2').unwrap() == (1, 2)
    assert game.read_move(game.start.play(7), '7').failure() == (
        "unknown move '7': the legal moves are 1:2, a_b, A_B"
    )
    assert game.parse_move('a_b').failure() == "'a_b' is ambiguous: 2 legal moves are written so"
    assert game.read_move(Taking(()), '7').failure() == "'7' is illegal: the game is over"


def test_a_move_is_one_word_without_commas():
    for move in ((), ((1, 'x, y'), -2), frozenset({3}), ' padded ', 'a\nb', None, 1.5):
        assert not set(written(move)) & set(' ,\n')
    assert written(((1, 'x, y'), -2)) == '1:x_y:-2'
