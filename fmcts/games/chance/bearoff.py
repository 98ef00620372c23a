"""The end of backgammon: both sides bear their checkers off, out of each other's way.

Two dice are rolled, and each is played once, doubles four times. A die moves a checker down so many
points, or takes one off; a die that is too high takes off the highest. Who is done first wins.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from attrs import evolve, frozen

from fmcts.game import Player, illegal
from fmcts.games._printing import Pictured

__all__ = ['BearOff', 'start']

Home = tuple[int, ...]
"""The numbers of checkers on the points 1 to 6."""

ROLLS: Final = tuple(
    ((high, low), 1 if high == low else 2) for high in range(1, 7) for low in range(1, high + 1)
)


@frozen
class BearOff(Pictured):
    """A position: both homes, and the dice (`()`: to be rolled). A move is the home after it."""

    x: Home
    o: Home
    player: Player = Player.X
    dice: tuple[int, ...] = ()

    @property
    def chances(self) -> tuple[tuple[tuple[int, int], int], ...]:
        """The 21 rolls, those of two different dice with the weight 2."""
        return () if self.dice or self.over else ROLLS

    @property
    def moves(self) -> tuple[Home, ...]:
        """The homes that the dice lead to, those with the fewest checkers on low points first."""
        if not self.dice or self.over:
            return ()
        return _after(self.x if self.player is Player.X else self.o, self.dice)

    @property
    def over(self) -> bool:
        """True if a side has no checkers left."""
        return not (any(self.x) and any(self.o))

    @property
    def winner(self) -> Player | None:
        """That side."""
        if not self.over:
            return None
        return Player.O if any(self.x) else Player.X

    def play(self, move: Any) -> BearOff:
        """Return the position after a move, or after a roll.

        :raises IllegalMoveError: it is neither.
        """
        if self.chances:
            if move not in [roll for roll, _ in ROLLS]:
                raise illegal(self, move)
            return evolve(self, dice=move)
        if move not in self.moves:
            raise illegal(self, move)
        if self.player is Player.X:
            return evolve(self, x=move, player=Player.O, dice=())
        return evolve(self, o=move, player=Player.X, dice=())

    def __str__(self) -> str:
        """Return both homes and the dice."""
        homes = f'X {" ".join(map(str, self.x))}  O {" ".join(map(str, self.o))}'
        return f'{homes}  dice {self.dice[0]}-{self.dice[1]}' if self.dice else homes


@lru_cache(maxsize=1 << 14)  # a pure function of small values
def _after(home: Home, dice: tuple[int, ...]) -> tuple[Home, ...]:
    high, low = dice
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    found: set[Home] = set()
    for order in orders:
        homes = {home}
        for die in order:
            homes = {after for before in homes for after in _by_die(before, die)}
        found |= homes
    return tuple(sorted(found))


def _by_die(home: Home, die: int) -> list[Home]:
    """Return the homes after one die; the same home where no checker is left."""
    if not any(home):
        return [home]
    highest = max(point for point in range(1, 7) if home[point - 1])
    found = []
    for point in range(1, 7):
        if home[point - 1] and (point >= die or (highest < die and point == highest)):
            after = list(home)
            after[point - 1] -= 1
            if point > die:
                after[point - die - 1] += 1
            found.append(tuple(after))
    return found


def start(checkers: int = 6) -> BearOff:
    """Return the start with this number of checkers a side, spread from point 6 down.

    :raises ValueError: they are not 1 to 15.
    """
    if not 1 <= checkers <= 15:
        raise ValueError(f'checkers of a side: expected 1 to 15, not {checkers}')
    home = tuple(
        sum(1 for number in range(checkers) if 6 - number % 6 == point) for point in range(1, 7)
    )
    return BearOff(home, home)
