"""Othello on 8 by 8 squares. A move is a square, 0 (a1, top left) to 63 (h8) by rows, or `PASS`.

A side that cannot move must pass, which is a separate move; the game is over when neither side can
move. The side with more discs then wins. X moves first (Black elsewhere).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from typing import Any, ClassVar, Final, Self

from attrs import evolve, frozen
from returns.result import Result

from fmcts.game import Player, illegal, whole_move
from fmcts.games import boards
from fmcts.games._printing import Printed
from fmcts.games.families.othello import POSITION, board_of, in_one_word, lines
from fmcts.rules import IntegerRules, side_of

__all__ = ['PASS', 'Othello', 'format', 'format_move', 'name', 'parse', 'parse_move', 'start']

name: Final = 'othello'

PASS: Final = 64
SQUARES: Final = range(64)
FULL: Final = (1 << 64) - 1
LINES: Final = lines(8)
BOARD: Final = board_of(8, in_one_word)

# The rules of `BOARD` are made for machine code. In Python it is faster to follow the runs of the
# opponent's discs between a new disc and another one of the mover step by step, all squares at once
# (`mobility`), or from one square (`flips`).


def mobility(mine: int, theirs: int) -> int:
    """Return the squares where the side with the discs `mine` may play."""
    squares = 0
    for step, inside in LINES:
        between = theirs & inside
        run = mine << step & between
        while run:
            run <<= step
            squares |= run
            run &= between
        run = mine >> step & between
        while run:
            run >>= step
            squares |= run
            run &= between
    return squares & (FULL ^ (mine | theirs))


def flips(mine: int, theirs: int, square: int) -> int:
    """Return the discs of `theirs` captured by the side with `mine` playing on `square`."""
    captured = 0
    disc = 1 << square
    for step, inside in LINES:
        between = theirs & inside
        run = disc << step & between
        if run:
            line = run
            run <<= step
            while run & between:
                line |= run
                run <<= step
            if run & mine:
                captured |= line
        run = disc >> step & between
        if run:
            line = run
            run >>= step
            while run & between:
                line |= run
                run >>= step
            if run & mine:
                captured |= line
    return captured


def _pack(state: Othello) -> Any:
    return POSITION(*state._sides(), side_of(state.player))  # noqa: SLF001 - of this module's own class


@frozen(repr=False)
class Othello(Printed):
    """A position: the discs of `x` and of `o`, bit n for square n, and the `player` to move.

    The fields are not checked; use `parse` for boards that may be impossible.
    """

    x: int = 1 << 28 | 1 << 35
    o: int = 1 << 27 | 1 << 36
    player: Player = Player.X

    compiled: ClassVar[IntegerRules] = evolve(BOARD.rules, pack=_pack)
    longest_game: ClassVar[int] = 128  # at most 64 squares to fill, never two passes in a row

    def _sides(self) -> tuple[int, int]:
        """Return the discs of the side to move, and the opponent's."""
        return (self.x, self.o) if self.player is Player.X else (self.o, self.x)

    @property
    def moves(self) -> tuple[int, ...]:
        """The legal squares in ascending order, or `(PASS,)`; `()` when the game is over."""
        mine, theirs = self._sides()
        squares = mobility(mine, theirs)
        if not squares:
            return (PASS,) if mobility(theirs, mine) else ()
        moves = []
        while squares:
            lowest = squares & -squares
            moves.append(lowest.bit_length() - 1)
            squares ^= lowest
        return tuple(moves)

    @property
    def over(self) -> bool:
        """True if neither side can move."""
        return not (mobility(self.x, self.o) or mobility(self.o, self.x))

    @property
    def winner(self) -> Player | None:
        """The side with more discs in a finished game; `None` for a draw, and before the end."""
        lead = self.x.bit_count() - self.o.bit_count()
        if lead == 0 or not self.over:
            return None
        return Player.X if lead > 0 else Player.O

    def play(self, move: int, /) -> Self:
        """Return the position after a disc on square `move`, or after a pass; of the same class.

        :raises IllegalMoveError: `move` is not one of `moves`.
        """
        if type(move) is not int:
            move = whole_move(self, move)
        mine, theirs = self._sides()
        if move in SQUARES:
            # `flips` does not look at the square itself.
            if (self.x | self.o) >> move & 1:
                raise illegal(self, move)
            captured = flips(mine, theirs, move)
            if not captured:
                raise illegal(self, move)
            mine |= captured | 1 << move
            theirs ^= captured
        elif move != PASS or self.moves != (PASS,):
            raise illegal(self, move)
        if self.player is Player.X:
            x, o, player = mine, theirs, Player.O
        else:
            x, o, player = theirs, mine, Player.X
        kind = type(self)
        if kind is Othello:
            return kind(x, o, player)
        return evolve(self, x=x, o=o, player=player)

    def playout(self, draw: Callable[[int], int]) -> Player | None:
        """Return the winner of a uniformly random game from here; `None` for a draw.

        :param draw: `draw(n)` gives an index below n; called once a ply, for `moves[index]`, also
            for a pass (n = 1).
        """
        mine, theirs = self._sides()
        mover, waiting = self.player, self.player.other
        while True:
            squares = mobility(mine, theirs)
            if squares:
                for _ in repeat(None, draw(squares.bit_count())):
                    squares &= squares - 1
                lowest = squares & -squares
                captured = flips(mine, theirs, lowest.bit_length() - 1)
                mine, theirs = theirs ^ captured, mine | captured | lowest
            elif mobility(theirs, mine):
                # A pass draws too: a playout draws once a ply, so that generators stay in step.
                draw(1)
                mine, theirs = theirs, mine
            else:
                lead = mine.bit_count() - theirs.bit_count()
                return None if lead == 0 else mover if lead > 0 else waiting
            mover, waiting = waiting, mover


start: Final = Othello()

NAMES: Final = (*BOARD.layout.cells, 'pass')


def parse(text: str) -> Result[Othello, str]:
    """Return the position written in `text`: eight rows and a line with the side, or one line.

    On one line it is 64 cells, a space and `X` or `O`, perhaps with a `;`, as in `.obf` files.

    >>> parse('-' * 27 + 'OX' + '-' * 6 + 'XO' + '-' * 27 + ' X;').unwrap() == start
    True
    >>> parse('-' * 27 + 'OX' + '-' * 6 + 'XO' + '-' * 27).failure()
    "the side is missing: expected 'X to move' or 'O to move' after the board"
    """
    return BOARD.read(text).map(_unpacked)


def _unpacked(position: Any) -> Othello:
    mine, theirs, turn = position
    return Othello(theirs, mine, Player.O) if turn else Othello(mine, theirs)


def format(state: Othello) -> str:  # noqa: A001 - the library's name for the inverse of parse
    """Return the position as text, which `parse` reads back.

    >>> print(format(start.play(19)), end='')
      a b c d e f g h
    1 . . . . . . . .
    2 . . . . . . . .
    3 . . . X . . . .
    4 . . . X X . . .
    5 . . . X O . . .
    6 . . . . . . . .
    7 . . . . . . . .
    8 . . . . . . . .
    O to move
    """
    return BOARD.write(_pack(state))


def parse_move(text: str) -> Result[int, str]:
    """Return the square, or the pass, that `text` names.

    >>> parse_move('d3'), parse_move('pass')
    (<Success: 19>, <Success: 64>)
    >>> parse_move('i9').failure()
    "unknown square 'i9': expected a column a-h and a row 1-8 such as 'd3', or 'pass'"
    """
    expected = "a column a-h and a row 1-8 such as 'd3', or 'pass'"
    return boards.read_name(text, NAMES, 'square', expected)


def format_move(move: int) -> str:
    """Return the move as text, which `parse_move` reads back.

    >>> format_move(19), format_move(PASS)
    ('d3', 'pass')

    :raises ValueError: there is no such square.
    """
    return boards.named(move, NAMES)
