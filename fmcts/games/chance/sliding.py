"""The sliding puzzle (N. Chapman, 1874), for one player: put the tiles in order in time."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from attrs import frozen

from fmcts.game import illegal
from fmcts.games._printing import Pictured
from fmcts.rules import IntegerRules

__all__ = ['Sliding', 'start']

PLAYER: Final = 'player'


# ---- rules on integers: a move is the tile ----


class Cells(NamedTuple):
    """A position as integers: five bits for each cell's tile, twelve cells in each of three."""

    size: int
    gap: int
    left: int
    first: int
    second: int
    third: int


WIDTH: Final = 12
BITS: Final = 5
TILE: Final = (1 << BITS) - 1


def _pack(state: Sliding) -> Cells:
    cells, gap = state.cells, state.cells.index(0)
    parts = (cells[at : at + WIDTH] for at in (0, WIDTH, 2 * WIDTH))
    words = (sum(tile << BITS * at for at, tile in enumerate(part)) for part in parts)
    return Cells(state.size, gap, state.left, *words)


def _tile(position: Cells, cell: int) -> int:
    word = (position.first, position.second, position.third)[cell // WIDTH]
    return word >> BITS * (cell % WIDTH) & TILE


def _moved(position: Cells, tile: int, cell: int) -> Cells:
    """Return the position with the tile moved from a cell into the gap."""
    size, gap, left, first, second, third = position
    for place, change in ((cell, -tile), (gap, tile)):
        word, added = place // WIDTH, change << BITS * (place % WIDTH)
        if word == 0:
            first += added
        elif word == 1:
            second += added
        else:
            third += added
    return Cells(size, cell, left - 1, first, second, third)


def _solved(position: Cells) -> bool:
    last = position.size * position.size - 1
    right = position.gap == last
    for cell in range(last):
        right = right and _tile(position, cell) == cell + 1
    return right


def _menu(position: Cells) -> int:
    if position.left == 0 or _solved(position):
        return 0
    size, gap, menu = position.size, position.gap, 0
    row, column = gap // size, gap % size
    if row > 0:
        menu |= 1 << _tile(position, gap - size)
    if column > 0:
        menu |= 1 << _tile(position, gap - 1)
    if column < size - 1:
        menu |= 1 << _tile(position, gap + 1)
    if row < size - 1:
        menu |= 1 << _tile(position, gap + size)
    return menu


def _play(position: Cells, move: int) -> Cells:
    size, gap = position.size, position.gap
    row, column = gap // size, gap % size
    if row > 0 and _tile(position, gap - size) == move:
        return _moved(position, move, gap - size)
    if column > 0 and _tile(position, gap - 1) == move:
        return _moved(position, move, gap - 1)
    if column < size - 1 and _tile(position, gap + 1) == move:
        return _moved(position, move, gap + 1)
    return _moved(position, move, gap + size)


def _side(_position: Cells) -> int:
    return 0


def _winner(position: Cells) -> int:
    return 0 if _solved(position) else 1


@frozen
class Sliding(Pictured):
    """A board, row by row with 0 as the gap, and how many moves are left.

    A move is the tile that slides into the gap. In order the gap comes last.
    """

    size: int
    cells: tuple[int, ...]
    left: int
    players = (PLAYER,)
    player = PLAYER
    compiled = IntegerRules(
        pack=_pack, menu=_menu, play=_play, side=_side, winner=_winner, players=1
    )

    @property
    def moves(self) -> tuple[int, ...]:
        """The tiles beside the gap."""
        return () if self.over else tuple(sorted(self._beside()))

    @property
    def solved(self) -> bool:
        """True if the tiles are in order."""
        return self.cells == (*range(1, self.size**2), 0)

    @property
    def over(self) -> bool:
        """True if the tiles are in order or no moves are left."""
        return self.solved or not self.left

    @property
    def winner(self) -> str | None:
        """The player who put the tiles in order; `None` when the moves ran out."""
        return PLAYER if self.solved else None

    def play(self, move: Any) -> Sliding:
        """Return the board after a tile was slid.

        :raises IllegalMoveError: it is not beside the gap, or the game is over.
        """
        if type(move) is not int or move not in self.moves:
            raise illegal(self, move)
        return self._slid(move)

    def _beside(self) -> list[int]:
        size, gap = self.size, self.cells.index(0)
        row, column = divmod(gap, size)
        near = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        return [self.cells[r * size + c] for r, c in near if 0 <= r < size and 0 <= c < size]

    def _slid(self, tile: int) -> Sliding:
        swapped = {tile: 0, 0: tile}
        cells = tuple(swapped.get(cell, cell) for cell in self.cells)
        return Sliding(self.size, cells, self.left - 1)

    def __str__(self) -> str:
        """Return the board and the moves left."""
        rows = (self.cells[at : at + self.size] for at in range(0, self.size**2, self.size))
        board = '\n'.join(' '.join(f'{cell or ".":>2}' for cell in row) for row in rows)
        return f'{board}\nmoves left {self.left}'


def start(size: int = 3, away: int = 8) -> Sliding:
    """Return a board that `away` moves put in order, with as many moves left.

    :raises ValueError: `size` is not 2 to 5, or `away` not 1 to 200.
    """
    if not 2 <= size <= 5 or not 1 <= away <= 200:
        raise ValueError(f'expected a side of 2 to 5 and 1 to 200 moves, not {size} and {away}')
    state, before = Sliding(size, (*range(1, size**2), 0), 0), 0
    for number in range(away):  # back from the end, never to and fro
        tiles = sorted(tile for tile in state._beside() if tile != before)  # noqa: SLF001 - its own
        before = tiles[number % len(tiles)]
        state = state._slid(before)  # noqa: SLF001 - as above
    return Sliding(size, state.cells, away)
