"""A small game of integer rules whose numbers are drawn, so that one compilation serves all.

A walk through numbered rooms, from 0 to `size`. It has features that boards seldom have: passes,
sides that move twice in a row, draws, positions reached by lines of different lengths, moves below
0, and from 1 to 17 moves in a position.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, NamedTuple

from attrs import frozen

from fmcts.game import Player, illegal
from fmcts.rules import IntegerRules

__all__ = ['PASS', 'PASSING', 'WIDEST', 'Maze', 'fewer_ways']

PASS: Final = 99
PASSING: Final = 100  # the menu of a room where only a pass is legal
SIDES: Final = tuple(Player)
WIDEST: Final = 17  # moves in a room, at most: keys must not be below 0


class Place(NamedTuple):
    """The fields of `Maze`, the side as a number."""

    seed: int
    size: int
    width: int
    room: int
    turn: int


def noise(place: Any, salt: int) -> int:
    """Return a number of 16 bits that looks random; nothing in it exceeds 63 bits."""
    mixed = place.seed * 7919 + place.room * 104729 + salt * 1299709 + 12345
    return ((mixed & 0x7FFFFFF) * 2654435761 >> 13) & 0xFFFF  # type: ignore[no-any-return]


def menu_at(place: Any) -> int:
    """Return how many ways lead on, or `PASSING`; 0 at the end."""
    if place.room >= place.size:
        return 0
    if noise(place, 1) % 6 == 0:
        return PASSING
    return 1 + noise(place, 2) % place.width  # type: ignore[no-any-return]


def count_of(menu: int) -> int:
    """Return how many moves a menu has."""
    return 1 if menu == PASSING else menu


def pick_from(menu: int, index: int) -> int:
    """Return the move of that index: odd numbers, descending, some below 0; or the pass."""
    return PASS if menu == PASSING else 3 - 2 * index


def key_at(_place: Any, move: int) -> int:
    """Return the key of a move: moves may be below 0, keys may not."""
    return move + 32


def after(place: Any, move: int) -> Any:
    """Return the place that a move leads to; now and then the same side moves again."""
    step = 1 if move == PASS else 1 + noise(place, 20 - move) % 3
    again = move != PASS and noise(place, 40 - move) % 4 == 0
    turn = place.turn if again else 1 - place.turn
    return Place(place.seed, place.size, place.width, place.room + step, turn)


def side_at(place: Any) -> int:
    """Return the side to move."""
    return place.turn  # type: ignore[no-any-return]


def winner_at(place: Any) -> int:
    """Return X, O or a draw."""
    return (noise(place, 3) + place.turn) % 3  # type: ignore[no-any-return]


def fewer_ways(_place: Any, menu: int) -> int:
    """Narrow a menu to the first half of its moves."""
    return menu if menu == PASSING else (menu + 1) // 2


@frozen
class Maze:
    """A walk from `room` to `size`, at most `width` moves in a room, drawn from `seed`.

    >>> maze = Maze(seed=7, size=9, width=4)
    >>> maze.moves, maze.play(1).player
    ((3, 1, -1, -3), <Player.O: 'O'>)
    """

    seed: int
    size: int
    width: int
    room: int = 0
    player: Player = Player.X

    compiled: ClassVar[IntegerRules] = IntegerRules(
        pack=lambda state: state.packed(),
        menu=menu_at,
        count=count_of,
        pick=pick_from,
        key=key_at,
        keys=256,
        play=after,
        side=side_at,
        winner=winner_at,
    )

    def packed(self) -> Place:
        """Return the position of the rules."""
        turn = 0 if self.player is Player.X else 1
        return Place(self.seed, self.size, self.width, self.room, turn)

    def key(self, move: int) -> int:
        """Return the key of a move."""
        return key_at(self, move)

    @property
    def moves(self) -> tuple[int, ...]:
        """The legal moves."""
        menu = menu_at(self)  # a menu does not depend on the side
        return (PASS,) if menu == PASSING else tuple(range(3, 3 - 2 * menu, -2))

    @property
    def over(self) -> bool:
        """True if the last room is reached or passed."""
        return self.room >= self.size

    @property
    def winner(self) -> Player | None:
        """The winner; `None` for a draw."""
        return (Player.X, Player.O, None)[winner_at(self.packed())] if self.over else None

    def play(self, move: int, /) -> Maze:
        """Return the state after `move`.

        :raises IllegalMoveError: it is not one of `moves`.
        """
        if move not in self.moves:
            raise illegal(self, move)
        there = after(self.packed(), move)
        return Maze(self.seed, self.size, self.width, there.room, SIDES[there.turn])
