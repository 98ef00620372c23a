"""Play a line of moves."""

from functools import reduce


def play_line(state, moves):
    """Return the state after these moves."""
    return reduce(lambda state, move: state.play(move), moves, state)
