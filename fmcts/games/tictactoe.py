"""Tic-tac-toe: three in a row on 3 by 3 cells. A move is a cell, 0 to 8 in reading order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final, Self

from attrs import evolve, frozen
from returns.result import Result

from fmcts.game import Player, illegal, whole_move
from fmcts.games import boards
from fmcts.games._printing import Printed
from fmcts.games.families.mnk import in_one_word
from fmcts.rules import DRAW, IntegerRules

__all__ = ['TicTacToe', 'format', 'format_move', 'name', 'parse', 'parse_move', 'start']

name: Final = 'tictactoe'
noun: Final = 'cell'  # what a move is called

X, O = Player  # noqa: E741 - the player's name

NAMES: Final = tuple('012345678')
EMPTY, BOARD = in_one_word(3, 3, 3, boards.Layout(3, 3, NAMES))

# There are only 512 sets of cells, so what `TicTacToe` needs for Python's speed is tabulated.
FULL: Final = 511
WIN = tuple(BOARD.rules.winner(EMPTY._replace(theirs=stones)) != DRAW for stones in range(512))
FREE = tuple(tuple(c for c in range(9) if not occupied >> c & 1) for occupied in range(512))
FREE_BITS = tuple(tuple(1 << cell for cell in cells) for cells in FREE)
TURN = tuple((O if len(cells) % 2 == 0 else X) for cells in FREE)
STONE = {cell: 1 << cell for cell in range(9)}


def _pack(state: TicTacToe) -> Any:
    x, o = state.x, state.o
    return EMPTY._make((x, o) if TURN[x | o] is X else (o, x))


@frozen(repr=False)
class TicTacToe(Printed):
    """A position: the cells of `x` and of `o`, bit n for cell n.

    The fields are not checked; use `parse` for boards that may be impossible.
    """

    x: int = 0
    o: int = 0

    compiled: ClassVar[IntegerRules] = evolve(BOARD.rules, pack=_pack)
    longest_game: ClassVar[int] = 9

    @property
    def player(self) -> Player:
        """The side to move."""
        return TURN[self.x | self.o]

    @property
    def moves(self) -> tuple[int, ...]:
        """The empty cells in ascending order; `()` when the game is over."""
        return () if WIN[self.x] or WIN[self.o] else FREE[self.x | self.o]

    @property
    def over(self) -> bool:
        """True if a side has three in a row or the board is full."""
        return WIN[self.x] or WIN[self.o] or self.x | self.o == FULL

    @property
    def winner(self) -> Player | None:
        """The side with three in a row, if any."""
        if WIN[self.x]:
            return X
        return O if WIN[self.o] else None

    def play(self, move: int, /) -> Self:
        """Return the position after a stone on cell `move`, of the same class.

        :raises IllegalMoveError: `move` is not one of `moves`.
        """
        if type(move) is not int:
            move = whole_move(self, move)
        x, o = self.x, self.o
        if WIN[x] or WIN[o] or move not in FREE[x | o]:
            raise illegal(self, move)
        if TURN[x | o] is X:
            x |= STONE[move]
        else:
            o |= STONE[move]
        kind = type(self)
        return kind(x, o) if kind is TicTacToe else evolve(self, x=x, o=o)

    def playout(self, draw: Callable[[int], int]) -> Player | None:
        """Return the winner of a uniformly random game from here; `None` for a draw.

        :param draw: `draw(n)` gives an index below n; called once a ply, for `moves[index]`.
        """
        if WIN[self.x] or WIN[self.o]:
            return self.winner
        mine, theirs = self.x, self.o
        occupied = mine | theirs
        if TURN[occupied] is O:
            mine, theirs = theirs, mine
        while occupied != FULL:
            cells = FREE_BITS[occupied]
            mine |= cells[draw(len(cells))]
            if WIN[mine]:
                return TURN[occupied]
            occupied = mine | theirs
            mine, theirs = theirs, mine
        return None


start: Final = TicTacToe()


def parse(text: str) -> Result[TicTacToe, str]:
    """Return the position written in `text`: three rows, or nine cells on one line.

    >>> parse('XO.......').map(lambda state: state.moves)
    <Success: (2, 3, 4, 5, 6, 7, 8)>
    >>> parse('XXX......').failure()
    'the board has 3 X and 0 O: expected as many X as O, or one X more, since X begins'
    """
    return BOARD.read(text).map(lambda it: TicTacToe(*(it[::-1] if BOARD.rules.side(it) else it)))


def format(state: TicTacToe) -> str:  # noqa: A001 - the library's name for the inverse of parse
    """Return the position as text, which `parse` reads back.

    >>> print(format(start.play(4)), end='')
    . . .
    . X .
    . . .
    O to move
    """
    return BOARD.write(_pack(state))


def parse_move(text: str) -> Result[int, str]:
    """Return the cell that `text` names.

    >>> parse_move('9').failure()
    "unknown cell '9': expected a number from 0 to 8"
    """
    return boards.read_name(text, NAMES, 'cell', 'a number from 0 to 8')


def format_move(move: int) -> str:
    """Return the cell as text, which `parse_move` reads back.

    :raises ValueError: there is no such cell.
    """
    return boards.named(move, NAMES)
