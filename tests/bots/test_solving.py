"""Alpha-beta bots: values, ties, and perfect play."""

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import (
    EngineError,
    Search,
    SplitMix,
    alphabeta,
    perfect,
)
from fmcts.bots._solving import AlphaBetaBot, playing
from fmcts.games import tictactoe
from fmcts.solve import AlphaBeta, MoveValue, move_values
from fmcts.testing import positions

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


def test_bots_are_values():
    assert perfect() == alphabeta() == AlphaBetaBot()
    assert perfect() != alphabeta(distance=False)


def test_invalid_options_are_refused():
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
