"""The result of an iteration: uniform playouts, evaluators and rewards, draw by draw."""

import math

import pytest
from attrs import evolve

from counted import Bare, Counters, played_out, playing
from fmcts import EndlessGameError, GameError, Player, Search
from fmcts._engines.outcomes import ending_of, worth
from fmcts.errors import MethodError
from fmcts.games import connect4, tictactoe
from fmcts.rules import OnPositions

X_WON = tictactoe.parse('XXXOO....').unwrap()
O_WON = tictactoe.parse('OOOXX.X..').unwrap()
DRAWN = tictactoe.parse('XOXXOOOXX').unwrap()


def left(state):
    return state.left / 10


# ---- a worth ----


@pytest.mark.parametrize('value', [0, 1, 0.0, 1.0, 0.5, 5e-324, True])
def test_a_reward_becomes_a_float(value):
    assert worth('the reward', left, value) == value
    assert isinstance(worth('the reward', left, value), float)


@pytest.mark.parametrize('value', [-5e-324, 1.0000000000000002, -1, 2, math.nan, '1', None, (1,)])
def test_invalid_rewards_are_refused(value):
    with pytest.raises(MethodError) as error:
        worth('the reward', left, value)
    assert str(error.value).startswith(
        'the reward left must return a number from 0 (X loses) to 1 (X wins), not '
    )


def test_a_nameless_function_is_called_by_its_class():
    class Net:
        def __call__(self, _state):
            return 7

    with pytest.raises(MethodError, match=r'^the evaluator Net must return .* not 7$'):
        playing(Search(evaluate=Net()), Counters(3))(None)
    with pytest.raises(MethodError, match=r'^the reward Net must return .* not 7$'):
        ending_of(Search(reward=Net()))(Counters(0))


# ---- an end ----


@pytest.mark.parametrize(('state', 'for_x'), [(X_WON, 1.0), (O_WON, 0.0), (DRAWN, 0.5)])
def test_default_reward_of_a_terminal_state(state, for_x):
    assert ending_of(Search())(state) == for_x


def test_custom_reward_of_a_terminal_state():
    assert ending_of(Search(reward=left))(Counters(3)) == 0.3
    with pytest.raises(MethodError, match=r'^the reward left must return .* not 1\.1$'):
        ending_of(Search(reward=left))(Counters(11))


def on_positions(position):
    return position.left / 100


def test_a_reward_of_positions_receives_the_position():
    assert ending_of(Search(reward=OnPositions(on_positions)))(Counters(3)) == 0.03
    with pytest.raises(MethodError, match=r'^the reward on_positions must return .* not 1\.01$'):
        ending_of(Search(reward=OnPositions(on_positions)))(Counters(101))


def test_a_reward_of_positions_needs_rules():
    with pytest.raises(MethodError, match=r'^Bare declares no rules on integers$'):
        ending_of(Search(reward=OnPositions(on_positions)))(Bare(3))


# ---- a playout ----


def test_a_uniform_playout_draws_among_all_moves():
    assert played_out(Search(), Counters(7), 1, 2, 0, 0) == (0.5, [3, 3, 2, 1])
    state = tictactoe.parse('XX.OO....').unwrap()
    assert played_out(Search(), state, 0) == (1.0, [5])
    assert played_out(Search(), state, 2, 0, 0, 0, 0) == (0.5, [5, 4, 3, 2, 1])
    assert played_out(Search(), state, 4, 1)[0] == 0.0
    for playout in (lambda state: state.moves, 'uniform'):
        search = Search(playout=playout, reward=lambda state: float(state.winner is Player.X))
        assert played_out(search, state, 4, 1) == (0.0, [5, 4])
        assert played_out(search, state, 0) == (1.0, [5])


def test_an_evaluation_draws_nothing():
    assert played_out(Search(evaluate=left), Counters(7)) == (0.7, [])
    found, _ = played_out(Search(evaluate=left, selection='amaf'), Counters(7))
    assert found == (0.7, [])


def test_playouts_record_moves_if_the_method_asks():
    search = Search(selection='amaf', reward=lambda _state: 0.25)
    found, among = played_out(search, Counters(7), 1, 2, 0, 0)
    assert among == [3, 3, 2, 1]
    x, o = Player.X, Player.O
    assert found == (0.25, [(x, 'b'), (o, 'c'), (x, 'a'), (o, 'a')])
    assert played_out(evolve(search, selection='ucb1'), Counters(7), 1, 2, 0, 0)[0] == 0.25


def test_moves_are_recorded_by_key():
    """Columns filled one after the other, until X has four in a row: 19 cells."""
    found, _ = played_out(Search(selection='amaf'), connect4.start, *[0] * 19)
    assert found[0] == 1.0
    assert len({*found[1]}) == 19


@pytest.mark.parametrize('selection', ['ucb1', 'amaf'])
def test_a_game_may_last_exactly_max_plies(selection):
    """By a policy, which plays ply by ply."""
    search = Search(playout=lambda state: state.moves[:1], selection=selection, max_plies=7)
    found, among = played_out(search, Counters(7), *[0] * 7)
    assert among == [1] * 7
    assert found == 0.5 or found[0] == 0.5
    with pytest.raises(EndlessGameError, match='7 plies'):
        played_out(search, Counters(8), *[0] * 8)


def test_a_state_without_moves_that_is_not_over_is_reported():
    class Stuck(Counters):
        over = False

        def play(self, move):
            return Stuck(super().play(move).left)

    policy = Search(playout=lambda state: state.moves)
    with pytest.raises(GameError, match='Stuck'):
        played_out(policy, Stuck(1), 0)
