"""The one playout."""

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from fmcts import Player, playout
from fmcts.games import GAMES, tictactoe
from fmcts.rng import thaw
from fmcts.simulation import simulator_of, uniform_playout
from fmcts.testing import generators, positions


@given(data=st.data(), rng=generators())
@pytest.mark.parametrize('game', GAMES)
def test_a_games_own_playout_is_the_generic_one_draw_for_draw(game, data, rng):
    state = data.draw(positions(GAMES[game].start))
    assert simulator_of(state) is type(state).playout
    draws = thaw(rng)
    assert playout(state, rng) == (uniform_playout(state, draws.draw), draws.freeze())


@given(data=st.data(), rng=generators())
@pytest.mark.parametrize('game', GAMES)
def test_the_generic_playout_draws_once_a_ply(game, data, rng):
    state = data.draw(positions(GAMES[game].start))
    after, expected = state, rng
    while not after.over:
        index, expected = expected.uniform(0, len(after.moves) - 1)
        after = after.play(after.moves[index])
    assert playout(state, rng) == (after.winner, expected)


@frozen
class Coin:
    """A game without a playout of its own."""

    over: bool = False
    winner: Player | None = None
    player: Player = Player.X

    @property
    def moves(self):
        return () if self.over else ('heads', 'tails')

    def play(self, move):
        return Coin(over=True, winner=Player.X if move == 'heads' else Player.O)


def test_a_game_without_its_own_gets_the_generic_playout():
    assert simulator_of(Coin())(Coin(), lambda _: 1) is Player.O
    assert simulator_of(Coin()).func is uniform_playout
    assert simulator_of(tictactoe.start) is tictactoe.TicTacToe.playout
