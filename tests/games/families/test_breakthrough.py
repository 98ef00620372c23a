"""Breakthrough: known counts, and the last man; test_other_laws has OpenSpiel's game beside it."""

from fmcts.games.families import breakthrough as breakthrough_boards


def test_perft(perft):
    """22 first moves on 8 by 8: two rows of eight men each (OpenSpiel 1.6 counts the same)."""
    start = breakthrough_boards.game(8, 8).start
    assert [perft(start, plies) for plies in (1, 2, 3)] == [22, 484, 11_132]
    assert [perft(breakthrough_boards.game(6, 6).start, plies) for plies in (1, 2, 3)] == [
        16, 256, 4_308,
    ]  # fmt: skip


def test_capturing_the_last_man_wins():
    game = breakthrough_boards.game(4, 2)
    state = game.parse('X..O.... X').unwrap()
    assert [game.format_move(move) for move in state.moves] == ['a1a2', 'a1b2']
    assert not state.play(state.moves[0]).over
    assert state.play(state.moves[1]).winner.name == 'X'
