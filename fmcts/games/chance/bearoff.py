"""The end of backgammon: both sides bear their checkers off, out of each other's way.

Two dice are rolled, and each is played once, doubles four times. A die moves a checker down so many
points, or takes one off; a die that is too high takes off the highest. Who is done first wins.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from attrs import evolve, frozen

from fmcts.bits import popcount
from fmcts.errors import GameError
from fmcts.game import Player, illegal
from fmcts.games._printing import Pictured
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


class Options(NamedTuple):
    """A menu: its number of moves, and what `_pick` needs to find one.

    Dice of 0 say that move number `index` is `index`: a roll, or the empty home.
    """

    number: int
    home: int
    high: int
    low: int
    ways: int


POINTS: Final = 6
DOUBLE: Final = 4  # plays of a double
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


def _can(home: int, point: int, die: int) -> bool:
    """Return whether a die may be played from a point."""
    here = BITS * (POINTS - point)
    return home >> here & MOST != 0 and (point >= die or home & (1 << here) - 1 == 0)


def _gain(point: int, die: int) -> int:
    """Return the change of a home when a die is played from a point."""
    here = 1 << BITS * (POINTS - point)
    return (here << BITS * die) - here if point > die else -here


def _possible(home: int, high: int, low: int, a: int, b: int) -> bool:
    """Return whether the higher die may be played from point `a` and the lower one from `b`."""
    return (_can(home, a, high) and _can(home + _gain(a, high), b, low)) or (
        _can(home, b, low) and _can(home + _gain(b, low), a, high)
    )


def _ways(home: int, high: int, low: int) -> int:
    """Return the ways to play two different dice as bits, one for each home after them.

    Way 6a + b plays the higher die from point a + 1 and the lower one from b + 1. Two ways have the
    same result if they play both dice with one checker, or take off two with either die.
    """
    ways = 0
    for way in range(POINTS * POINTS):
        a, b = way // POINTS + 1, way % POINTS + 1
        if _possible(home, high, low, a, b):
            other_a, other_b = (a - low, a) if b == a - high else (b, a)
            same = b == a - high or b < a <= low
            if not (same and _possible(home, high, low, other_a, other_b)):
                ways |= 1 << way
    return ways


def _by_two(menu: Options, above: int) -> int:
    """Return the smallest home above a number that two different dice lead to."""
    found = 1 << BITS * POINTS
    for way in range(POINTS * POINTS):
        if menu.ways >> way & 1:
            a, b = way // POINTS + 1, way % POINTS + 1
            after = menu.home + _gain(a, menu.high) + _gain(b, menu.low)
            if above < after < found:
                found = after
    return found


def _by_double(home: int, die: int, above: int) -> tuple[int, int]:
    """Return how many homes above a number a double leads to, and the smallest of them.

    Each home is reached in one way if the dice are played from high points first. That reaches all:
    a checker that may move after a lower one may move before it.
    """
    number, found = 0, 1 << BITS * POINTS
    for a in range(1, POINTS + 1):
        if not _can(home, a, die):
            continue
        one = home + _gain(a, die)
        for b in range(1, a + 1):
            if not _can(one, b, die):
                continue
            two = one + _gain(b, die)
            for c in range(1, b + 1):
                if not _can(two, c, die):
                    continue
                three = two + _gain(c, die)
                for d in range(1, c + 1):
                    if _can(three, d, die):
                        after = three + _gain(d, die)
                        number += int(after > above)
                        found = min(found, after) if after > above else found
    return number, found


def _plays_left(home: int, die: int) -> int:
    """Return how many plays of a die take off all checkers, in whatever order."""
    plays = 0
    for point in range(1, POINTS + 1):
        plays += (home >> BITS * (POINTS - point) & MOST) * ((point + die - 1) // die)
    return plays


def _menu(position: Homes) -> Options:
    home, high, low = position.x if position.side == X else position.o, position.high, position.low
    if position.x == 0 or position.o == 0:
        return Options(0, 0, 0, 0, 0)
    if high == 0:
        return Options(len(HIGH), 0, 0, 0, 0)
    if high == low:
        if _plays_left(home, high) <= DOUBLE:
            return Options(1, 0, 0, 0, 0)
        return Options(_by_double(home, high, -1)[0], home, high, low, 0)
    if _plays_left(home, high) == 1:
        return Options(1, 0, 0, 0, 0)
    ways = _ways(home, high, low)
    return Options(popcount(ways), home, high, low, ways)


def _count(menu: Options) -> int:
    return menu.number


def _pick(menu: Options, index: int) -> int:
    if menu.high == 0:
        return index
    move = -1
    for _ in range(index + 1):
        if menu.high == menu.low:
            move = _by_double(menu.home, menu.high, move)[1]
        else:
            move = _by_two(menu, move)
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
class BearOff(Pictured):
    """A position: both homes, and the dice (`()`: to be rolled). A move is the home after it."""

    x: Home
    o: Home
    player: Player = Player.X
    dice: tuple[int, ...] = ()
    compiled = IntegerRules(
        pack=_pack,
        menu=_menu,
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
        """The 21 rolls; two different dice have the weight 2."""
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
