"""Connection games with gravity: discs fall down columns, and `length` in a row win.

`connect:7,6,4` is Connect Four. A move is a column. On integers each column has a bit for each of
its cells, the bottom one first, and one more that stays empty; it keeps lines from continuing into
the next column, so that each direction is one shift everywhere: for six rows 1 up, 7 across, 6 and
8 along the diagonals.

     5 12 19 26 33 40 47    the top row
     .  .  .  .  .  .  .
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42    the bottom row

The layout is the usual one, as in John Tromp's "Fhourstones" benchmark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from fmcts.bits import popcount
from fmcts.games.boards import Board, Layout, check_resting, placed_in_turn
from fmcts.games.families._shared import (
    Family,
    between,
    finder,
    in_turn,
    integers,
    one_for_each,
)
from fmcts.games.from_rules import Game, make_game
from fmcts.rules import DRAW, IntegerRules

__all__ = ['game']

BITS: Final = 64  # each column takes one more than its rows
POSITION: Final = integers('Position', ('mine', 'theirs'))


@one_for_each
def game(columns: int, rows: int, length: int) -> Game:
    """Return the game of `length` in a row on `columns` and `rows`.

    The board must fit in 64 bits: `columns * (rows + 1)` is at most 64.

    :raises ValueError: other sizes, or a row longer than the board.

    >>> game(7, 6, 4).start.play(3).play(3).moves
    (0, 1, 2, 3, 4, 5, 6)
    """
    between('columns', columns, 1, BITS // 2)
    between(f'rows on {columns} columns', rows, 1, BITS // columns - 1)
    between('a row to win', length, 2, max(columns, rows))
    board = board_of(columns, rows, length)
    return make_game(
        f'connect:{columns},{rows},{length}',
        POSITION(0, 0),
        board.rules,
        moves=lambda _position, cell: cell // (rows + 1),
        names=tuple(map(str, range(columns))),
        longest_game=columns * rows,
        noun='column',
        found_by=(game, columns, rows, length),
        **board.of_states(),
    )


FAMILY: Final = Family(
    'connect',
    ('COLUMNS', 'ROWS', 'LENGTH'),
    'connect:5,4,4',
    'LENGTH in a row, with gravity',
    game,
    other='connect:8,7,4',
    limits='COLUMNS (ROWS + 1) at most 64',
    rules='discs fall down columns; LENGTH or more in a row win',
    moves='a column: `3`',
)


def board_of(columns: int, rows: int, length: int) -> Board:
    """Return the rules and the text of a game."""
    stride = rows + 1
    rules = _rules(columns, rows, length)
    numbers = [stride * column + row for row in reversed(range(rows)) for column in range(columns)]

    def tops(cells: Sequence[int]) -> Iterable[int]:
        """Return the uppermost disc of each column that has one."""
        return {cell % columns: cell for cell in sorted(cells, reverse=True)}.values()

    layout = Layout(
        rows,
        columns,
        [f'row {cell // columns + 1}, column {cell % columns}' for cell in range(rows * columns)],
        footer=' '.join(str(column)[-1] for column in range(columns)),
    )
    place = placed_in_turn(POSITION(0, 0), rules, numbers, tops)
    return Board(layout, rules, in_turn, place, numbers, check=check_resting)


def _rules(columns: int, rows: int, length: int) -> IntegerRules:
    """Return the rules; a move of the rules is the cell where a disc lands."""
    stride = rows + 1
    bottom = sum(1 << stride * column for column in range(columns))
    full = bottom * ((1 << rows) - 1)
    has_row = finder(stride, length)

    def menu(position: Any) -> int:
        """Return the cells where a disc may land, in the order of the columns."""
        if has_row(position.theirs):
            return 0
        # A column is a run of ones: adding one at its bottom carries into its first empty cell.
        landings: int = (position.mine | position.theirs) + bottom & full
        return landings

    def play(position: Any, cell: int) -> Any:
        return POSITION(position.theirs, position.mine | 1 << cell)

    def side(position: Any) -> int:
        return popcount(position.mine | position.theirs) & 1

    def winner(position: Any) -> int:
        return 1 - side(position) if has_row(position.theirs) else DRAW

    ahead: dict[str, Any] = looking_ahead(stride, full) if length == 4 else {}
    return IntegerRules(
        menu=menu, play=play, side=side, winner=winner, keys=stride * columns - 1, **ahead
    )


def looking_ahead(stride: int, full: int) -> dict[str, Any]:
    """Return the rules `winning`, `safe` and `patient` for four in a row."""

    def threats(stones: int, occupied: int) -> int:
        """Return the empty cells, reachable or not, that complete four of one side's stones."""
        found = stones << 1 & stones << 2 & stones << 3
        for step in (stride, stride - 1, stride + 1):  # across and along the diagonals
            pair = stones << step & stones << 2 * step
            found |= pair & stones << 3 * step
            found |= pair & stones >> step
            pair = stones >> step & stones >> 2 * step
            found |= pair & stones << step
            found |= pair & stones >> 3 * step
        return found & (full ^ occupied)

    def winning(position: Any, cells: int) -> int:
        """Return the landing cells that make four."""
        return cells & threats(position.mine, position.mine | position.theirs)

    def safe(position: Any, cells: int) -> int:
        """Return the landing cells after which the opponent cannot make four at once."""
        occupied = position.mine | position.theirs
        against = threats(position.theirs, occupied)
        forced = cells & against
        allowed = forced or cells
        if forced & (forced - 1):  # two threats cannot both be answered
            allowed = 0
        # Do not play below a cell where the opponent would win, unless the move itself wins.
        return allowed & ~(against >> 1) | cells & threats(position.mine, occupied)

    def patient(position: Any, cells: int) -> int:
        """Return the safe landing cells not directly below one where the player would win.

        A disc below such a cell lets the opponent occupy it. If both sides wait like this, the one
        that first runs out of other moves loses: zugzwang, which decides Connect Four (V. Allis,
        "A knowledge-based approach of Connect-Four", 1988).
        """
        waiting = threats(position.mine, position.mine | position.theirs)
        return safe(position, cells) & ~(waiting >> 1)

    return {'winning': winning, 'safe': safe, 'patient': patient}
