"""Games with mistakes in `play`."""

from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import cycle

from attrs import evolve, field, frozen

from fmcts import Player
from fmcts.game import illegal
from zoo_right import LINES, Heap, Noughts, O, X, wrong


@wrong('play is pure', 'play puts the stone on its own board')
class Board:
    """A plain class with a list that is changed in place."""

    def __init__(self):
        self.cells = [None] * 9

    def __eq__(self, other):
        return isinstance(other, Board) and self.cells == other.cells

    def __hash__(self):
        return hash(tuple(self.cells))

    player, winner, over, moves, free = (
        property(getattr(Noughts, name).fget)
        for name in ('player', 'winner', 'over', 'moves', 'free')
    )
    lines = LINES

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        self.cells[move] = self.player
        return self


@wrong('play is pure', 'all states share one list of what was played')
@frozen
class SharedHistory(Heap):
    """Every state holds the one list of what was played, which equality leaves out."""

    played: list = field(factory=list, eq=False)

    def play(self, move):
        after = super().play(move)
        self.played.append(move)
        return after


@wrong('play is pure', 'all states share one queue of the last moves')
@frozen
class SharedQueue(Heap):
    """As that, with the last moves in a queue."""

    played: deque = field(factory=partial(deque, maxlen=2), eq=False)

    def play(self, move):
        after = super().play(move)
        self.played.append(move)
        return after


def scorer(seen):
    """A function that writes down what it is asked about, where nobody sees it."""

    def score(left):
        seen.append(left)
        return left

    return score


@wrong('play is pure', 'a function that states share keeps what it is given')
@frozen
class HidesInAFunction(Heap):
    """What was played is kept in the closure of a function."""

    score: Callable = field(factory=lambda: scorer([]), eq=False)

    def play(self, move):
        self.score(self.left)
        return super().play(move)

    def __deepcopy__(self, _):
        return evolve(self, score=scorer([]))

    def __reduce__(self):
        return type(self), (self.left, self.player)


@wrong('every move can be played', 'moves has one that play refuses', 1)
class Unplayable(Noughts):
    """A corner is offered to O that the rules of play do not allow."""

    def play(self, move):
        if move == 8 and self.player is O:
            raise illegal(self, move)
        return super().play(move)


@wrong('every move can be played', 'play returns nothing')
class PlaysNothing(Heap):
    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        object.__setattr__(evolve(self), 'left', self.left - move)


@wrong('illegal moves are refused', 'play does not look whether the cell is free')
class AnythingGoes(Noughts):
    def play(self, move):
        if self.over:
            raise illegal(self, move)
        return self.placed(move) if isinstance(move, int) and 0 <= move < 9 else self


@wrong('illegal moves are refused', 'an illegal move raises the KeyError of a table')
class WrongError(Noughts):
    def play(self, move):
        if move not in self.moves:
            raise KeyError(move)
        return self.placed(move)


@wrong('nothing is played after the end', 'play does not look at the end', 5)
class AfterTheEnd(Noughts):
    def play(self, move):
        if move not in self.free:
            raise illegal(self, move)
        return self.placed(move)


@wrong('illegal moves are refused', 'a move that is refused leaves a trace')
@frozen
class CountsTries(Heap):
    tries: list = field(factory=lambda: [0], eq=False)

    def play(self, move):
        if move not in self.moves:
            self.tries[0] += 1
        return super().play(move)

    def __deepcopy__(self, _):
        return evolve(self, tries=[0])


@wrong('games end', 'nothing brings the end nearer', positions=30)
class Endless(Heap):
    moves = property(lambda _self: (1, 2))
    over = property(lambda _self: False)


@wrong('states differ', 'a move undoes the one before it', 4)
class ThereAndBack(Heap):
    moves = property(lambda self: (*(1, 2)[: self.left], *((-1,) if 0 < self.left < 6 else ())))


@wrong('a subclass stays itself', 'play names its own class')
class OneClass(Heap):
    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return OneClass(self.left - move, self.player if move == 1 else self.player.other)


class StaysOneClass(OneClass):
    """A subclass, which is lost by the first move."""


DICE = cycle(range(1, 7))


@wrong('no chance', 'a die is thrown in play')
@frozen
class Dice:
    """The dice game Pig, to 20: who rolls 1 loses the turn. The die is thrown inside of `play`."""

    player: Player = X
    turn: int = 0
    mine: int = 0
    theirs: int = 0

    winner = property(lambda self: self.player.other if self.over else None)
    over = property(lambda self: max(self.mine, self.theirs) >= 20)
    moves = property(lambda self: () if self.over else ('roll', 'hold'))

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        if move == 'hold':
            return Dice(self.player.other, 0, self.theirs, self.mine + self.turn)
        shown = next(DICE)
        if shown == 1:
            return Dice(self.player.other, 0, self.theirs, self.mine)
        return evolve(self, turn=self.turn + shown)
