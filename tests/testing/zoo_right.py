"""Correct games: those from which wrong ones are made, and one in every way to write a state."""

import enum
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple

from attrs import evolve, fields, frozen

from fmcts import Player
from fmcts.game import GameState, illegal
from fmcts.rules import IntegerRules

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
X, O = Player  # noqa: E741 - the player's name


@cache
def names_of(kind):
    return [field.name for field in fields(kind) if field.init]


def changed(state, **changes):
    """Return the state with other values of some fields, as `attrs.evolve`, in less time."""
    kind = type(state)
    return kind(**{name: getattr(state, name) for name in names_of(kind)} | changes)


@frozen
class Noughts:
    """Tic-tac-toe as anybody would write it."""

    cells: tuple = (None,) * 9
    lines: ClassVar[tuple] = LINES

    @property
    def player(self):
        return (O, X)[self.cells.count(None) % 2]

    @property
    def winner(self):
        cells = self.cells
        for a, b, c in self.lines:
            if (mark := cells[a]) is not None and mark is cells[b] is cells[c]:
                return mark
        return None

    @property
    def over(self):
        return self.winner is not None or None not in self.cells

    @property
    def moves(self):
        return () if self.over else self.free

    @property
    def free(self):
        return tuple([cell for cell, mark in enumerate(self.cells) if mark is None])

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return self.placed(move)

    def placed(self, move):
        cells = (*self.cells[:move], self.player, *self.cells[move + 1 :])
        return changed(self, cells=cells)


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
        player = self.player if move == 1 else self.player.other
        return changed(self, left=self.left - move, player=player)


PROCESS = 'the same in another process'
WRONG = []


class Wrong(NamedTuple):
    """A wrong game, the law that is named for what is wrong with it, and how it comes about."""

    start: Any
    law: str
    why: str
    line: int
    told: dict
    theirs: Any

    @property
    def name(self):
        return type(self.start).__name__


def wrong(law, why, line=0, *, theirs=None, **told):
    """Return a decorator that enters a wrong game into the zoo.

    `line` is the number of moves of the shortest breach, `told` what the check is given besides,
    `theirs` the start of the right game that only a comparison with shows the mistake.
    """

    def enter(kind):
        WRONG.append(Wrong(kind(), law, why, line, told, theirs))
        return kind

    return enter


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


# ---- written in every way that a state can be ----


class Rules:
    """Race to 4 steps by 1 or 2; who gets there wins. `named` says how moves look."""

    named = {1: 1, 2: 2}  # noqa: RUF012 - nobody changes it

    @property
    def moves(self):
        return tuple(move for move, step in self.named.items() if self.steps + step <= 4)

    over = property(lambda self: self.steps == 4)
    winner = property(lambda self: self.player.other if self.over else None)

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return self.after(self.steps + self.named[move], self.player.other)


class Slotless(Rules):
    __slots__ = ()

    def after(self, steps, player):
        return type(self)(steps, player)


@dataclass(frozen=True)
class AsDataclass(Slotless):
    steps: int = 0
    player: Player = X


@dataclass(frozen=True, slots=True)
class AsSlottedDataclass(Slotless):
    steps: int = 0
    player: Player = X


class Fields(NamedTuple):
    steps: int = 0
    player: Player = X


class AsNamedTuple(Slotless, Fields):
    __slots__ = ()


class AsSlots(Slotless):
    __slots__ = ('player', 'steps')

    def __init__(self, steps=0, player=X):
        self.steps, self.player = steps, player

    def __eq__(self, other):
        return type(other) is type(self) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))

    def __str__(self):
        return f'{self.steps} {self.player}'


class AsPlainClass(Rules):
    """What follows from the rest is remembered when it is first asked for, in two ways."""

    def __init__(self, steps=0, player=X):
        self.steps, self.player, self.known = steps, player, None

    def after(self, steps, player):
        return type(self)(steps, player)

    __str__, __eq__, __hash__ = AsSlots.__str__, AsSlots.__eq__, AsSlots.__hash__

    @property
    def moves(self):
        if self.known is None:
            self.known = super().moves
        return self.known

    @cached_property
    def over(self):
        return self.steps == 4


@frozen
class AsAttrs(Slotless):
    steps: int = 0
    player: Player = X


@frozen
class AsProtocol(Slotless, GameState[int]):
    """One that says of what protocol it is."""

    steps: int = 0
    player: Player = X


class Move(enum.Enum):
    STEP = 1
    JUMP = 2


class MovesAsTuples(AsAttrs):
    named = {('by', 1): 1, ('by', 2): 2}  # noqa: RUF012 - nobody changes it


class MovesAsEnum(AsAttrs):
    named = {move: move.value for move in Move}  # noqa: RUF012 - nobody changes it


class MovesWithoutHash(AsAttrs):
    moves = property(lambda self: tuple([step] for step in (1, 2) if self.steps + step <= 4))

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return self.after(self.steps + move[0], self.player.other)


class WithMemo(AsPlainClass):
    """States remember their children, in a dictionary that is told of as a memo."""

    def __init__(self, steps=0, player=X):
        super().__init__(steps, player)
        self.children = {}

    def play(self, move):
        if move not in self.children:
            self.children[move] = super().play(move)
        return self.children[move]


@frozen
class Wide:
    """Two plies among 10,000 moves; the higher number wins."""

    played: tuple[int, ...] = ()

    player = property(lambda self: (X, O)[len(self.played) % 2])
    moves = property(lambda self: () if self.over else MANY)
    over = property(lambda self: len(self.played) == 2)

    @property
    def winner(self):
        if not self.over or self.played[0] == self.played[1]:
            return None
        return X if self.played[0] > self.played[1] else O

    def play(self, move):
        if self.over or not isinstance(move, int) or not 0 <= move < 10_000:
            raise illegal(self, move)
        return evolve(self, played=(*self.played, move))


MANY = tuple(range(10_000))


@frozen
class Long:
    """One move in each of 600 plies; the last one wins."""

    plies: int = 0
    player = property(lambda self: (X, O)[self.plies % 2])
    moves = property(lambda self: () if self.over else ('on',))
    over = property(lambda self: self.plies == 600)
    winner = property(lambda self: O if self.over else None)

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        return evolve(self, plies=self.plies + 1)


class Right(NamedTuple):
    """A right game, and what is told of it."""

    start: Any
    told: dict = {}  # noqa: RUF012 - nobody changes it


def read(kind):
    """Texts as `2 X`, read by a function that raises for others."""
    return lambda text: kind(int(text.split()[0]), Player[text.split()[1]])


def write(state):
    return f'{state.steps} {state.player}'


def itself(value):
    return value


RIGHT = (
    Right(AsDataclass(), {'text': (read(AsDataclass), write)}),
    Right(AsSlottedDataclass(), {'symmetry': (itself, itself)}),
    Right(AsNamedTuple()),
    Right(AsSlots()),
    Right(AsPlainClass()),
    Right(AsAttrs(), {'known': [((1, 1, 2), X), ((2, 2), O)]}),
    Right(AsProtocol()),
    Right(MovesAsTuples()),
    Right(MovesAsEnum()),
    Right(MovesWithoutHash()),
    Right(WithMemo(), {'memos': ['children']}),
    Right(Wide(), {'positions': 20, 'games': 2}),
    Right(Long(), {'games': 1}),
    Right(AsAttrs(4)),
)
