"""The correct games from which the wrong ones are made, and what is said of the wrong ones."""

from functools import cache
from typing import Any, ClassVar, NamedTuple

from attrs import fields, frozen

from fmcts import Player
from fmcts.game import illegal
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
