"""Connect games of any size: against Connect Four, and against known values of small boards."""

import pytest

from fmcts.games import connect4
from fmcts.games.families import connect
from fmcts.solve import AlphaBeta, solve


def test_seven_by_six_is_connect_four(in_step):
    assert in_step(connect.game(7, 6, 4).start, connect4.start, 60) > 1_000


@pytest.mark.parametrize('sizes', [(8, 7, 4), (1, 5, 3), (9, 6, 5), (4, 15, 4), (32, 1, 2)])
def test_every_size_plays_to_the_end(sizes):
    """Columns fill up from below and no others: read off the text of each position."""
    game = connect.game(*sizes)
    state, plies = game.start, 0
    while not state.over:
        rows = game.format(state).splitlines()[: sizes[1]]
        top = rows[0].split()
        assert state.moves == tuple(n for n, cell in enumerate(top) if cell == '.')
        state = state.play(state.moves[(5 * plies) % len(state.moves)])
        plies += 1
    assert game.parse(game.format(state)).unwrap() == state
    assert plies <= sizes[0] * sizes[1]


def test_four_by_four_is_a_draw():
    found = solve(connect.game(4, 4, 4).start, AlphaBeta(distance=False), engine='inplace')
    assert found.value == 0.5
