"""Alpha-beta bots: values, ties, and perfect play."""

import pickle

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import (
    EngineError,
    FinishedGameError,
    Search,
    SplitMix,
    alphabeta,
    mcts,
    perfect,
    play_game,
    random_bot,
)
from fmcts.bots._solving import AlphaBetaBot, playing
from fmcts.games import connect4, tictactoe
from fmcts.solve import AlphaBeta, MoveValue, move_values
from fmcts.testing import positions
from tiers import usually

RNG = SplitMix.from_seed(3)
running = positions(tictactoe.start, running=True)


@settings(max_examples=30)
@given(state=running, depth=st.none() | st.integers(1, 9), distance=st.booleans())
def test_the_first_move_of_the_best_value_is_played(state, depth, distance):
    bot = alphabeta(depth, distance=distance)
    values = bot.values(state)
    assert values == move_values(state, AlphaBeta(depth, distance=distance))
    assert bot.choose(state) == playing(values)
    assert bot(state, RNG) == (bot.choose(state), RNG)


def test_ties_between_values_and_distances():
    rows = [
        MoveValue(0, 0.0, 2), MoveValue(1, 0.0, 6), MoveValue(2, 0.5, None),
        MoveValue(3, 0.5, None), MoveValue(4, 1.0, 5), MoveValue(5, 1.0, 3), MoveValue(6, 1.0, 3),
    ]  # fmt: skip
    assert [playing(tuple(rows[:count])) for count in range(1, 8)] == [0, 1, 2, 2, 4, 5, 5]


def test_wins_are_quick_and_losses_slow():
    assert perfect()(tictactoe.parse('XX.OO....').unwrap(), RNG) == (2, RNG)
    lost = tictactoe.parse('XX.OO.X..').unwrap()  # O wins, and X has lines of its own
    assert perfect()(lost, RNG) == (5, RNG)
    slow = connect4.start
    for move in (3, 3, 2):  # X has two in the middle of the lowest row, both ends being open
        slow = slow.play(move)
    rows = {row.move: row.plies for row in alphabeta(5).values(slow)}
    assert rows == {0: 4, 1: None, 2: 4, 3: 4, 4: None, 5: 4, 6: 4}


@pytest.mark.parametrize('opponent', [random_bot, mcts(Search(200)), perfect()])
@pytest.mark.parametrize('seed', usually(range(2), range(4)))
def test_perfect_is_never_beaten(opponent, seed):
    rng = SplitMix.from_seed(seed)
    first, rng = play_game(tictactoe.start, perfect(), opponent, rng)
    second, rng = play_game(tictactoe.start, opponent, perfect(), rng)
    assert str(first.winner) != 'O'
    assert str(second.winner) != 'X'


def test_depth_two_sees_a_threat():
    state = connect4.start
    for move in (0, 3, 0, 3, 1, 3):  # O threatens four in column 3
        state = state.play(move)
    assert alphabeta(2)(state, RNG)[0] == 3
    assert alphabeta(1)(state, RNG)[0] == 0


def test_bots_are_values():
    assert perfect() == alphabeta() == AlphaBetaBot()
    assert pickle.loads(pickle.dumps(alphabeta(3))) == alphabeta(3)  # noqa: S301 - our own
    assert hash(perfect()) == hash(alphabeta())
    assert perfect() != alphabeta(distance=False)


def test_invalid_options_are_refused():
    with pytest.raises(FinishedGameError, match='the game is over: there is no move to choose'):
        perfect()(tictactoe.parse('XXXOO....').unwrap(), RNG)
    with pytest.raises(EngineError, match="unknown engine 'fast'"):
        perfect(engine='fast')
    with pytest.raises(
        TypeError, match=r'search must be an AlphaBeta, not Search\(iterations=1000'
    ):
        AlphaBetaBot(Search())


def test_arguments_of_an_alpha_beta_bot():
    """Positions and depth may be named, the engine must be."""
    state = tictactoe.parse('XX.OO....').unwrap()
    bot = alphabeta(depth=2, evaluate=None, engine='inplace')
    assert bot == AlphaBetaBot(AlphaBeta(2), engine='inplace')
    with pytest.raises(TypeError, match='positional'):
        AlphaBetaBot(AlphaBeta(2), 'inplace')
    assert bot.choose(state=state) == 2
    assert [row.move for row in bot.values(state=state, root_moves=[5, 2])] == [2, 5]
