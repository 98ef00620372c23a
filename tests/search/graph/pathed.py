"""A game without transpositions, for graph searches; those with many are drawn by the library."""

from attrs import frozen


@frozen
class Pathed:
    """A game in which no position comes twice: its states know the moves that led to them."""

    inner: object
    path: tuple = ()

    player = property(lambda self: self.inner.player)
    moves = property(lambda self: self.inner.moves)
    over = property(lambda self: self.inner.over)
    winner = property(lambda self: self.inner.winner)

    def play(self, move):
        return Pathed(self.inner.play(move), (*self.path, move))
