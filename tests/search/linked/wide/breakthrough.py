"""Breakthrough on 8 by 8 squares: a list of moves from squares in directions, and no menu.

X stands on the first two rows and goes up, O on the last two and goes down: one square straight
ahead if it is empty, or one aslant unless a man of one's own stands there, who is taken. Whoever
reaches the last row, or takes all men, wins. (D. Troyka, 2000.)

A move is a step, -1 (to lower columns), 0 or 1, and the square from which it is made; moves stand
in the order of steps, then squares.
"""

from typing import ClassVar, NamedTuple

from attrs import frozen

from fmcts import Player
from fmcts.bits import nth_bit, popcount
from fmcts.game import illegal
from fmcts.rules import IntegerRules, O, X


@frozen
class Breakthrough:
    """The 64 squares as letters, from X's row on, and the side to move."""

    squares: str = 16 * 'X' + 32 * '.' + 16 * 'O'
    player: Player = Player.X

    compiled: ClassVar[IntegerRules]

    @property
    def winner(self):
        if 'X' in self.squares[-8:] or 'O' not in self.squares:
            return Player.X
        if 'O' in self.squares[:8] or 'X' not in self.squares:
            return Player.O
        return None

    @property
    def over(self):
        return self.winner is not None

    @property
    def moves(self):
        if self.over:
            return ()
        return tuple(
            (step, square) for step in (-1, 0, 1) for square in range(64) if self.may(step, square)
        )

    def may(self, step, square):
        """Whether the mover's man on that square may make that step."""
        if self.squares[square] != self.player.name or not 0 <= square % 8 + step < 8:
            return False
        there = self.squares[self.target(step, square)]
        return there == '.' or (step != 0 and there == self.player.other.name)

    def target(self, step, square):
        return square + step + (8 if self.player is Player.X else -8)

    def play(self, move):
        if move not in self.moves:
            raise illegal(self, move)
        step, square = move
        squares = [*self.squares]
        squares[square], squares[self.target(step, square)] = '.', squares[square]
        return type(self)(''.join(squares), self.player.other)

    def key(self, move):
        step, square = move
        return 64 * (step + 1) + square


# ---- the rules on integers: bit n of a set of men is square n; a move is 64 * (step + 1) + square


class Position(NamedTuple):
    x: int
    o: int
    turn: int


FIRST_ROW, LAST_ROW = 0xFF, 0xFF << 56
NOT_LAST_ROW = 0x00FF_FFFF_FFFF_FFFF  # so that no right shift brings in ones that stay
NOT_LEFT, NOT_RIGHT = 0xFEFE_FEFE_FEFE_FEFE, 0x7F7F_7F7F_7F7F_7F7F


def pack(state):
    sets = (
        sum(1 << square for square in range(64) if state.squares[square] == name) for name in 'XO'
    )
    return Position(*sets, X if state.player is Player.X else O)


def able(position, step):
    """The men of the side to move that may make a step."""
    x, o, turn = position
    mine = x if turn == X else o
    able = mine & NOT_LEFT if step < 0 else mine & NOT_RIGHT if step > 0 else mine
    open_to = ~(x | o) if step == 0 else ~mine
    if turn == X:
        return able & open_to >> 8 + step & NOT_LAST_ROW
    return able & open_to << 8 - step


def count(position):
    if winner(position) != 2:
        return 0
    return popcount(able(position, -1)) + popcount(able(position, 0)) + popcount(able(position, 1))


def pick(position, index):
    for step in range(-1, 2):
        men = able(position, step)
        if index < popcount(men):
            return 64 * (step + 1) + nth_bit(men, index)
        index -= popcount(men)
    return -1


def play(position, move):
    x, o, turn = position
    square, step = move % 64, move // 64 - 1
    if turn == X:
        target = 1 << square + 8 + step
        return Position(x ^ 1 << square | target, o & ~target, O)
    target = 1 << square - 8 + step
    return Position(x & ~target, o ^ 1 << square | target, X)


def winner(position):
    """X, O, or 2 while nobody has won."""
    if position.x & LAST_ROW != 0 or position.o == 0:
        return X
    if position.o & FIRST_ROW != 0 or position.x == 0:
        return O
    return 2


Breakthrough.compiled = IntegerRules(
    pack=pack,
    count=count,
    pick=pick,
    play=play,
    side=lambda position: position.turn,
    winner=winner,
    keys=192,
)
