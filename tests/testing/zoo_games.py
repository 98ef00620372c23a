"""Wrong games, each with one realistic mistake, and the law that it breaks."""

import itertools
import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import cycle
from typing import Any, ClassVar

from attrs import evolve, field, frozen

from fmcts import Player
from fmcts.game import illegal
from zoo_right import LINES, PROCESS, Heap, Noughts, O, X, wrong

# Games with mistakes in the members of a state.


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


# Games with mistakes in `play`.


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


# Games whose states are wrong as values: equality, hashes, copies, pickles.


@wrong('equal by value', 'states are compared as objects')
class ByIdentity(Heap):
    __eq__ = object.__eq__
    __hash__ = object.__hash__


@wrong('hashed by value', 'equality is by value, and the hash is not')
class HashOfIdentity(Heap):
    __eq__ = Heap.__eq__
    __hash__ = object.__hash__


@wrong('hashed by value', 'a class with __eq__ and without __hash__')
class NoHash(Heap):
    __hash__ = None


@wrong('states differ', 'equality looks at the class alone', 1)
class AllEqual(Heap):
    def __eq__(self, other):
        return isinstance(other, Heap)

    __hash__ = lambda _self: 0  # noqa: E731 - in one line


@wrong('equal states are alike', 'equality leaves out the side to move', 2)
class SideLeftOut(Heap):
    def __eq__(self, other):
        return isinstance(other, Heap) and self.left == other.left

    __hash__ = lambda self: hash(self.left)  # noqa: E731 - in one line


@wrong('same moves', 'a cache of the class is keyed by too little', 5, theirs=Noughts())
class CachedForAll(Noughts):
    """A cache of the class keeps the winner by the number of stones."""

    known: ClassVar[dict] = {}

    @property
    def winner(self):
        stones = 9 - self.cells.count(None)
        return self.known.setdefault(stones, Noughts(self.cells).winner)


@wrong('states differ', 'equality takes everything for a state')
class ComparesFields(Heap):
    __eq__ = lambda self, other: (self.left, self.player) == (other.left, other.player)  # noqa: E731
    __hash__ = Heap.__hash__


@wrong('states pickle', 'a state holds a lambda')
@frozen
class HoldsAFunction(Heap):
    rule: Callable = field(default=lambda: None, eq=False)


@wrong('states copy', 'a state holds a lock')
@frozen
class HoldsALock(Heap):
    lock: Any = field(factory=threading.Lock, eq=False)


@wrong(PROCESS, 'a hash of text is kept, and pickled with the state', 1)
@frozen
class KeepsItsHash(Heap):
    name: str = 'heap'
    kept: int = field(init=False, eq=False)

    def __attrs_post_init__(self):
        object.__setattr__(self, 'kept', hash((self.left, self.player.name, self.name)))

    def __hash__(self):
        return self.kept


@wrong('states copy', 'a copy is made of the start', 1)
class ForgetsInCopies(Heap):
    def __deepcopy__(self, _):
        return evolve(self, left=6)

    def __reduce__(self):
        return type(self), (self.left,)


@wrong('play is pure', 'the hash of a state follows what was played in it')
@frozen(eq=False)
class HashOfTries(Heap):
    tries: ClassVar[dict] = {}
    __eq__ = Heap.__eq__

    def play(self, move):
        self.tries[self.left] = self.tries.get(self.left, 0) + 1
        return super().play(move)

    def __hash__(self):
        return self.tries.get(self.left, 0)


@wrong('play is pure', 'play writes down the last move at the start', 1)
@frozen
class WritesAtTheStart(Heap):
    notes: list = field(factory=lambda: [0], eq=False)

    def play(self, move):
        after = evolve(super().play(move), notes=self.notes)
        if self.left < 6:
            self.notes[0] = move
        return after

    def __deepcopy__(self, _):
        return evolve(self, notes=[*self.notes])


@wrong('states differ', 'a state equals a text')
class EqualsText(Heap):
    __eq__ = lambda self, other: isinstance(other, str) or Heap.__eq__(self, other)  # noqa: E731
    __hash__ = Heap.__hash__


@wrong('states copy', 'a copy is of the class above')
class CopiesAsHeap(Heap):
    def __deepcopy__(self, _):
        return Heap(self.left, self.player)

    def __reduce__(self):
        return type(self), (self.left, self.player)
