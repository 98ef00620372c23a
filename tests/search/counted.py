"""A game of counters with rules on integers, and a generator that says what it draws."""

from typing import ClassVar, NamedTuple

from attrs import frozen

from fmcts import Player
from fmcts._engines.outcomes import playout_of
from fmcts.rules import DRAW, IntegerRules
from fmcts.search._tree import plant


class Position(NamedTuple):
    left: int
    turn: int


RULES = IntegerRules(
    pack=lambda state: Position(state.left, state.turn),
    menu=lambda position: (1 << min(position.left, 3)) - 1,
    play=lambda position, taken: Position(position.left - taken - 1, 1 - position.turn),
    side=lambda position: position.turn,
    winner=lambda _: DRAW,
)


@frozen
class Counters:
    """One to three counters are taken in turn; moves are named by letters. Nobody wins."""

    left: int
    turn: int = 0

    compiled: ClassVar[IntegerRules] = RULES
    winner = None

    player = property(lambda self: Player.O if self.turn else Player.X)
    moves = property(lambda self: tuple('abc'[: self.left]))
    over = property(lambda self: self.left == 0)

    def play(self, move):
        return Counters(self.left - 'abc'.index(move) - 1, 1 - self.turn)


class Drawing:
    """Gives the indices told, and keeps among how many it was to draw."""

    def __init__(self, *indices):
        self.indices, self.among = list(indices), []

    def __call__(self, count):
        self.among.append(count)
        return self.indices.pop(0)


class Bare(Counters):
    """Rules serve the class that declares them alone."""


def playing(search, state):
    """Return `play(draw)`: what a playout of a root in this state is worth, and its moves, if it
    remembers them.
    """
    play, root = playout_of(search, state), plant(state)

    def played(draw):
        worth, trace, _ = play([], root, draw)
        return worth if trace is None else (worth, trace.line)

    return played


def played_out(search, state, *indices):
    """What the playout of the state is worth, with these draws; and among how many it drew."""
    draw = Drawing(*indices)
    found = playing(search, state)(draw)
    assert not draw.indices
    return found, draw.among
