"""A game without transpositions, for graph searches; those with many are drawn by the library."""

from attrs import frozen


@frozen
class Pathed:
    """A game in which no position comes twice: its states know the moves that led to them."""

    inner: object
    path: tuple = ()

    @property
    def player(self):
        return self.inner.player

    @property
    def moves(self):
        return self.inner.moves

    @property
    def over(self):
        return self.inner.over

    @property
    def winner(self):
        return self.inner.winner

    def play(self, move):
        return Pathed(self.inner.play(move), (*self.path, move))
