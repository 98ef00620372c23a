"""Compiled flat playouts equal the interpreted ones, draw for draw."""

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import SplitMix
from fmcts._running import playouts
from fmcts.bots.montecarlo import MonteCarlo
from fmcts.games import GAMES
from fmcts.testing import generators, positions
from fmcts.testing._strategies import splitmixes


def by(game):
    """Generators: for each kind and game there is other machine code, so one game has both."""
    return generators() if game == 'tictactoe' else splitmixes()


@settings(max_examples=30)
@given(data=st.data(), times=st.integers(0, 200))
@pytest.mark.parametrize('game', GAMES)
def test_winners_equal_python(game, data, times):
    rng = data.draw(by(game))
    state = data.draw(positions(GAMES[game].start))  # finished ones too
    expected = playouts(state, rng, times, engine='inplace')
    found = playouts(state, rng, times, engine='compiled')
    assert found[1] == expected[1]
    assert +found[0] == +expected[0]


@settings(max_examples=30)
@given(
    data=st.data(),
    count=st.sampled_from(['scores', 'wins']),
    order=st.sampled_from(['first', 'last']),
)
def test_the_flat_bot_agrees(data, count, order):
    game = data.draw(st.sampled_from(sorted(GAMES)))
    rng = data.draw(by(game))
    state = data.draw(positions(GAMES[game].start).filter(lambda state: not state.over))
    one, two = (
        MonteCarlo(150, count=count, order=order, engine=engine).analyse(state, rng)
        for engine in ('compiled', 'persistent')
    )
    assert one == two
    assert one[0].tree == two[0].tree


@pytest.mark.parametrize('engine', ['inplace', 'compiled'])
def test_watch_receives_every_batch(engine):
    seen = []
    state, rng = GAMES['tictactoe'].start, SplitMix.from_seed(1)
    watched = playouts(state, rng, 30_250, engine=engine, watch=seen.append)
    assert watched == playouts(state, rng, 30_250, engine=engine)
    assert len(seen) > 1
    assert seen == sorted(set(seen))
    assert (seen[0] > 0, seen[-1]) == (True, 30_250)
