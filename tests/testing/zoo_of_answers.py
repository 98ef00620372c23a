"""Games with mistakes in the members of a state."""

import itertools
from typing import ClassVar

from fmcts.game import illegal
from zoo_right import Heap, Noughts, X


class HashOrder(Noughts):
    names: ClassVar[tuple] = tuple('abcdefghi')
    moves = property(
        lambda self: tuple(
            sorted((self.names[cell] for cell in Noughts(self.cells).moves), key=hash)
        )
    )

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return self.placed(self.names.index(move))


class GoesOn(Noughts):
    moves = property(lambda self: self.free)


class NeverFull(Noughts):
    over = property(lambda self: self.winner is not None)


class Swapped(Heap):
    winner = property(lambda self: self.player if self.over else None)


class ListOfMoves(Heap):
    moves = property(lambda self: [1, 2][: self.left])


class MovesOnce(Heap):
    moves = property(lambda self: (move for move in (1, 2)[: self.left]))


class Twice(Heap):
    moves = property(lambda self: (1, 2, 2)[: self.left])


class Leading(Noughts):
    """The winner is the one with more stones in the middle row, at any time."""

    winner = property(
        lambda self: next((c for c in self.cells[3:6] if c), None) if self.free[2:] == () else None
    )
    over = property(lambda self: self.free == ())


COUNTER = itertools.count()


class Shuffled(Heap):
    moves = property(
        lambda self: (
            (1, 2)[: self.left] if next(COUNTER) % 2 else (2, 1)[-self.left :] if self.left else ()
        )
    )


class NotANumber(Heap):
    moves = property(lambda self: (1, float('nan'))[: self.left])


class WinnerByName(Heap):
    winner = property(lambda self: self.player.other.name if self.over else None)


class PlayerByNumber(Heap):
    player = property(lambda self: self.left % 2)

    def play(self, move):
        return type(self)(self.left - move)


PlayerByNumber.__init__ = lambda self, left=6: object.__setattr__(self, 'left', left)


class OverByCount(Heap):
    over = property(lambda self: int(self.left == 0))


class DividesByNothing(Heap):
    winner = property(
        lambda self: self.player.other if 4 // (self.left - 3) > 9 or self.over else None
    )


class NoWinner:
    def __init__(self):
        self.player, self.moves, self.over = X, (), True

    def play(self, move):
        raise illegal(self, move)
