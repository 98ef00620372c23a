"""A game of any length, so that one compilation serves all tests of length and depth."""

from typing import ClassVar, NamedTuple

from attrs import frozen

from fmcts import Player
from fmcts.rules import IntegerRules


class Steps(NamedTuple):
    left: int
    ways: int


@frozen
class Long:
    """A game of `left` plies, without an end if that is below 0; O, who makes the last, wins."""

    left: int
    ways: int = 2  # the number of moves in each position

    compiled: ClassVar[IntegerRules] = IntegerRules(
        pack=lambda state: Steps(state.left, state.ways),
        menu=lambda steps: (1 << steps.ways) - 1 if steps.left != 0 else 0,
        play=lambda steps, _: Steps(steps.left - 1, steps.ways),
        side=lambda steps: steps.left & 1,
        winner=lambda _: 1,
    )

    player = property(lambda self: (Player.X, Player.O)[self.left & 1])
    moves = property(lambda self: tuple(range(self.ways)) if self.left else ())
    over = property(lambda self: self.left == 0)
    winner = property(lambda self: Player.O if self.over else None)

    def play(self, _move):
        return type(self)(self.left - 1, self.ways)
