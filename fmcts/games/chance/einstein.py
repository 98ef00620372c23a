"""EinStein würfelt nicht! (I. Althöfer, 2004): a die says which stone moves.

X begins at the upper left and moves right, down or both; O comes the other way. The die names a
stone; if that is gone, the next higher or the next lower one moves. A stone takes whatever it moves
onto. Who reaches the far corner, or takes the last stone of the other side, wins.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from attrs import evolve, frozen

from fmcts.bits import highest_bit, lowest_bit, popcount
from fmcts.game import Player, illegal
from fmcts.games._printing import Pictured
from fmcts.rules import IntegerRules, O, X, side_of

__all__ = ['Einstein', 'start']

GONE = -1


# ---- rules on integers: a move is three times the place of the stone, plus its way ----


class Stones(NamedTuple):
    """A position as integers.

    `xs` and `os` have six bits for the cell of each stone, all set if it was taken. `x_cells` and
    `o_cells` are the sets of these cells, and `x_left` and `o_left` the sets of the stones that are
    left, both as bits.
    """

    size: int
    xs: int
    os: int
    x_cells: int
    o_cells: int
    x_left: int
    o_left: int
    side: int
    die: int


TAKEN: Final = 63
WAYS: Final = 3  # across, along and both
SIZES: Final = (3, 5, 7)
NUMBERS: Final = tuple((size + 1) * (size + 3) // 8 for size in SIZES)  # of stones
ONES: Final = sum(1 << 6 * at for at in range(NUMBERS[-1]))
COLUMN: Final = tuple(sum(1 << size * row for row in range(size)) for size in SIZES)
ROW: Final = tuple((1 << size) - 1 for size in SIZES)
# The cells from which a stone cannot move across, or along: by size, first for X, then for O.
NOT_ACROSS: Final = (
    *(column << size - 1 for column, size in zip(COLUMN, SIZES, strict=True)),
    *COLUMN,
)
NOT_ALONG: Final = (*(row << size * (size - 1) for row, size in zip(ROW, SIZES, strict=True)), *ROW)


def _number(size: int) -> int:
    return NUMBERS[size - 3 >> 1]


def _packed(stones: tuple[int, ...]) -> int:
    return sum((TAKEN if cell == GONE else cell) << 6 * at for at, cell in enumerate(stones))


def _cells(stones: tuple[int, ...]) -> int:
    return sum(1 << cell for cell in stones if cell != GONE)


def _left(stones: tuple[int, ...]) -> int:
    return sum(1 << at for at, cell in enumerate(stones) if cell != GONE)


def _pack(state: Einstein) -> Stones:
    xs, os = state.xs, state.os
    return Stones(
        state.size,
        *(_packed(xs), _packed(os)),
        *(_cells(xs), _cells(os)),
        *(_left(xs), _left(os)),
        side_of(state.player),
        state.die,
    )


def _ways(position: Stones, stones: int, at: int) -> int:
    cell, kind = stones >> 6 * at & TAKEN, (position.size - 3 >> 1) + 3 * position.side
    across, along = ~NOT_ACROSS[kind] >> cell & 1, ~NOT_ALONG[kind] >> cell & 1
    return (across | along << 1 | (across & along) << 2) << WAYS * at


def _standing(stones: int, cell: int) -> int:
    """Return the stone on a cell; there is one.

    The lowest six bits that are 0 after the exclusive or are found by a borrow.
    """
    apart = stones ^ cell * ONES
    borrowed = apart - ONES & ~apart & ONES << 5
    return popcount((borrowed & -borrowed) - 1) // 6


def _won(position: Stones) -> int:
    last = position.size * position.size - 1
    if position.x_cells >> last & 1 or not position.o_cells:
        return X
    if position.o_cells & 1 or not position.x_cells:
        return O
    return -1


def _menu(position: Stones) -> int:
    if _won(position) >= 0:
        return 0
    die, side = position.die, position.side
    if not die:
        return (1 << _number(position.size) + 1) - 2
    stones, left = (position.xs, position.x_left) if side == X else (position.os, position.o_left)
    below, above = left & (1 << die) - 1, left & -(1 << die - 1)
    menu = 0
    if below:
        menu = _ways(position, stones, popcount(highest_bit(below) - 1))
    if above:
        menu |= _ways(position, stones, popcount(lowest_bit(above) - 1))
    return menu


def _play(position: Stones, move: int) -> Stones:
    size, xs, os, x_cells, o_cells, x_left, o_left, side, die = position
    if not die:
        return Stones(size, xs, os, x_cells, o_cells, x_left, o_left, side, move)
    at, way = move // WAYS, move % WAYS
    before = (xs if side == X else os) >> 6 * at & TAKEN
    cell = before + (1, size, size + 1)[way] * (1 - 2 * side)
    there = 1 << cell
    if x_cells & there:  # a stone is taken
        taken = _standing(xs, cell)
        xs |= TAKEN << 6 * taken
        x_left &= ~(1 << taken)
        x_cells &= ~there
    elif o_cells & there:
        taken = _standing(os, cell)
        os |= TAKEN << 6 * taken
        o_left &= ~(1 << taken)
        o_cells &= ~there
    if side == X:
        xs = xs & ~(TAKEN << 6 * at) | cell << 6 * at
        x_cells = x_cells & ~(1 << before) | there
    else:
        os = os & ~(TAKEN << 6 * at) | cell << 6 * at
        o_cells = o_cells & ~(1 << before) | there
    return Stones(size, xs, os, x_cells, o_cells, x_left, o_left, 1 - side, 0)


def _chances(position: Stones) -> int:
    return 0 if position.die or _won(position) >= 0 else _number(position.size)


def _side(position: Stones) -> int:
    return position.side


@frozen
class Einstein(Pictured):
    """A position: the cell of each stone of X and of O (-1: taken), and the die (0: to be rolled).

    Cells count from the upper left, row by row. A move is a pair: the stone's number and its cell.
    """

    size: int
    xs: tuple[int, ...]
    os: tuple[int, ...]
    player: Player = Player.X
    die: int = 0
    compiled = IntegerRules(
        pack=_pack, menu=_menu, play=_play, side=_side, winner=_won, chances=_chances
    )

    @property
    def chances(self) -> tuple[tuple[int, int], ...]:
        """The faces of the die, one for each stone, before each move."""
        if self.die or self.over:
            return ()
        return tuple((face, 1) for face in range(1, len(self.xs) + 1))

    @property
    def mine(self) -> tuple[int, ...]:
        """The stones of the side to move."""
        return self.xs if self.player is Player.X else self.os

    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        """The stones that may move, each with the cells that it reaches."""
        if not self.die or self.over:
            return ()
        mine, size = self.mine, self.size
        there = [number for number, cell in enumerate(mine, 1) if cell != GONE]
        lower = [number for number in there if number < self.die]
        higher = [number for number in there if number > self.die]
        named = [self.die] if self.die in there else [*lower[-1:], *higher[:1]]
        step = 1 if self.player is Player.X else -1
        found = []
        for number in named:
            row, column = divmod(mine[number - 1], size)
            for down, right in ((0, step), (step, 0), (step, step)):
                if 0 <= row + down < size and 0 <= column + right < size:
                    found.append((number, (row + down) * size + column + right))
        return tuple(found)

    @property
    def over(self) -> bool:
        """True if a side has won."""
        return self.winner is not None

    @property
    def winner(self) -> Player | None:
        """The side that is in the far corner, or has taken all stones of the other."""
        if self.size**2 - 1 in self.xs or max(self.os) == GONE:
            return Player.X
        if 0 in self.os or max(self.xs) == GONE:
            return Player.O
        return None

    def play(self, move: Any) -> Einstein:
        """Return the position after a move, or after a face of the die.

        :raises IllegalMoveError: it is neither.
        """
        if self.chances:
            if (move, 1) not in self.chances:
                raise illegal(self, move)
            return evolve(self, die=move)
        if move not in self.moves:
            raise illegal(self, move)
        number, cell = move
        xs, os = (
            [GONE if taken == cell else taken for taken in stones] for stones in (self.xs, self.os)
        )
        (xs if self.player is Player.X else os)[number - 1] = cell
        return evolve(self, xs=tuple(xs), os=tuple(os), player=self.player.other, die=0)

    def __str__(self) -> str:
        """Return the board: X's stones are 1, 2..., O's a, b..."""
        cells = ['.'] * self.size**2
        for number, (x, o) in enumerate(zip(self.xs, self.os, strict=True)):
            if x != GONE:
                cells[x] = str(number + 1)
            if o != GONE:
                cells[o] = 'abcdefghij'[number]
        rows = [' '.join(cells[at : at + self.size]) for at in range(0, self.size**2, self.size)]
        return '\n'.join(rows) + (f'\ndie {self.die}' if self.die else '')


def start(size: int = 5) -> Einstein:
    """Return the beginning on a board of `size` by `size`: stones fill both corners in order.

    On a board of 5 each side has six stones, on one of 3 three, and the die as many faces.

    :raises ValueError: `size` is not 3, 5 or 7.
    """
    if size not in SIZES:
        raise ValueError(f'a side of the board: expected 3, 5 or 7, not {size}')
    edge = (size + 1) // 2
    xs = tuple(row * size + column for row in range(edge) for column in range(edge - row))
    return Einstein(size, xs, tuple(size**2 - 1 - cell for cell in xs))
