"""Games with mistakes in the members of a state."""

import itertools
from typing import ClassVar

from fmcts.game import illegal
from zoo_right import PROCESS, Heap, Noughts, X, wrong


@wrong(PROCESS, 'moves are in the order of their hashes, as out of a set')
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


@wrong('no moves at the end', 'a line is made, and moves are offered as before', 5)
class GoesOn(Noughts):
    moves = property(lambda self: self.free)


@wrong('no moves at the end', 'a full board without a line is not over', 9)
class NeverFull(Noughts):
    over = property(lambda self: self.winner is not None)


@wrong('known games end so', 'the winner is swapped', 3, known=[((2, 2, 2), X)])
@wrong('same winner', 'the winner is swapped', 3, theirs=Heap())
class Swapped(Heap):
    winner = property(lambda self: self.player if self.over else None)


@wrong('moves are a tuple', 'moves are a list, which anybody may change')
class ListOfMoves(Heap):
    moves = property(lambda self: [1, 2][: self.left])


@wrong('moves are a tuple', 'moves are a generator, empty when asked for again')
class MovesOnce(Heap):
    moves = property(lambda self: (move for move in (1, 2)[: self.left]))


@wrong('moves are unique', 'a move that can be made in two ways is listed twice')
class Twice(Heap):
    moves = property(lambda self: (1, 2, 2)[: self.left])


@wrong('no winner before the end', 'the winner is who leads, at any time', 7)
class Leading(Noughts):
    """The winner is the one with more stones in the middle row, at any time."""

    winner = property(
        lambda self: next((c for c in self.cells[3:6] if c), None) if self.free[2:] == () else None
    )
    over = property(lambda self: self.free == ())


COUNTER = itertools.count()


@wrong('answers are stable', 'moves depend on a counter of the module')
class Shuffled(Heap):
    moves = property(
        lambda self: (
            (1, 2)[: self.left] if next(COUNTER) % 2 else (2, 1)[-self.left :] if self.left else ()
        )
    )


@wrong('moves equal themselves', 'a move is NaN')
class NotANumber(Heap):
    moves = property(lambda self: (1, float('nan'))[: self.left])


@wrong('the winner is a player', 'the winner is a text', 3)
class WinnerByName(Heap):
    winner = property(lambda self: self.player.other.name if self.over else None)


@wrong('two players', 'the player is 0 or 1')
class PlayerByNumber(Heap):
    player = property(lambda self: self.left % 2)

    def __init__(self, left=6):
        object.__setattr__(self, 'left', left)

    def play(self, move):
        return type(self)(self.left - move)


@wrong('over is a bool', 'over is a number')
class OverByCount(Heap):
    over = property(lambda self: int(self.left == 0))


@wrong('a state has all members', 'a member raises an error in some state', 2)
class DividesByNothing(Heap):
    winner = property(
        lambda self: self.player.other if 4 // (self.left - 3) > 9 or self.over else None
    )


@wrong('a state has all members', 'a member was forgotten')
class NoWinner:
    def __init__(self):
        self.player, self.moves, self.over = X, (), True

    def play(self, move):
        raise illegal(self, move)
