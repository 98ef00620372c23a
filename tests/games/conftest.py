"""Fixtures for the tests of all games."""

import random

import pytest


@pytest.fixture(scope='session')
def perft():
    """`perft(state, plies)`: how many lines of so many plies there are."""

    def count(state, plies):
        if plies == 1:
            return len(state.moves)
        return sum(count(state.play(move), plies - 1) for move in state.moves)

    return count


@pytest.fixture(scope='session')
def in_step():
    """`in_step(one, other, games)`: two games say the same all along lines of play."""

    def compare(one, other, games, *, moved=lambda move: move):
        """`moved` gives, for a move of the second, that of the first; gives the plies compared."""
        plies = 0
        for seed in range(games):
            below = random.Random(seed).randrange  # noqa: S311 - no secrets here
            mine, theirs = one, other
            while True:
                assert mine.player is theirs.player
                assert mine.over == theirs.over
                assert mine.winner is theirs.winner
                assert mine.moves == tuple(map(moved, theirs.moves))
                if mine.over:
                    break
                move = theirs.moves[below(len(theirs.moves))]
                mine, theirs = mine.play(moved(move)), theirs.play(move)
                plies += 1
        return plies

    return compare
