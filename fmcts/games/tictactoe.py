"""Tic-tac-toe: three in a row on 3 by 3 cells. A move is a cell, 0 to 8 in reading order."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final, Self

import attrs
from returns.result import Failure, Result

from fmcts.game import Player, illegal, whole_move
from fmcts.games import boards
from fmcts.games._printing import Printed
from fmcts.games._rules import tictactoe as rules
from fmcts.games._rules.tictactoe import FULL, has_line
from fmcts.rules import IntegerRules

__all__ = ['TicTacToe', 'format', 'format_move', 'name', 'parse', 'parse_move', 'start']

name: Final = 'tictactoe'

X, O = Player  # noqa: E741 - the player's name

# There are only 512 sets of cells, so the rules' answers are tabulated.
WIN = tuple(has_line(stones) for stones in range(512))
FREE = tuple(tuple(c for c in range(9) if not occupied >> c & 1) for occupied in range(512))
FREE_BITS = tuple(tuple(1 << cell for cell in cells) for cells in FREE)
TURN = tuple((O if len(cells) % 2 == 0 else X) for cells in FREE)
STONE = {cell: 1 << cell for cell in range(9)}


@attrs.frozen(repr=False)
class TicTacToe(Printed):
    """A position: the cells of `x` and of `o`, bit n for cell n.

    The fields are not checked; use `parse` for boards that may be impossible.
    """

    x: int = 0
    o: int = 0

    compiled: ClassVar[IntegerRules]
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
        if kind is TicTacToe:
            return kind(x, o)
        return attrs.evolve(self, x=x, o=o)

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


def _pack(state: TicTacToe) -> rules.Position:
    if TURN[state.x | state.o] is X:
        return rules.Position(state.x, state.o)
    return rules.Position(state.o, state.x)


TicTacToe.compiled = IntegerRules(
    pack=_pack, menu=rules.menu, play=rules.play, side=rules.side, winner=rules.winner, keys=9
)

start: Final = TicTacToe()

LAYOUT = boards.Layout(rows=3, columns=3, cell_name='cell {}'.format)


def parse(text: str) -> Result[TicTacToe, str]:
    """Return the position written in `text`: three rows, or nine cells on one line.

    >>> parse('XO.......').map(lambda state: state.moves)
    <Success: (2, 3, 4, 5, 6, 7, 8)>
    >>> parse('XXX......').failure()
    'the board has 3 X and 0 O: expected as many X as O, or one X more, since X begins'
    """
    return boards.read_grid(text, LAYOUT).bind(boards.check_turns).bind(_position)


def _position(grid: boards.Grid) -> Result[TicTacToe, str]:
    state = TicTacToe(grid.stones('X'), grid.stones('O'))
    last = state.player.other
    if WIN[state.o if last is Player.X else state.x]:
        return Failure(
            f'{last.other} has three in a row although {last} moved last: '
            'expected the game to have ended there'
        )
    return boards.check_ending(grid, (boards.standing(state), str(state.player))).map(
        lambda _: state
    )


def format(state: TicTacToe) -> str:  # noqa: A001 - the library's name for the inverse of parse
    """Return the position as text, which `parse` reads back.

    >>> print(format(start.play(4)), end='')
    . . .
    . X .
    . . .
    O to move
    """
    cells = ''.join('X' if state.x >> c & 1 else 'O' if state.o >> c & 1 else '.' for c in range(9))
    return f'{boards.write_rows(cells, LAYOUT)}{boards.standing(state)}\n'


MOVE_NAMES = tuple(map(str, range(9)))


def parse_move(text: str) -> Result[int, str]:
    """Return the cell that `text` names.

    >>> parse_move('9').failure()
    "unknown cell '9': expected a number from 0 to 8"
    """
    return boards.read_name(text, MOVE_NAMES, 'cell', 'a number from 0 to 8')


def format_move(move: int) -> str:
    """Return the cell as text, which `parse_move` reads back.

    :raises ValueError: there is no such cell.
    """
    return boards.named(move, MOVE_NAMES)
