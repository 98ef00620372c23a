"""Games made of integer rules whose numbers are drawn, so that one compilation serves them all.

`Graph` is a game on a drawn graph: passes, sides that move twice in a row, draws, positions reached
in several ways. `Heap` is the subtraction game, its moves a set of bits.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from attrs import evolve, frozen

from fmcts import Player
from fmcts.rules import IntegerRules

__all__ = ['Graph', 'Heap']

PASS = 99
PASSING = 100  # the menu of a position where nothing but a pass is legal


class GraphPosition(NamedTuple):
    """The fields of `Graph`, the side as a number."""

    seed: int
    size: int
    width: int
    node: int
    turn: int


def noise(position: Any, salt: int) -> int:
    """A number of 16 bits that looks drawn; nothing in it grows past 63 bits."""
    mixed = position.seed * 7919 + position.node * 104729 + salt * 1299709 + 12345
    return ((mixed & 0x7FFFFFF) * 2654435761 >> 13) & 0xFFFF


def graph_menu(position: Any) -> int:
    """How many moves there are, or `PASSING`; 0 at the end."""
    if position.node >= position.size:
        return 0
    if noise(position, 1) % 6 == 0:
        return PASSING
    return 1 + noise(position, 2) % position.width


def graph_count(menu: int) -> int:
    """How many moves a menu stands for."""
    return 1 if menu == PASSING else menu


def graph_pick(menu: int, index: int) -> int:
    """Odd numbers, descending, some of them below 0; or the pass."""
    return PASS if menu == PASSING else 3 - 2 * index


def graph_key(_position: Any, move: int) -> int:
    """Moves may be below 0, keys may not."""
    return move + 32


def graph_play(position: Any, move: int) -> Any:
    """Some nodes on; now and then the same side is to move again."""
    step = 1 if move == PASS else 1 + noise(position, 20 - move) % 3
    again = move != PASS and noise(position, 40 - move) % 4 == 0
    turn = position.turn if again else 1 - position.turn
    return GraphPosition(position.seed, position.size, position.width, position.node + step, turn)


def graph_side(position: Any) -> int:
    """The side to move."""
    return position.turn  # type: ignore[no-any-return]


def graph_winner(position: Any) -> int:
    """X, O or a draw."""
    return (noise(position, 3) + position.turn) % 3


@frozen
class Graph:
    """A game from `node` to `size`, at most `width` moves in a position, drawn from `seed`."""

    seed: int
    size: int
    width: int
    node: int = 0
    player: Player = Player.X

    compiled: ClassVar[IntegerRules] = IntegerRules(
        pack=lambda state: state.packed(),
        menu=graph_menu,
        count=graph_count,
        pick=graph_pick,
        key=graph_key,
        keys=256,
        play=graph_play,
        side=graph_side,
        winner=graph_winner,
    )

    def packed(self) -> GraphPosition:
        """The position of the rules."""
        turn = 0 if self.player is Player.X else 1
        return GraphPosition(self.seed, self.size, self.width, self.node, turn)

    def key(self, move: int) -> int:
        """What names the move in every position."""
        return graph_key(self, move)

    @property
    def moves(self) -> tuple[int, ...]:
        """The legal moves."""
        menu = graph_menu(self.packed())
        return tuple(graph_pick(menu, index) for index in range(graph_count(menu)))

    @property
    def over(self) -> bool:
        """Whether the last node is reached or passed."""
        return self.node >= self.size

    @property
    def winner(self) -> Player | None:
        """Who won; `None` for a draw."""
        return (Player.X, Player.O, None)[graph_winner(self.packed())] if self.over else None

    def play(self, move: int, /) -> Graph:
        """The state after `move`."""
        after = graph_play(self.packed(), move)
        return evolve(self, node=after.node, player=(Player.X, Player.O)[after.turn])


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
