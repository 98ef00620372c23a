"""m,n,k games against tic-tac-toe, against each other's code, and against known values."""

import pytest

from fmcts.games import tictactoe
from fmcts.games.families import mnk
from fmcts.solve import AlphaBeta, solve

SIZES = [(3, 3, 3), (4, 4, 3), (5, 2, 4), (1, 6, 3), (7, 9, 5), (10, 5, 2), (5, 5, 5)]


def test_three_by_three_is_tictactoe(in_step):
    assert in_step(mnk.game(3, 3, 3).start, tictactoe.start, 300) > 2_000


@pytest.mark.parametrize('sizes', SIZES)
def test_both_implementations_agree(sizes, in_step):
    """Boards of few cells by shifts and by walks, and what is written of them."""
    few, many = (mnk.game_by(made, *sizes) for made in (mnk.in_one_word, mnk.in_words))
    assert in_step(few.start, many.start, 30) > 60
    one, other = few.start, many.start
    while True:
        text = few.format(one)
        assert text == many.format(other)
        assert (few.parse(text).unwrap(), many.parse(text).unwrap()) == (one, other)
        if one.over:
            break
        move = one.moves[len(one.moves) // 3]
        one, other = one.play(move), other.play(move)


@pytest.mark.parametrize(
    ('sizes', 'value'), [((3, 3, 3), 0.5), ((4, 3, 3), 1.0), ((4, 4, 3), 1.0), ((4, 3, 4), 0.5)]
)
def test_known_values(sizes, value):
    found = solve(mnk.game(*sizes).start, AlphaBeta(distance=False), engine='inplace')
    assert found.value == value


@pytest.mark.parametrize(
    ('text', 'why'),
    [
        ('XXXXOOO.........', 'no game leads to this board'),
        ('XXX.OOO.........', 'no game leads to this board'),
        ('XXX.OO.......... X to move', "expected 'X wins', as the board has it"),
        ('XXX.............', 'the board has 3 X and 0 O'),
    ],
)
def test_impossible_boards_are_refused(text, why):
    for game in (mnk.game_by(it, 4, 4, 3) for it in (mnk.in_one_word, mnk.in_words)):
        assert why in game.parse(text).failure()
    # Four in a row are made when the last stone joins two pairs.
    assert mnk.game(5, 3, 3).parse('XX.XX' + 'OO.OO' + '.....').unwrap().play(2).over
    assert mnk.game(5, 3, 3).parse('XXXXX' + 'OO.OO' + '.....').unwrap().over
