"""Games that are wrong, each in one way that really occurs, and the law that tells.

`ZOO` is the list; documentation shows it. First come the right games that the others are made of.
"""

import itertools
import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, NamedTuple

from attrs import evolve, field, frozen

from fmcts import Player
from fmcts.game import illegal
from fmcts.rules import IntegerRules

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
X, O = Player  # noqa: E741 - the player's name


@frozen
class Noughts:
    """Tic-tac-toe as anybody would write it."""

    cells: tuple = (None,) * 9
    lines: ClassVar[tuple] = LINES

    @property
    def player(self):
        return (X, O)[sum(cell is not None for cell in self.cells) % 2]

    @property
    def winner(self):
        for a, b, c in self.lines:
            if self.cells[a] is not None and self.cells[a] is self.cells[b] is self.cells[c]:
                return self.cells[a]
        return None

    @property
    def over(self):
        return self.winner is not None or None not in self.cells

    @property
    def moves(self):
        return () if self.over else self.free

    @property
    def free(self):
        return tuple(cell for cell in range(9) if self.cells[cell] is None)

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return self.placed(move)

    def placed(self, move):
        return evolve(self, cells=(*self.cells[:move], self.player, *self.cells[move + 1 :]))


@frozen
class Heap:
    """Take one or two counters; who takes one is to move again. To move at the end is to lose."""

    left: int = 6
    player: Player = X

    @property
    def moves(self):
        return (1, 2)[: self.left]

    @property
    def over(self):
        return self.left == 0

    @property
    def winner(self):
        return self.player.other if self.over else None

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return evolve(
            self, left=self.left - move, player=self.player if move == 1 else self.player.other
        )


class HeapPosition(NamedTuple):
    left: int
    turn: int


HEAP_RULES = IntegerRules(
    pack=lambda heap: HeapPosition(heap.left, 0 if heap.player is X else 1),
    menu=lambda position: min(position.left, 2),
    count=lambda menu: menu,
    pick=lambda _menu, index: index + 1,
    play=lambda position, move: HeapPosition(
        position.left - move, position.turn if move == 1 else 1 - position.turn
    ),
    side=lambda position: position.turn,
    winner=lambda position: 1 - position.turn,
)


# What a state says.


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


# What play does.


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


@frozen
class SharedHistory(Heap):
    """Every state holds the one list of what was played, which equality leaves out."""

    played: list = field(factory=list, eq=False)

    def play(self, move):
        after = super().play(move)
        self.played.append(move)
        return after


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


class Unplayable(Noughts):
    """A corner is offered to O that the rules of play do not allow."""

    def play(self, move):
        if move == 8 and self.player is O:
            raise illegal(self, move)
        return super().play(move)


class PlaysNothing(Heap):
    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        object.__setattr__(evolve(self), 'left', self.left - move)


class AnythingGoes(Noughts):
    def play(self, move):
        if self.over:
            raise illegal(self, move)
        return self.placed(move) if isinstance(move, int) and 0 <= move < 9 else self


class WrongError(Noughts):
    def play(self, move):
        if move not in self.moves:
            raise KeyError(move)
        return self.placed(move)


class AfterTheEnd(Noughts):
    def play(self, move):
        if move not in self.free:
            raise illegal(self, move)
        return self.placed(move)


@frozen
class CountsTries(Heap):
    tries: list = field(factory=lambda: [0], eq=False)

    def play(self, move):
        if move not in self.moves:
            self.tries[0] += 1
        return super().play(move)

    def __deepcopy__(self, _):
        return evolve(self, tries=[0])


class Endless(Heap):
    moves = property(lambda _self: (1, 2))
    over = property(lambda _self: False)


class ThereAndBack(Heap):
    """A counter may be put back, and then all is as it was."""

    moves = property(
        lambda self: (1, 2, -1)[: self.left + 1] if 0 < self.left < 6 else (1, 2)[: self.left]
    )


class OneClass(Heap):
    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return OneClass(self.left - move, self.player if move == 1 else self.player.other)


# What a state is.


class ByIdentity(Heap):
    __eq__ = object.__eq__
    __hash__ = object.__hash__


class HashOfIdentity(Heap):
    __eq__ = Heap.__eq__
    __hash__ = object.__hash__


class NoHash(Heap):
    __hash__ = None


class AllEqual(Heap):
    def __eq__(self, other):
        return isinstance(other, Heap)

    __hash__ = lambda _self: 0  # noqa: E731 - in one line


class SideLeftOut(Heap):
    def __eq__(self, other):
        return isinstance(other, Heap) and self.left == other.left

    __hash__ = lambda self: hash(self.left)  # noqa: E731 - in one line


class CachedForAll(Noughts):
    """A cache of the class keeps the winner by the number of stones."""

    known: ClassVar[dict] = {}

    @property
    def winner(self):
        stones = 9 - self.cells.count(None)
        return self.known.setdefault(stones, Noughts(self.cells).winner)


class ComparesFields(Heap):
    __eq__ = lambda self, other: (self.left, self.player) == (other.left, other.player)  # noqa: E731
    __hash__ = Heap.__hash__


@frozen
class HoldsAFunction(Heap):
    rule: Callable = field(default=lambda: None, eq=False)


@frozen
class HoldsALock(Heap):
    lock: Any = field(factory=threading.Lock, eq=False)


@frozen
class KeepsItsHash(Heap):
    name: str = 'heap'
    kept: int = field(init=False, eq=False)

    def __attrs_post_init__(self):
        object.__setattr__(self, 'kept', hash((self.left, self.player.name, self.name)))

    def __hash__(self):
        return self.kept


class ForgetsInCopies(Heap):
    def __deepcopy__(self, _):
        return evolve(self, left=6)

    def __reduce__(self):
        return type(self), (self.left,)


# What is stated a second time.


class SameKeys(Heap):
    def key(self, _move):
        return self.left


class KeyOfAnother(Heap):
    """The key is of the position after the move."""

    compiled = evolve(HEAP_RULES, key=lambda position, move: position.left * 4 + move, keys=64)

    def key(self, move):
        return (self.left - move) * 4 + move


class RulesOtherwise(Heap):
    compiled = evolve(HEAP_RULES, winner=lambda position: position.turn)


class DrawsTooLittle(Heap):
    def playout(self, draw):
        state = self
        while not state.over:
            state = state.play(state.moves[draw(len(state.moves))] if state.left > 1 else 1)
        return state.winner


class LastMoverWins(Noughts):
    def playout(self, draw):
        state = self
        while not state.over:
            state = state.play(state.moves[draw(len(state.moves))])
        return state.player.other


def write_left(heap):
    return f'{heap.left} left'


def read_left(kind):
    return lambda text: kind(int(text.split()[0]))


def mirrored(state):
    """Left and right exchanged; in the lower two rows only."""
    cells = state.cells
    return evolve(
        state, cells=(*cells[:3], cells[5], cells[4], cells[3], cells[8], cells[7], cells[6])
    )


def mirrored_move(move):
    return move - move % 3 + 2 - move % 3


# What only another implementation shows.


class OffByOne(Noughts):
    lines = LINES[:-1]


class NoPass(Heap):
    """Whose turn it is follows from the counters taken, as if nobody ever moved twice."""

    def play(self, move):
        return evolve(super().play(move), player=self.player.other)


class Downwards(Heap):
    moves = property(lambda self: (1, 2)[: self.left][::-1])


class NeverOver(Heap):
    over = property(lambda _self: False)


class Wrong(NamedTuple):
    """A wrong game, the law that is named for what is wrong with it, and how it comes about."""

    start: Any
    law: str
    why: str
    line: int = 0
    told: dict = {}  # noqa: RUF012 - nobody changes it
    theirs: Any = None

    @property
    def name(self):
        return type(self.start).__name__


PROCESS = 'the same in another process'
ZOO = (
    Wrong(HashOrder(), PROCESS, 'moves are in the order of their hashes, as out of a set'),
    Wrong(GoesOn(), 'no moves at the end', 'a line is made, and moves are offered as before', 5),
    Wrong(NeverFull(), 'no moves at the end', 'a full board without a line is not over', 9),
    Wrong(ListOfMoves(), 'moves are a tuple', 'moves are a list, which anybody may change'),
    Wrong(MovesOnce(), 'moves are a tuple', 'moves are a generator, empty when asked for again'),
    Wrong(Twice(), 'moves are unique', 'a move that can be made in two ways is listed twice'),
    Wrong(Leading(), 'no winner before the end', 'the winner is who leads, at any time', 7),
    Wrong(Shuffled(), 'answers are stable', 'moves depend on a counter of the module'),
    Wrong(NotANumber(), 'moves equal themselves', 'a move is NaN'),
    Wrong(WinnerByName(), 'the winner is a player', 'the winner is a text', 3),
    Wrong(PlayerByNumber(), 'the player is a player', 'the player is 0 or 1'),
    Wrong(OverByCount(), 'over is a bool', 'over is a number'),
    Wrong(
        DividesByNothing(), 'a state has all members', 'a member raises an error in some state', 2
    ),
    Wrong(NoWinner(), 'a state has all members', 'a member was forgotten'),
    Wrong(Board(), 'play is pure', 'play puts the stone on its own board'),
    Wrong(SharedHistory(), 'play is pure', 'all states share one list of what was played'),
    Wrong(SharedQueue(), 'play is pure', 'all states share one queue of the last moves'),
    Wrong(
        HidesInAFunction(), 'play is pure', 'a function that states share keeps what it is given'
    ),
    Wrong(Unplayable(), 'every move can be played', 'moves has one that play refuses', 1),
    Wrong(PlaysNothing(), 'every move can be played', 'play returns nothing'),
    Wrong(
        AnythingGoes(), 'illegal moves are refused', 'play does not look whether the cell is free'
    ),
    Wrong(
        WrongError(), 'illegal moves are refused', 'an illegal move raises the KeyError of a table'
    ),
    Wrong(CountsTries(), 'illegal moves are refused', 'a move that is refused leaves a trace'),
    Wrong(AfterTheEnd(), 'nothing is played after the end', 'play does not look at the end', 5),
    Wrong(Endless(), 'games end', 'nothing brings the end nearer'),
    Wrong(ThereAndBack(), 'states differ', 'a move undoes the one before it', 4),
    Wrong(OneClass(), 'a subclass stays itself', 'play names its own class'),
    Wrong(ByIdentity(), 'equal by value', 'states are compared as objects'),
    Wrong(HashOfIdentity(), 'hashed by value', 'equality is by value, and the hash is not'),
    Wrong(NoHash(), 'hashed by value', 'a class with __eq__ and without __hash__'),
    Wrong(AllEqual(), 'states differ', 'equality looks at the class alone', 1),
    Wrong(SideLeftOut(), 'equal states are alike', 'equality leaves out the side to move', 2),
    Wrong(ComparesFields(), 'states differ', 'equality takes everything for a state'),
    Wrong(HoldsAFunction(), 'states pickle', 'a state holds a lambda'),
    Wrong(HoldsALock(), 'states copy', 'a state holds a lock'),
    Wrong(KeepsItsHash(), PROCESS, 'a hash of text is kept, and pickled with the state', 1),
    Wrong(ForgetsInCopies(), 'states copy', 'a copy is made of the start', 1),
    Wrong(SameKeys(), 'keys are unique', 'the key does not depend on the move'),
    Wrong(
        KeyOfAnother(), 'the rules on integers agree', 'the key is of the position after the move'
    ),
    Wrong(
        RulesOtherwise(), 'the rules on integers agree', 'the two statements of the rules differ', 3
    ),
    Wrong(DrawsTooLittle(), 'the playout agrees', 'a forced move is not drawn'),
    Wrong(LastMoverWins(), 'the playout agrees', 'the playout forgets draws', 2),
    Wrong(
        Heap(),
        'text is read back',
        'the text has no side to move',
        1,
        {'text': (read_left(Heap), write_left)},
    ),
    Wrong(
        Noughts(),
        'the symmetry holds',
        'the mirror leaves out a row',
        0,
        {'symmetry': (mirrored, mirrored_move)},
    ),
    Wrong(
        Swapped(),
        'known games end so',
        'the winner is swapped',
        3,
        {'known': [((2, 2, 2), X)]},
    ),
    Wrong(Swapped(), 'same winner', 'the winner is swapped', 3, theirs=Heap()),
    Wrong(OffByOne(), 'same moves', 'a line is missing in a table', 5, theirs=Noughts()),
    Wrong(NoPass(), 'same player', 'sides take turns though one may move twice', 1, theirs=Heap()),
    Wrong(
        CachedForAll(),
        'same moves',
        'a cache of the class is keyed by too little',
        5,
        theirs=Noughts(),
    ),
    Wrong(NeverOver(), 'same end', 'the end was forgotten', 3, theirs=Heap()),
    Wrong(SameKeys(), 'same keys', 'the two name moves in two ways', 0, {'keys': True}, Heap()),
    Wrong(Downwards(), 'same moves', 'moves are listed in another order', 0, theirs=Heap()),
)
