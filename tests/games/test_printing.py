"""How states print themselves: `repr`, `str`, and the picture in a notebook."""

import pytest
from attrs import frozen
from hypothesis import given, settings, strategies as st

from fmcts.games import connect4, find_game, game_of, othello, tictactoe
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


def test_invalid_boards_are_refused():
    with pytest.raises(ValueError, match='the board has 3 X and 0 O'):
        TicTacToe.of('XXX/.../...')


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
