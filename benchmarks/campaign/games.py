"""A game of integer rules whose numbers are drawn: the subtraction game, its moves a set of bits.

`tests/search/drawn_games.py` has another.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from attrs import evolve, frozen

from fmcts import Player
from fmcts.rules import IntegerRules

__all__ = ['Heap']


class HeapPosition(NamedTuple):
    """The fields of `Heap`, the side as a number."""

    left: int
    most: int
    last_wins: int
    turn: int


@frozen
class Heap:
    """Take one counter or more, `most` at most (move 0 takes one); the last wins, or loses."""

    left: int
    most: int
    last_wins: bool = True
    player: Player = Player.X

    compiled: ClassVar[IntegerRules] = IntegerRules(
        pack=lambda heap: HeapPosition(
            heap.left, heap.most, int(heap.last_wins), 0 if heap.player is Player.X else 1
        ),
        menu=lambda heap: (1 << min(heap.left, heap.most)) - 1,
        play=lambda heap, move: HeapPosition(
            heap.left - move - 1, heap.most, heap.last_wins, 1 - heap.turn
        ),
        side=lambda heap: heap.turn,
        winner=lambda heap: 1 - heap.turn if heap.last_wins else heap.turn,
    )

    @property
    def moves(self) -> tuple[int, ...]:
        """The legal moves."""
        return tuple(range(min(self.left, self.most)))

    @property
    def over(self) -> bool:
        """Whether nothing is left."""
        return not self.left

    @property
    def winner(self) -> Player | None:
        """Who took the last one, or who did not."""
        if not self.over:
            return None
        return self.player.other if self.last_wins else self.player

    def play(self, move: int, /) -> Heap:
        """The state after `move`."""
        return evolve(self, left=self.left - move - 1, player=self.player.other)
