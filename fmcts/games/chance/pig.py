"""Pig, the dice game (J. Scarne, 1945): roll as often as you dare, or hold what you have.

A turn's rolls are added up; a 1 ends the turn and loses them. Who holds with `target` points wins.
With both players at their best the first wins 53.06 % of the games to 100 (T. Neller and
C. Presser, "Optimal play of the dice game Pig", 2004).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from attrs import evolve, frozen

from fmcts.game import Player, illegal
from fmcts.games._printing import Pictured
from fmcts.rules import IntegerRules, O, X, side_of

__all__ = ['Pig', 'start']

FACES: Final = tuple((face, 1) for face in range(1, 7))


# ---- rules on integers: the moves are ROLL and HOLD, and the outcomes the faces of the die ----


class Points(NamedTuple):
    """A position as integers."""

    target: int
    x: int
    o: int
    turn: int
    side: int
    rolling: int


ROLL: Final = 0
HOLD: Final = 1
DIE: Final = sum(1 << face for face, _ in FACES)


def _pack(state: Pig) -> Points:
    x, o = state.points
    return Points(state.target, x, o, state.turn, side_of(state.player), int(state.rolling))


def _menu(position: Points) -> int:
    if position.rolling:
        return DIE
    if position.x >= position.target or position.o >= position.target:
        return 0
    points = position.x if position.side == X else position.o
    if points + position.turn >= position.target:
        return 1 << HOLD
    return 1 << ROLL | 1 << HOLD if position.turn else 1 << ROLL


def _play(position: Points, move: int) -> Points:
    target, x, o, turn, side, rolling = position
    if rolling:
        if move == 1:
            return Points(target, x, o, 0, 1 - side, 0)
        return Points(target, x, o, turn + move, side, 0)
    if move == ROLL:
        return Points(target, x, o, turn, side, 1)
    if side == X:
        return Points(target, x + turn, o, 0, O, 0)
    return Points(target, x, o + turn, 0, X, 0)


def _chances(position: Points) -> int:
    return len(FACES) if position.rolling else 0


def _side(position: Points) -> int:
    return position.side


def _winner(position: Points) -> int:
    return X if position.x >= position.target else O


@frozen
class Pig(Pictured):
    """A position: points won by X and by O, points of this turn, and whether the die rolls."""

    target: int = 100
    points: tuple[int, int] = (0, 0)
    turn: int = 0
    player: Player = Player.X
    rolling: bool = False
    compiled = IntegerRules(
        pack=_pack, menu=_menu, play=_play, side=_side, winner=_winner, chances=_chances
    )

    @property
    def chances(self) -> tuple[tuple[int, int], ...]:
        """The faces of the die, after `roll`."""
        return FACES if self.rolling else ()

    @property
    def moves(self) -> tuple[str, ...]:
        """`roll`, and `hold` once the turn has points; `hold` alone when they are enough."""
        if self.rolling or self.over:
            return ()
        if self.points[0 if self.player is Player.X else 1] + self.turn >= self.target:
            return ('hold',)
        return ('roll', 'hold') if self.turn else ('roll',)

    @property
    def over(self) -> bool:
        """True if a player has reached the target."""
        return max(self.points) >= self.target

    @property
    def winner(self) -> Player | None:
        """The player who has."""
        if not self.over:
            return None
        return Player.X if self.points[0] >= self.target else Player.O

    def play(self, move: Any) -> Pig:
        """Return the position after a move, or after a face of the die.

        :raises IllegalMoveError: it is neither.
        """
        if self.rolling:
            if (move, 1) not in FACES:
                raise illegal(self, move)
            if move == 1:
                return evolve(self, turn=0, rolling=False, player=self.player.other)
            return evolve(self, turn=self.turn + move, rolling=False)
        if move not in self.moves:
            raise illegal(self, move)
        if move == 'roll':
            return evolve(self, rolling=True)
        one, two = self.points
        won = (one + self.turn, two) if self.player is Player.X else (one, two + self.turn)
        return evolve(self, points=won, turn=0, player=self.player.other)

    def __str__(self) -> str:
        """Return the points of both players and of the turn."""
        return f'X {self.points[0]}  O {self.points[1]}  this turn {self.turn}  of {self.target}'


def start(target: int = 100) -> Pig:
    """Return the beginning of a game to `target` points.

    :raises ValueError: `target` is below 2 or above 1,000.
    """
    if not 2 <= target <= 1000:
        raise ValueError(f'the target: expected 2 to 1000 points, not {target}')
    return Pig(target)
