"""EinStein würfelt nicht! (I. Althöfer, 2004): a die says which stone moves.

X begins at the upper left and moves right, down or both; O comes the other way. The die names a
stone; if that is gone, the next higher or the next lower one moves. A stone takes whatever it moves
onto. Who reaches the far corner, or takes the last stone of the other side, wins.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen

from fmcts.game import Player, illegal

__all__ = ['Einstein', 'start']

GONE = -1


@frozen
class Einstein:
    """A position: the cell of each stone of X and of O (-1: taken), and the die (0: to be rolled).

    Cells count from the upper left, row by row. A move is a pair: the stone's number and its cell.
    """

    size: int
    xs: tuple[int, ...]
    os: tuple[int, ...]
    player: Player = Player.X
    die: int = 0

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
        """Return the board: X's stones are 1, 2..., those of O a, b..."""
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
    if size not in (3, 5, 7):
        raise ValueError(f'a side of the board: expected 3, 5 or 7, not {size}')
    edge = (size + 1) // 2
    xs = tuple(row * size + column for row in range(edge) for column in range(edge - row))
    return Einstein(size, xs, tuple(size**2 - 1 - cell for cell in xs))
