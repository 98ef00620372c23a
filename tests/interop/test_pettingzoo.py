"""PettingZoo's board games beside our own, and our games as its environments."""

import pickle
import warnings

import pytest
from pettingzoo.classic.connect_four import connect_four

from fmcts import Player, Search, SplitMix, analyse
from fmcts.game import IllegalMoveError
from fmcts.games import connect4, othello, tictactoe
from fmcts.interop import pettingzoo

with warnings.catch_warnings():  # its own names for its games are deprecated
    warnings.simplefilter('ignore')
    from pettingzoo.test import api_test

RNG = SplitMix.from_seed(1)


def by_rows(state):
    """An array for a state without rules on integers."""
    import numpy as np  # noqa: PLC0415 - PettingZoo brings it

    return np.array([state.x, state.o], np.int64)


@pytest.mark.parametrize(
    ('make', 'mine'),
    [('classic/tictactoe-v3', tictactoe.start), (connect_four.env, connect4.start)],
    ids=['tictactoe', 'connect4 in its wrappers'],
)
def test_the_same_game_is_searched_alike(make, mine):
    """Whose steps change an environment; the digest names every node."""
    state = pettingzoo.start(make)
    one, two = (analyse(it, RNG, Search(60))[0] for it in (state, mine))
    assert (one.digest, one.move) == (two.digest, two.move)


def test_states_are_values():
    begin = pettingzoo.start('classic/connect_four-v3')
    one = begin.play(3)
    for move in (3, 4, 3, 4, 3, 4):
        one.play(move)
    assert begin.play(3) == one == pickle.loads(pickle.dumps(one))  # noqa: S301 - our own bytes
    assert hash(one) == hash(begin.play(3))
    assert one != begin.play(2)
    with pytest.raises(IllegalMoveError, match='illegal move 7: the legal moves are 0, 1, 2'):
        one.play(7)


def test_ends():
    state = pettingzoo.start('classic/connect_four-v3')
    for move in (3, 0, 3, 0, 3, 0, 3):
        assert state.winner is None
        state = state.play(move)
    assert (state.over, state.moves, state.winner, state.player) == (True, (), Player.X, Player.O)
    state = pettingzoo.start('classic/tictactoe-v3')
    for move in (0, 1, 2, 4, 3, 5, 7, 6, 8):
        state = state.play(move)
    assert (state.over, state.winner) == (True, None)


@pytest.mark.parametrize(('make', 'moves'), [('classic/chess-v6', 20), ('classic/go-v5', 362)])
def test_bigger_boards(make, moves):
    state = pettingzoo.start(make)
    assert len(state.moves) == moves
    assert [state.play(move).player for move in state.moves[:2]] == [Player.O, Player.O]


@pytest.mark.parametrize(
    ('make', 'complaint'),
    [
        (
            'classic/tictactoe',
            r'no environment .classic/tictactoe. \(did you mean classic/tictactoe-v3',
        ),
        ('classic/leduc_holdem-v4', 'leduc_holdem_v4 cannot be searched: it does not always begin'),
        ('classic/rps-v2', 'rps_v2 cannot be searched: its observations have no action_mask'),
    ],
)
def test_the_rest_is_refused(make, complaint):
    with pytest.raises(ValueError, match=complaint):
        pettingzoo.start(make)


@pytest.mark.parametrize(('game', 'actions'), [(tictactoe, 9), (connect4, 7), (othello, 65)])
@pytest.mark.filterwarnings('ignore:Observation')  # of spaces with masks, which their own have
def test_pettingzoo_s_own_test_of_environments(game, actions):
    api_test(pettingzoo.GameEnv(game.start, range(actions)), num_cycles=100)


def test_an_environment_plays_the_game():
    """Moves, masks and rewards are the state's; what is left over is nothing."""
    env, state = pettingzoo.GameEnv(othello.start, range(65)), othello.start
    env.reset()
    rng = RNG
    for agent in env.agent_iter():
        observed, reward, terminated, truncated, _ = env.last()
        assert terminated == state.over
        assert not truncated
        if terminated:
            ours = {'player_0': Player.X, 'player_1': Player.O}[agent]
            assert reward == (0 if state.winner is None else 1 if state.winner is ours else -1)
            env.step(None)
            continue
        assert reward == 0
        assert agent == {Player.X: 'player_0', Player.O: 'player_1'}[state.player]
        assert tuple(observed['action_mask'].nonzero()[0]) == state.moves
        bits = observed['observation'].reshape(-1, 64)
        numbers = [sum(int(bit) << n for n, bit in enumerate(row)) for row in bits]
        assert tuple(numbers) == tuple(type(state).compiled.pack(state))
        index, rng = rng.uniform(0, len(state.moves) - 1)
        move = state.moves[index]
        env.step(move)
        state = state.play(move)
    assert state.over
    assert env.agents == []
    assert env.render() == str(state)


def test_illegal_actions_and_games_without_an_array():
    env = pettingzoo.GameEnv(connect4.start, range(7))
    env.reset()
    for _ in range(6):
        env.step(0)
    with pytest.raises(IllegalMoveError, match='illegal move 0: the legal moves are 1, 2, 3'):
        env.step(0)

    class Bare(tictactoe.TicTacToe):
        pass

    with pytest.raises(ValueError, match='Bare declares no rules on integers: give observe'):
        pettingzoo.GameEnv(Bare(), range(9))
    env = pettingzoo.GameEnv(Bare(), range(9), observe=by_rows)
    env.reset()
    env.step(4)
    assert env.observe('player_1')['observation'].tolist() == [16, 0]
    assert env.observe('player_0')['action_mask'].sum() == 0
