"""Functions of the game protocol that hold for every game."""

import pytest
from hypothesis import given, strategies as st
from returns.maybe import Nothing, Some
from returns.result import Success

from fmcts import IllegalMoveError, Player, checked_play, reward, winner_of
from fmcts.games import GAMES, tictactoe
from fmcts.testing import positions


@given(st.sampled_from([*Player, None]), st.sampled_from(Player))
def test_rewards_of_the_two_players_add_up_to_one(winner, player):
    assert reward(winner, player) + reward(winner, player.other) == 1
    assert player.other.other is player
    assert player.other is not player


def test_a_win_is_worth_more_than_a_draw_and_a_draw_more_than_a_loss():
    worth = [reward(outcome, Player.X) for outcome in (Player.X, None, Player.O)]
    assert worth == [1, 0.5, 0]


@given(data=st.data(), move=st.one_of(st.integers(-3, 70), st.text(max_size=2), st.none()))
@pytest.mark.parametrize('game', GAMES)
def test_checked_play_refuses_illegal_moves(game, data, move):
    state = data.draw(positions(GAMES[game].start))
    result = checked_play(state, move)
    if move in state.moves:
        assert result == Success(state.play(move))
    else:
        why = str(result.failure())
        assert why.startswith(f'illegal move {move!r}')
        assert why.endswith(('the game is over', ', '.join(map(repr, state.moves))))
        assert ('did you mean' in why) == (move in {str(legal) for legal in state.moves})
        with pytest.raises(IllegalMoveError):
            state.play(move)


def test_winner_of():
    assert winner_of(tictactoe.parse('XXXOO....').unwrap()) == Some(Player.X)
    assert winner_of(tictactoe.parse('XOXXOOOXX').unwrap()) == Nothing
    assert winner_of(tictactoe.start) == Nothing
