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
from typing import Any, Final

from attrs import frozen

from fmcts.game import Player, illegal
from fmcts.games._printing import Pictured

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
            kept = self._stopped()
            return self._next(*((kept, self.o) if self.player is Player.X else (self.x, kept)))
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

    `left` says how many steps are left in each column, and at least 2 stands for more; `running`
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
