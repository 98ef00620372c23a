"""Lines of moves: played, and a game that has one alone."""

from functools import reduce

from attrs import frozen

from fmcts import Player


def play_line(state, moves):
    """Return the state after these moves."""
    return reduce(lambda state, move: state.play(move), moves, state)


@frozen
class Corridor:
    """A game without a choice, in which X makes all moves, and wins."""

    left: int
    player = Player.X
    moves = property(lambda self: (1,) if self.left else ())
    over = property(lambda self: not self.left)
    winner = property(lambda self: None if self.left else Player.X)

    def play(self, move):
        return Corridor(self.left - move)
