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


@pytest.mark.parametrize(
    ('sizes', 'why'),
    [
        ((8, 8, 4), 'rows on 8 columns: expected 1 to 7, not 8'),
        ((33, 1, 2), 'columns: expected 1 to 32, not 33'),
        ((7, 6, 8), 'a row to win: expected 2 to 7, not 8'),
    ],
)
def test_invalid_sizes_are_refused(sizes, why):
    with pytest.raises(ValueError, match=why):
        connect.game(*sizes)


@pytest.mark.parametrize(
    ('text', 'why'),
    [
        ('X.........', 'row 1, column 0: found X above an empty cell'),
        ('.....XX...', 'expected as many X as O'),
        ('XO...XOXOX O wins', "expected 'O to move', as the board has it"),
        ('XOO..XXXOO', 'no game leads to this board'),
    ],
)
def test_impossible_boards_are_refused(text, why):
    assert why in connect.game(5, 2, 3).parse(text).failure()
