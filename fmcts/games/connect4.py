"""Connect Four: four in a row, 7 columns by 6 rows. A move is a column, 0 to 6."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final, Self

import attrs
from returns.result import Failure, Result

from fmcts.game import Player, illegal, whole_move
from fmcts.games import boards
from fmcts.games._printing import Printed
from fmcts.games._rules import connect4 as rules
from fmcts.games._rules.connect4 import BOTTOM, FULL, TOP, drop, has_four
from fmcts.games._stones import check_resting
from fmcts.rules import IntegerRules

__all__ = ['Connect4', 'format', 'format_move', 'name', 'parse', 'parse_move', 'start']

name: Final = 'connect4'

# The top row alone determines which columns are open: 128 cases, tabulated.
FILLED = (sum(0b0111111 << 7 * c for c in range(7) if row >> c & 1) for row in range(128))
OPEN = {
    filled & TOP: tuple(column for column in range(7) if drop(filled, column)) for filled in FILLED
}
X, O = Player  # noqa: E741 - an attribute of an enumeration takes longer to read
OPEN_BOTTOMS = {top: tuple(drop(0, column) for column in columns) for top, columns in OPEN.items()}


@attrs.frozen(repr=False)
class Connect4(Printed):
    """A position: the discs of `x` and of `o`, bit 7*c + r for row r (0 at the bottom) of column c.

    The fields are not checked; use `parse` for boards that may be impossible. Only the side that
    moved last is checked for four in a row.
    """

    x: int = 0
    o: int = 0

    compiled: ClassVar[IntegerRules]
    longest_game: ClassVar[int] = 42

    @property
    def player(self) -> Player:
        """The side to move."""
        return O if (self.x | self.o).bit_count() & 1 else X

    @property
    def moves(self) -> tuple[int, ...]:
        """The columns with room in ascending order; `()` when the game is over."""
        occupied = self.x | self.o
        if has_four(self.x if occupied.bit_count() & 1 else self.o):
            return ()
        return OPEN[occupied & TOP]

    @property
    def over(self) -> bool:
        """True if the last player has four in a row or the board is full."""
        occupied = self.x | self.o
        return occupied == FULL or has_four(self.x if occupied.bit_count() & 1 else self.o)

    @property
    def winner(self) -> Player | None:
        """The side with four in a row, if any."""
        last = self.player.other
        return last if has_four(self.x if last is Player.X else self.o) else None

    def play(self, move: int, /) -> Self:
        """Return the position after a disc in column `move`, of the same class.

        :raises IllegalMoveError: `move` is not one of `moves`.
        """
        if type(move) is not int:
            move = whole_move(self, move)
        x, o = self.x, self.o
        occupied = x | o
        by_o = occupied.bit_count() & 1
        if move not in OPEN[occupied & TOP] or has_four(x if by_o else o):  # not one of `moves`
            raise illegal(self, move)
        if by_o:
            o |= drop(occupied, move)
        else:
            x |= drop(occupied, move)
        kind = type(self)
        if kind is Connect4:
            return kind(x, o)
        return attrs.evolve(self, x=x, o=o)

    def key(self, move: int) -> int:
        """Return the cell where a disc in column `move` lands, as the index of its bit."""
        landing = ((self.x | self.o) + BOTTOM) & 0b0111111 << 7 * move  # `drop`, inlined
        return landing.bit_length() - 1

    def playout(self, draw: Callable[[int], int]) -> Player | None:
        """Return the winner of a uniformly random game from here; `None` for a draw.

        :param draw: `draw(n)` gives an index below n; called once a ply, for `moves[index]`.
        """
        occupied = self.x | self.o
        mine, theirs = (self.o, self.x) if occupied.bit_count() & 1 else (self.x, self.o)
        if has_four(theirs):
            return self.winner
        while occupied != FULL:
            bottoms = OPEN_BOTTOMS[occupied & TOP]
            # `drop` and `has_four` are inlined because calls cost more than their bodies; tests
            # compare this loop with them. Adding at the bottom carries into the first empty cell.
            occupied |= occupied + bottoms[draw(len(bottoms))]
            mine = occupied ^ theirs
            across = mine & mine >> 7
            rising = mine & mine >> 8
            falling = mine & mine >> 6
            upward = mine & mine >> 1
            if (
                across & across >> 14
                or rising & rising >> 16
                or falling & falling >> 12
                or upward & upward >> 2
            ):
                return Player.X if occupied.bit_count() & 1 else Player.O
            mine, theirs = theirs, mine
        return None


def _pack(state: Connect4) -> rules.Position:
    x, o = state.x, state.o
    by_o = (x | o).bit_count() & 1
    return rules.Position(o, x) if by_o else rules.Position(x, o)


Connect4.compiled = IntegerRules(
    pack=_pack,
    menu=rules.menu,
    play=rules.play,
    side=rules.side,
    winner=rules.winner,
    winning=rules.winning,
    safe=rules.safe,
    patient=rules.patient,
    keys=48,  # bits: seven per column; the highest is not a cell
)

start: Final = Connect4()


def _cell_name(cell: int) -> str:
    return f'row {cell // 7 + 1}, column {cell % 7}'


LAYOUT = boards.Layout(rows=6, columns=7, cell_name=_cell_name, footer='0 1 2 3 4 5 6')
# The bit of each cell, in reading order: the top row first.
BITS = tuple(1 << 7 * column + row for row in reversed(range(6)) for column in range(7))


def parse(text: str) -> Result[Connect4, str]:
    """Return the position written in `text`: six rows, the top one first, or 42 cells on one line.

    >>> parse('.' * 35 + 'XXXXOOO').map(lambda state: state.winner)
    <Success: X>
    >>> parse('.' * 28 + 'X' + '.' * 13).failure()
    'line 1, row 5, column 0: found X above an empty cell, expected discs to rest on others'
    """
    resting = boards.read_grid(text, LAYOUT).bind(lambda grid: check_resting(grid, 7))
    return resting.bind(boards.check_turns).bind(_position)


def _position(grid: boards.Grid) -> Result[Connect4, str]:
    x, o = (
        sum(bit for bit, found in zip(BITS, grid.cells, strict=True) if found == letter)
        for letter in 'XO'
    )
    state = Connect4(x, o)
    last = state.player.other
    mine, theirs = (x, o) if last is Player.X else (o, x)
    if has_four(theirs):
        return Failure(
            f'{last.other} has four in a row although {last} moved last: '
            'expected the game to have ended there'
        )
    # The last disc is on top of its column; without it there was no four in a row.
    on_top = mine & ~((x | o) >> 1)
    if has_four(mine) and not any(bit & on_top and not has_four(mine ^ bit) for bit in BITS):
        return Failure(
            f'{last} has four in a row that no last disc can have made: expected the game to have '
            'ended there'
        )
    return boards.check_ending(grid, (boards.standing(state), str(state.player))).map(
        lambda _: state
    )


def format(state: Connect4) -> str:  # noqa: A001 - the library's name for the inverse of parse
    """Return the position as text, which `parse` reads back.

    >>> print(format(start.play(3).play(3)), end='')
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . O . . .
    . . . X . . .
    0 1 2 3 4 5 6
    X to move
    """
    cells = ''.join('X' if state.x & bit else 'O' if state.o & bit else '.' for bit in BITS)
    return f'{boards.write_rows(cells, LAYOUT)}{boards.standing(state)}\n'


MOVE_NAMES = tuple(map(str, range(7)))


def parse_move(text: str) -> Result[int, str]:
    """Return the column that `text` names.

    >>> parse_move('7').failure()
    "unknown column '7': expected a number from 0 to 6"
    """
    return boards.read_name(text, MOVE_NAMES, 'column', 'a number from 0 to 6')


def format_move(move: int) -> str:
    """Return the column as text, which `parse_move` reads back.

    :raises ValueError: there is no such column.
    """
    return boards.named(move, MOVE_NAMES)
