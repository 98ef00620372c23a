"""A game with a given number of plies and moves, and the names of the laws of play."""

from attrs import evolve, field, frozen

from fmcts import Player
from fmcts.game import illegal
from fmcts.testing._laws.playing import LAWS_OF_REFUSALS

ENDS = 'games end'
REFUSED, ENDED = (law.name for law in LAWS_OF_REFUSALS)


@frozen
class Plies:
    """So many plies, with so many moves in each: 0, 1, 2 at the start, then 100, 101, 102."""

    length: int = 3
    width: int = 3
    ply: int = 0
    accepts: tuple = ()
    error: type = field(default=ValueError, kw_only=True)
    player = property(lambda self: [*Player][self.ply % 2])
    over = property(lambda self: self.ply == self.length)
    moves = property(
        lambda self: () if self.over else tuple(range(100 * self.ply, 100 * self.ply + self.width))
    )
    winner = None

    def __deepcopy__(self, _memo):
        return self

    def play(self, move):
        if move not in (*self.moves, *self.accepts):
            raise illegal(self, move) if self.error is ValueError else self.error('no')
        return evolve(self, ply=self.ply + 1)


class Keeps(Plies):
    """It keeps what was tried in it, where nothing is seen of it."""

    tried = ()

    def play(self, move):
        type(self).tried += (move,)
        return super().play(move)
