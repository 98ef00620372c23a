"""Can't Stop (S. Sackson, 1980), for two: climb columns by sums of dice, and stop in time.

Four dice are rolled and put into two pairs. The sum of a pair moves a runner up its column; there
are three runners, and if both sums can move one, both do. Then the player rolls again, or stops and
keeps what the runners have climbed. A roll that moves no runner ends the turn and loses that. A
column which somebody has climbed to the top is closed. Who has climbed `goal` columns, usually
three, wins.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, Final, NamedTuple

from attrs import frozen

from fmcts.game import Player, illegal
from fmcts.games._printing import Pictured
from fmcts.rules import IntegerRules, O, X, side_of

__all__ = ['CantStop', 'start']

COLUMNS: Final = range(2, 13)
TOPS: Final = {column: 13 - 2 * abs(7 - column) for column in COLUMNS}
RUNNERS: Final = 3

Dice = tuple[int, int, int, int]
Columns = tuple[int, ...]


def _ways(dice: Columns) -> int:
    """Return in how many ways four dice show these faces."""
    return factorial(len(dice)) // prod(map(factorial, Counter(dice).values()))


ROLLS: Final = tuple((dice, _ways(dice)) for dice in combinations_with_replacement(range(1, 7), 4))
WEIGHTS: Final = dict(ROLLS)


# ---- rules on integers: the moves are STOP and ROLL, or columns as 16 * first + second ----


class Climb(NamedTuple):
    """A position as integers: four bits for the height in each column from 2 on.

    `runners` has the heights of runners, 0 where there is none. `dice` is the roll, a bit longer
    than its four faces of three bits; 1 says that dice are rolled now, and 0 that there are none.
    """

    goal: int
    x: int
    o: int
    runners: int
    side: int
    dice: int


class Choices(NamedTuple):
    """A menu: how many moves, what they are, and for each way to make pairs one or two of them."""

    number: int
    kind: int
    first: int
    second: int
    third: int


ROLL: Final = 0
STOP: Final = 1
PLAIN, ROLLED, PAIRED = range(3)  # kinds of a menu: STOP, ROLL and STOP; rolls; columns
HEIGHT: Final = 15
ANY: Final = 1 << 8  # above every move


def _heights(columns: Columns) -> int:
    return sum(height << 4 * at for at, height in enumerate(columns))


def _pack(state: CantStop) -> Climb:
    dice = sum(face << 3 * at for at, face in enumerate(state.dice)) << 1
    return Climb(
        state.goal,
        *(_heights(state.x), _heights(state.o)),
        sum(height << 4 * (column - 2) for column, height in state.runners),
        side_of(state.player),
        dice or int(state.rolling),
    )


def _top(column: int) -> int:
    return 13 - 2 * abs(7 - column)


def _at(heights: int, column: int) -> int:
    return heights >> 4 * (column - 2) & HEIGHT


def _number_climbed(heights: int) -> int:
    number = 0
    for column in range(2, 13):
        number += int(_at(heights, column) == _top(column))
    return number


def _number_running(runners: int) -> int:
    number = 0
    for column in range(2, 13):
        number += int(_at(runners, column) > 0)
    return number


def _kept(mine: int, runners: int) -> int:
    """Return the heights of a side that stops."""
    for column in range(2, 13):
        if _at(runners, column):
            mine += _at(runners, column) - _at(mine, column) << 4 * (column - 2)
    return mine


def _up(position: Climb, runners: int, column: int) -> int:
    """Return the runners after a step in a column, -1 if there is none."""
    top, at = _top(column), _at(runners, column)
    if _at(position.x, column) == top or _at(position.o, column) == top or at == top:
        return -1
    if at > 0:
        return runners + (1 << 4 * (column - 2))
    if _number_running(runners) == RUNNERS:
        return -1
    mine = position.x if position.side == X else position.o
    return runners + (_at(mine, column) + 1 << 4 * (column - 2))


def _paired(position: Climb, one: int, two: int) -> int:
    """Return the moves for a pair of sums: eight bits for each, 0 if there is none."""
    lower, higher = min(one, two), max(one, two)
    first, second = _up(position, position.runners, lower), _up(position, position.runners, higher)
    if first >= 0 and _up(position, first, higher) >= 0:
        return 16 * lower + higher
    if first >= 0 and second >= 0 and lower != higher:
        return 16 * lower | 16 * higher << 8
    return 16 * lower if first >= 0 else 16 * higher if second >= 0 else 0


def _choices_of(position: Climb, dice: int) -> Choices:
    a, b, c, d = dice >> 1 & 7, dice >> 4 & 7, dice >> 7 & 7, dice >> 10 & 7
    first = _paired(position, a + b, c + d)
    second = _paired(position, a + c, b + d)
    third = _paired(position, a + d, b + c)
    number, move = 0, _above(first, second, third, 0)
    while move < ANY:
        number += 1
        move = _above(first, second, third, move)
    return Choices(number, PAIRED, first, second, third)


def _above(first: int, second: int, third: int, move: int) -> int:
    """Return the smallest move above a number, `ANY` if there is none."""
    found = ANY
    for pair in (first, second, third):
        for choice in (pair & 255, pair >> 8):
            if move < choice < found:
                found = choice
    return found


def _menu(position: Climb) -> Choices:
    if position.dice == 1:
        return Choices(len(ROLLS), ROLLED, 0, 0, 0)
    if position.dice:
        return _choices_of(position, position.dice)
    if _won(position) >= 0:
        return Choices(0, PLAIN, 0, 0, 0)
    if position.runners == 0:
        return Choices(1, PLAIN, ROLL, 0, 0)
    mine = position.x if position.side == X else position.o
    if _number_climbed(_kept(mine, position.runners)) >= position.goal:
        return Choices(1, PLAIN, STOP, 0, 0)
    return Choices(2, PLAIN, ROLL, STOP, 0)


def _number(menu: Choices) -> int:
    return menu.number


def _roll(index: int) -> int:
    """Return the roll at an index, as in a position: faces ascend, the first one slowest."""
    roll, least = 0, 1
    for at in range(4):
        face = least
        while True:  # rolls of the later dice, whose faces are at least this one
            kinds, dice = 7 - face, 3 - at
            rolls = 1
            for each in range(dice):
                rolls = rolls * (kinds + each) // (each + 1)
            if index < rolls:
                break
            index -= rolls
            face += 1
        roll |= face << 3 * at
        least = face
    return roll << 1


def _pick(menu: Choices, index: int) -> int:
    if menu.kind == ROLLED:
        return _roll(index)
    if menu.kind == PLAIN:
        return menu.second if index else menu.first
    move = 0
    for _ in range(index + 1):
        move = _above(menu.first, menu.second, menu.third, move)
    return move


def _play(position: Climb, move: int) -> Climb:
    goal, x, o, runners, side, dice = position
    if dice == 1:
        if _choices_of(position, move).number == 0:
            return Climb(goal, x, o, 0, 1 - side, 0)
        return Climb(goal, x, o, runners, side, move)
    if dice:
        for column in (move >> 4, move & HEIGHT):
            if column:
                runners = _up(position, runners, column)
        return Climb(goal, x, o, runners, side, 0)
    if move == ROLL:
        return Climb(goal, x, o, runners, side, 1)
    if side == X:
        return Climb(goal, _kept(x, runners), o, 0, O, 0)
    return Climb(goal, x, _kept(o, runners), 0, X, 0)


def _chances(position: Climb) -> int:
    return 1296 if position.dice == 1 else 0


def _weight(_position: Climb, roll: int) -> int:
    """Return in how many ways four dice show these faces, which ascend."""
    weight, run = 24, 1
    for at in range(1, 4):
        same = roll >> 3 * at + 1 & 7 == roll >> 3 * at - 2 & 7
        run = run + 1 if same else 1
        weight //= run
    return weight


def _side(position: Climb) -> int:
    return position.side


def _won(position: Climb) -> int:
    if _number_climbed(position.x) >= position.goal:
        return X
    return O if _number_climbed(position.o) >= position.goal else -1


@frozen
class CantStop(Pictured):
    """A position: how far X and O have climbed each column from 2 to 12, and the runners.

    `runners` are the columns that have one, each with its height; `dice` were rolled, and `rolling`
    says that they will be. A move is `roll`, `stop`, or after a roll the columns in which runners
    move.
    """

    goal: int = 3
    x: Columns = (0,) * len(COLUMNS)
    o: Columns = (0,) * len(COLUMNS)
    runners: tuple[tuple[int, int], ...] = ()
    player: Player = Player.X
    dice: Dice | tuple[()] = ()
    rolling: bool = False
    compiled = IntegerRules(
        pack=_pack,
        menu=_menu,
        count=_number,
        pick=_pick,
        play=_play,
        side=_side,
        winner=_won,
        chances=_chances,
        weight=_weight,
    )

    @property
    def chances(self) -> tuple[tuple[Dice, int], ...]:
        """The 126 rolls, in ascending order of faces, of 1,296 in all; after `roll`."""
        return ROLLS if self.rolling else ()

    @property
    def mine(self) -> Columns:
        """How far the side to move has climbed each column."""
        return self.x if self.player is Player.X else self.o

    @property
    def moves(self) -> tuple[Any, ...]:
        """The ways to move runners after a roll; else `roll`, and `stop` once one has moved.

        It is `stop` alone when the runners win.
        """
        if self.rolling or self.over:
            return ()
        if self.dice:
            return self._choices(self.dice)
        if not self.runners:
            return ('roll',)
        return ('stop',) if _climbed(self._stopped()) >= self.goal else ('roll', 'stop')

    @property
    def over(self) -> bool:
        """True if a side has climbed enough columns."""
        return self.winner is not None

    @property
    def winner(self) -> Player | None:
        """That side."""
        if _climbed(self.x) >= self.goal:
            return Player.X
        return Player.O if _climbed(self.o) >= self.goal else None

    def play(self, move: Any) -> CantStop:
        """Return the position after a move or a roll.

        :raises IllegalMoveError: it is neither.
        """
        if self.rolling:
            if move not in WEIGHTS:
                raise illegal(self, move)
            if not self._choices(move):
                return self._next(self.x, self.o)
            return CantStop(self.goal, self.x, self.o, self.runners, self.player, move)
        if move not in self.moves:
            raise illegal(self, move)
        if move == 'roll':
            return CantStop(self.goal, self.x, self.o, self.runners, self.player, (), rolling=True)
        if move == 'stop':
            mine = self._stopped()
            return self._next(*((mine, self.o) if self.player is Player.X else (self.x, mine)))
        heights = dict(self.runners)
        for column in move:
            heights[column] = heights.get(column, self.mine[column - 2]) + 1
        runners = tuple(sorted(heights.items()))
        return CantStop(self.goal, self.x, self.o, runners, self.player)

    def _choices(self, dice: Columns) -> tuple[Columns, ...]:
        heights = dict(self.runners)
        left = tuple(
            0 if top in (x, o) else min(2, top - heights.get(column, mine))
            for column, top, x, o, mine in zip(
                COLUMNS, TOPS.values(), self.x, self.o, self.mine, strict=True
            )
        )
        return _choices(left, tuple(heights), dice)

    def _next(self, x: Columns, o: Columns) -> CantStop:
        return CantStop(self.goal, x, o, (), self.player.other)

    def _stopped(self) -> Columns:
        """Return how far the side to move has climbed if it stops."""
        heights = dict(self.runners)
        return tuple(heights.get(column, self.mine[column - 2]) for column in COLUMNS)

    def __str__(self) -> str:
        """Return a line for the columns, their tops, each side and the runners."""
        heights = dict(self.runners)
        rows = {
            'column': COLUMNS,
            'top': TOPS.values(),
            'X': self.x,
            'O': self.o,
            'runner': [heights.get(column, 0) for column in COLUMNS],
        }
        lines = [
            f'{name:6}' + ''.join(f'{number or ".":>3}' for number in numbers)
            for name, numbers in rows.items()
        ]
        return '\n'.join(lines) + (f'\ndice {" ".join(map(str, self.dice))}' if self.dice else '')


def _climbed(heights: Columns) -> int:
    """Return the number of columns that are climbed to their tops."""
    return sum(1 for column, height in zip(COLUMNS, heights, strict=True) if height == TOPS[column])


@lru_cache(maxsize=1 << 16)  # a pure function of small values
def _choices(left: Columns, running: Columns, dice: Columns) -> tuple[Columns, ...]:
    """Return the columns in which runners can move, for each way to make pairs of the dice.

    `left` says how many steps are left in each column, and 2 means 2 or more; `running`
    are the columns that have runners.
    """

    def can_climb(column: int, before: int = 0) -> bool:
        taken = {*running, before} if before else {*running}
        room = left[column - 2] - (before == column)
        return room > 0 and (column in taken or len(taken) < RUNNERS)

    one, two, three, four = dice
    found: set[Columns] = set()
    pairs = ((one + two, three + four), (one + three, two + four), (one + four, two + three))
    for pair in pairs:
        if can_climb(pair[0]) and can_climb(pair[1], pair[0]):
            found.add((min(pair), max(pair)))
        else:
            found |= {(column,) for column in pair if can_climb(column)}
    return tuple(sorted(found))


def start(goal: int = 3) -> CantStop:
    """Return the beginning of a game to so many columns.

    :raises ValueError: `goal` is not 1 to 5.
    """
    if not 1 <= goal <= 5:
        raise ValueError(f'columns to climb: expected 1 to 5, not {goal}')
    return CantStop(goal)
