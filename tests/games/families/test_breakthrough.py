"""Breakthrough against a hand-written state, and known counts."""

import breakthrough as by_hand
import pytest

from fmcts.games.families import breakthrough as breakthrough_boards


def test_eight_by_eight_equals_the_hand_written_game():
    game = breakthrough_boards.game(8, 8)

    def moved(state, move):
        step, square = move
        return 64 * (3 * (state.player.name == 'O') + step + 1) + square

    theirs = by_hand.Breakthrough()
    mine = game.start
    plies = 0
    while True:
        assert (mine.player, mine.over, mine.winner) == (theirs.player, theirs.over, theirs.winner)
        assert mine.moves == tuple(moved(theirs, move) for move in theirs.moves)
        if mine.over:
            break
        move = theirs.moves[(11 * plies + 5) % len(theirs.moves)]
        mine, theirs = mine.play(moved(theirs, move)), theirs.play(move)
        plies += 1
    assert plies > 30


def test_perft(perft):
    """22 first moves on 8 by 8: two rows of eight men each (OpenSpiel 1.6 counts the same)."""
    start = breakthrough_boards.game(8, 8).start
    assert [perft(start, plies) for plies in (1, 2, 3)] == [22, 484, 11_132]
    assert [perft(breakthrough_boards.game(6, 6).start, plies) for plies in (1, 2, 3)] == [
        16, 256, 4_308,
    ]  # fmt: skip


@pytest.mark.parametrize('sizes', [(4, 2), (5, 4), (6, 10), (8, 8), (32, 2), (4, 16)])
def test_every_size_plays_to_the_end_and_its_text_round_trips(sizes):
    game = breakthrough_boards.game(*sizes)
    state, plies = game.start, 0
    while not state.over:
        assert game.parse(game.format(state)).unwrap() == state
        for move in state.moves:
            assert game.parse_move(game.format_move(move)).unwrap() == move
        state = state.play(state.moves[(13 * plies + 7) % len(state.moves)])
        plies += 1
    assert game.parse(game.format(state)).unwrap() == state
    assert state.winner is state.player.other
    assert plies <= type(state).longest_game


def test_reaching_the_last_row_wins():
    game = breakthrough_boards.game(4, 2)
    state = game.parse('....X.O. X').unwrap()  # a man ahead blocks, and is not taken
    assert [game.format_move(move) for move in state.moves] == ['a3b4']
    won = state.play(state.moves[0])
    assert (won.over, won.winner.name, won.moves) == (True, 'X', ())


def test_capturing_the_last_man_wins():
    game = breakthrough_boards.game(4, 2)
    state = game.parse('X..O.... X').unwrap()
    assert [game.format_move(move) for move in state.moves] == ['a1a2', 'a1b2']
    assert not state.play(state.moves[0]).over
    assert state.play(state.moves[1]).winner.name == 'X'


@pytest.mark.parametrize(
    ('sizes', 'why'),
    [
        ((3, 3), 'rows: expected 4 to 32, not 3'),
        ((8, 9), 'columns of 8: expected 2 to 8, not 9'),
        ((8, 1), 'columns of 8: expected 2 to 8, not 1'),
    ],
)
def test_invalid_sizes_are_refused(sizes, why):
    with pytest.raises(ValueError, match=why):
        breakthrough_boards.game(*sizes)


@pytest.mark.parametrize(
    ('text', 'why'),
    [
        ('XXXXX...', 'the board has 5 X: expected at most 4'),
        ('O.....X. X', 'no game leads to this board'),
        ('........ X', 'no game leads to this board'),
        ('XX..OO..', 'the side is missing'),
        ('XX....XO X to move', "expected 'X wins', as the board has it"),
    ],
)
def test_impossible_boards_are_refused(text, why):
    assert why in breakthrough_boards.game(4, 2).parse(text).failure()
