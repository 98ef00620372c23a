"""2048 (G. Cirulli, 2014): a game for one player, in which equal tiles are pushed together.

After each push a tile appears in an empty cell: a 2 nine times out of ten, else a 4. The game is
over when no push changes the board. The reward is the largest tile's, on a scale of powers of two:
from 0 for an empty board to 1 for the largest tile that fits.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen

from fmcts.game import illegal

__all__ = ['Tiles', 'start']

PLAYER: Final = 'player'
PUSHES: Final = ('left', 'right', 'up', 'down')


@frozen
class Tiles:
    """A board: the power of two in each cell, row by row (0: empty), and how many tiles are due."""

    size: int
    cells: tuple[int, ...]
    due: int = 0
    players = (PLAYER,)
    player = PLAYER

    @property
    def chances(self) -> tuple[tuple[tuple[int, int], int], ...]:
        """Where the next tile appears, as (cell, power): 2s weigh 9, 4s weigh 1."""
        if not self.due:
            return ()
        empty = [cell for cell, power in enumerate(self.cells) if not power]
        return tuple(((cell, power), 9 if power == 1 else 1) for cell in empty for power in (1, 2))

    @property
    def moves(self) -> tuple[str, ...]:
        """The pushes that change the board."""
        if self.due:
            return ()
        return tuple(push for push in PUSHES if self._pushed(push) != self.cells)

    @property
    def over(self) -> bool:
        """True if no push changes the board."""
        return not self.due and not self.moves

    @property
    def rewards(self) -> tuple[float, ...]:
        """The value of the largest tile."""
        return (max(self.cells) / (self.size**2 + 1),) if self.over else ()

    def play(self, move: Any) -> Tiles:
        """Return the board after a push, or after a tile has appeared.

        :raises IllegalMoveError: it is neither.
        """
        if self.due:
            if move not in [tile for tile, _ in self.chances]:
                raise illegal(self, move)
            cells = list(self.cells)
            cells[move[0]] = move[1]
            return Tiles(self.size, tuple(cells), self.due - 1)
        if move not in self.moves:
            raise illegal(self, move)
        return Tiles(self.size, self._pushed(move), 1)

    def _pushed(self, push: str) -> tuple[int, ...]:
        size, cells = self.size, list(self.cells)
        for line in range(size):
            places = [
                line * size + at if push in PUSHES[:2] else at * size + line for at in range(size)
            ]
            if push in ('right', 'down'):
                places.reverse()
            for place, power in zip(places, _merged([cells[it] for it in places]), strict=True):
                cells[place] = power
        return tuple(cells)

    def __str__(self) -> str:
        """Return the board with the numbers on the tiles."""
        shown = [str(1 << power) if power else '.' for power in self.cells]
        width, size = max(map(len, shown)), self.size
        rows = (shown[at : at + size] for at in range(0, size * size, size))
        return '\n'.join(' '.join(f'{cell:>{width}}' for cell in row) for row in rows)


def _merged(line: list[int]) -> list[int]:
    """Push one line to its beginning; each tile is merged once."""
    tiles, found = [power for power in line if power], []
    while tiles:
        power = tiles.pop(0)
        if tiles and tiles[0] == power:
            tiles.pop(0)
            power += 1
        found.append(power)
    return found + [0] * (len(line) - len(found))


def start(size: int = 4) -> Tiles:
    """Return the empty board, on which two tiles appear first.

    :raises ValueError: `size` is not 2, 3 or 4.
    """
    if size not in (2, 3, 4):
        raise ValueError(f'a side of the board: expected 2, 3 or 4, not {size}')
    return Tiles(size, (0,) * size**2, 2)
