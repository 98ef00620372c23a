"""The end of backgammon: both sides bear their checkers off, out of each other's way.

Two dice are rolled, and each is played once, doubles four times. A die moves a checker down so many
points, or takes one off; a die that is too high takes off the highest. Who is done first wins.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from attrs import evolve, frozen

from fmcts.errors import GameError
from fmcts.game import Player, illegal
from fmcts.rules import IntegerRules, O, X, side_of

__all__ = ['BearOff', 'start']

Home = tuple[int, ...]
"""The numbers of checkers on the points 1 to 6."""

ROLLS: Final = tuple(
    ((high, low), 1 if high == low else 2) for high in range(1, 7) for low in range(1, high + 1)
)


# ---- rules on integers: a move is the home after it, and an outcome the place among ROLLS ----


class Homes(NamedTuple):
    """A position as integers: both homes, five bits a point, point 6 lowest; the dice, or zeros."""

    x: int
    o: int
    side: int
    high: int
    low: int


POINTS: Final = 6
BITS: Final = 5
MOST: Final = (1 << BITS) - 1  # checkers on a point
HIGH: Final = tuple(high for (high, _), _ in ROLLS)
LOW: Final = tuple(low for (_, low), _ in ROLLS)


def _packed(home: Home) -> int:
    if sum(home) > MOST:
        raise GameError(f'a home of BearOff has at most {MOST} checkers, not {sum(home)}')
    return sum(count << BITS * (POINTS - point) for point, count in enumerate(home, 1))


def _pack(state: BearOff) -> Homes:
    return Homes(
        *(_packed(state.x), _packed(state.o)), side_of(state.player), *(state.dice or (0, 0))
    )


def _moved(home: int, point: int, die: int) -> int:
    """Return the home after a die is played from a point, -1 if it cannot be; 0 stays 0."""
    if home == 0:
        return 0
    here = BITS * (POINTS - point)
    if home >> here & MOST == 0 or (point < die and home & (1 << here) - 1):
        return -1
    after = home - (1 << here)
    return after + (1 << here + BITS * die) if point > die else after


def _sooner(one: int, other: int, above: int) -> int:
    """Return the smaller of two homes that are above a number, -1 if there is none."""
    if other <= above or 0 <= one <= other:
        return one
    return other


def _next_of_two(home: int, high: int, low: int, above: int) -> int:
    """Return the smallest home above a number that two different dice lead to, or -1."""
    found = -1
    for point in range(1, POINTS + 1):
        by_high, by_low = _moved(home, point, high), _moved(home, point, low)
        for other in range(1, POINTS + 1):
            if by_high >= 0:
                found = _sooner(found, _moved(by_high, other, low), above)
            if by_low >= 0:
                found = _sooner(found, _moved(by_low, other, high), above)
    return found


def _next_of_double(home: int, die: int, above: int) -> int:
    """Return the smallest home above a number that a double leads to, or -1.

    Moves from high points first reach every home: of two moves in the other order the first was not
    from the highest point, so neither needed to be.
    """
    found = -1
    for a in range(1, POINTS + 1):
        one = _moved(home, a, die)
        if one < 0:
            continue
        for b in range(1, a + 1):
            two = _moved(one, b, die)
            if two < 0:
                continue
            for c in range(1, b + 1):
                three = _moved(two, c, die)
                if three < 0:
                    continue
                for d in range(1, c + 1):
                    found = _sooner(found, _moved(three, d, die), above)
    return found


def _next(position: Homes, above: int) -> int:
    """Return the smallest move above a number, -1 if there is none."""
    home = position.x if position.side == X else position.o
    if position.high == position.low:
        return _next_of_double(home, position.high, above)
    return _next_of_two(home, position.high, position.low, above)


def _count(position: Homes) -> int:
    if position.x == 0 or position.o == 0:
        return 0
    if position.high == 0:
        return len(ROLLS)
    count, move = 0, _next(position, -1)
    while move >= 0:
        count += 1
        move = _next(position, move)
    return count


def _pick(position: Homes, index: int) -> int:
    if position.high == 0:
        return index
    move = _next(position, -1)
    for _ in range(index):
        move = _next(position, move)
    return move


def _play(position: Homes, move: int) -> Homes:
    x, o, side, high, _ = position
    if high == 0:
        return Homes(x, o, side, HIGH[move], LOW[move])
    if side == X:
        return Homes(move, o, O, 0, 0)
    return Homes(x, move, X, 0, 0)


def _chances(position: Homes) -> int:
    return 36 if position.high == 0 and position.x and position.o else 0


def _weight(_position: Homes, outcome: int) -> int:
    return 1 if HIGH[outcome] == LOW[outcome] else 2


def _side(position: Homes) -> int:
    return position.side


def _winner(position: Homes) -> int:
    return O if position.x else X


@frozen
class BearOff:
    """A position: both homes, and the dice (`()`: to be rolled). A move is the home after it."""

    x: Home
    o: Home
    player: Player = Player.X
    dice: tuple[int, ...] = ()
    compiled = IntegerRules(
        pack=_pack,
        count=_count,
        pick=_pick,
        play=_play,
        side=_side,
        winner=_winner,
        chances=_chances,
        weight=_weight,
    )

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
