"""Connect Four: four in a row, 7 columns by 6 rows. A move is a column, 0 to 6."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final, Self

from attrs import evolve, frozen
from returns.result import Result

from fmcts.game import Player, illegal, whole_move
from fmcts.games import boards
from fmcts.games._printing import Printed
from fmcts.games.families.connect import POSITION, board_of
from fmcts.rules import IntegerRules

__all__ = ['Connect4', 'format', 'format_move', 'name', 'parse', 'parse_move', 'start']

name: Final = 'connect4'
noun: Final = 'column'  # what a move is called

BOARD: Final = board_of(7, 6, 4)
BOTTOM: Final = 0b0000001_0000001_0000001_0000001_0000001_0000001_0000001
FULL: Final = 63 * BOTTOM
TOP: Final = 32 * BOTTOM

# The top row alone determines which columns are open: 128 cases, tabulated.
OPEN = {
    sum(32 << 7 * column for column in full): tuple(c for c in range(7) if c not in full)
    for full in ([c for c in range(7) if row >> c & 1] for row in range(128))
}
OPEN_BOTTOMS = {top: tuple(1 << 7 * column for column in columns) for top, columns in OPEN.items()}
X, O = Player  # noqa: E741 - an attribute of an enumeration takes longer to read


def has_four(stones: int) -> bool:
    """Return whether one player's `stones` contain four in a row.

    >>> has_four(0b0001111), has_four(0b1_0000001_0000001_0000000_0000001)
    (True, False)
    """
    # Two adjacent stones are a pair; two pairs, two steps apart, are four.
    across = stones & stones >> 7
    upward = stones & stones >> 1
    falling = stones & stones >> 6
    rising = stones & stones >> 8
    return (
        across & across >> 14
        | upward & upward >> 2
        | falling & falling >> 12
        | rising & rising >> 16
    ) != 0  # fmt: skip


def _pack(state: Connect4) -> Any:
    x, o = state.x, state.o
    return POSITION(o, x) if (x | o).bit_count() & 1 else POSITION(x, o)


@frozen(repr=False)
class Connect4(Printed):
    """A position: the discs of `x` and of `o`, bit 7*c + r for row r (0 at the bottom) of column c.

    The fields are not checked; use `parse` for boards that may be impossible. Only the side that
    moved last is checked for four in a row.
    """

    x: int = 0
    o: int = 0

    compiled: ClassVar[IntegerRules] = evolve(BOARD.rules, pack=_pack)
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
        # Adding at the bottom of a column carries into its first empty cell.
        if by_o:
            o |= (occupied + BOTTOM) & 0b0111111 << 7 * move
        else:
            x |= (occupied + BOTTOM) & 0b0111111 << 7 * move
        kind = type(self)
        return kind(x, o) if kind is Connect4 else evolve(self, x=x, o=o)

    def key(self, move: int) -> int:
        """Return the cell where a disc in column `move` lands, as the index of its bit."""
        landing = ((self.x | self.o) + BOTTOM) & 0b0111111 << 7 * move
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
            # `has_four` is inlined because a call costs more than its body.
            # Adding carries into the first empty cell, and `|` restores the stones that it cleared.
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


start: Final = Connect4()


def parse(text: str) -> Result[Connect4, str]:
    """Return the position written in `text`: six rows, the top one first, or 42 cells on one line.

    >>> parse('.' * 35 + 'XXXXOOO').map(lambda state: state.winner)
    <Success: X>
    >>> parse('.' * 28 + 'X' + '.' * 13).failure()
    'row 5, column 0: found X above an empty cell, expected discs to rest on others'
    """
    return BOARD.read(text).map(lambda it: Connect4(*(it[::-1] if BOARD.rules.side(it) else it)))


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
    return BOARD.write(_pack(state))


NAMES: Final = tuple(map(str, range(7)))


def parse_move(text: str) -> Result[int, str]:
    """Return the column that `text` names.

    >>> parse_move('7').failure()
    "unknown column '7': expected a number from 0 to 6"
    """
    return boards.read_name(text, NAMES, 'column', 'a number from 0 to 6')


def format_move(move: int) -> str:
    """Return the column as text, which `parse_move` reads back.

    :raises ValueError: there is no such column.
    """
    return boards.named(move, NAMES)
