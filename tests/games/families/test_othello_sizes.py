"""Othello of all sizes against the library's own, each other's code, and known counts."""

import functools

import pytest

from fmcts.games import othello as by_hand
from fmcts.games.families import othello


def test_eight_by_eight_is_othello(in_step):
    assert in_step(othello.game(8).start, by_hand.start, 12) > 600


@pytest.mark.parametrize('size', [4, 6, 8])
def test_both_implementations_agree(size, in_step):
    one, other = (othello.game_by(it, size) for it in (othello.in_one_word, othello.in_words))
    assert in_step(one.start, other.start, 5) > 40


def test_the_second_player_wins_four_by_four_by_eight():
    """Eleven discs to three, when both play for discs."""
    game = othello.game(4)

    @functools.cache
    def lead(state):
        """How many discs more the side to move gets when both play for discs."""
        if state.over:
            return state.position.mine.bit_count() - state.position.theirs.bit_count()
        return max(-lead(state.play(move)) for move in state.moves)

    assert lead(game.start) == 3 - 11
