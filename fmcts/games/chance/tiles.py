"""2048 (G. Cirulli, 2014): a game for one player, in which equal tiles are pushed together.

After each push a tile appears in an empty cell: a 2 nine times out of ten, else a 4. The game is
over when no push changes the board. The reward is the largest tile's, on a scale of powers of two:
from 0 for an empty board to 1 for the largest tile that fits.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from attrs import frozen

from fmcts.game import illegal
from fmcts.games._printing import Pictured
from fmcts.rules import IntegerRules

__all__ = ['Tiles', 'start']

PLAYER: Final = 'player'
PUSHES: Final = ('left', 'right', 'up', 'down')


# ---- rules on integers: pushes by their place, and outcomes as twice the cell, plus 1 for a 4 ----


class Powers(NamedTuple):
    """A position as integers: five bits for the power in each cell, eight cells in each of two."""

    size: int
    low: int
    high: int
    due: int


HALF: Final = 8
BITS: Final = 5
POWER: Final = (1 << BITS) - 1


def _pack(state: Tiles) -> Powers:
    halves = (state.cells[:HALF], state.cells[HALF:])
    low, high = (sum(power << BITS * at for at, power in enumerate(half)) for half in halves)
    return Powers(state.size, low, high, state.due)


def _power(position: Powers, cell: int) -> int:
    word = position.low if cell < HALF else position.high
    return word >> BITS * (cell % HALF) & POWER


def _with(position: Powers, cell: int, power: int) -> Powers:
    size, low, high, due = position
    shift = BITS * (cell % HALF)
    if cell < HALF:
        return Powers(size, low & ~(POWER << shift) | power << shift, high, due)
    return Powers(size, low, high & ~(POWER << shift) | power << shift, due)


def _cell(size: int, push: int, line: int, at: int) -> int:
    """Return the cell of a line that is number `at` from the side that tiles are pushed to."""
    if push % 2:
        at = size - 1 - at
    return line * size + at if push < 2 else at * size + line


def _pushed_to(position: Powers, push: int) -> Powers:
    size, low, high = position.size, 0, 0
    for line in range(size):
        last, end = 0, 0  # a tile that may still be merged, and how many cells are done
        for at in range(size):
            power = _power(position, _cell(size, push, line, at))
            if power:
                merges = power == last
                cell = _cell(size, push, line, end - merges)
                more = 1 if merges else power  # two equal tiles are one of the next power
                if cell < HALF:
                    low += more << BITS * cell
                else:
                    high += more << BITS * (cell - HALF)
                last, end = (0, end) if merges else (power, end + 1)
    return Powers(size, low, high, position.due)


def _menu(position: Powers) -> int:
    size, menu = position.size, 0
    if position.due:
        for cell in range(size * size):
            if not _power(position, cell):
                menu |= 3 << 2 * cell
        return menu
    for line in range(size):
        for at in range(1, size):  # two neighbours: one moves to an empty cell, or both merge
            for way in (0, 2):  # along a row, or a column
                one = _power(position, _cell(size, way, line, at - 1))
                two = _power(position, _cell(size, way, line, at))
                back = two != 0 and (one == two or not one)
                forth = one != 0 and (one == two or not two)
                menu |= (back | forth << 1) << way
    return menu


def _play(position: Powers, move: int) -> Powers:
    if position.due:
        size, low, high, due = _with(position, move // 2, 1 + move % 2)
        return Powers(size, low, high, due - 1)
    size, low, high, _due = _pushed_to(position, move)
    return Powers(size, low, high, 1)


def _chances(position: Powers) -> int:
    total = 0
    if position.due:
        for cell in range(position.size * position.size):
            if not _power(position, cell):
                total += 10
    return total


def _weight(_position: Powers, outcome: int) -> int:
    return 1 if outcome % 2 else 9


def _side(_position: Powers) -> int:
    return 0


def _rewards(position: Powers, _player: int) -> float:
    cells, largest = position.size * position.size, 0
    for cell in range(cells):
        largest = max(largest, _power(position, cell))
    return largest / (cells + 1)


@frozen
class Tiles(Pictured):
    """A board: the power of two in each cell, row by row (0: empty), and how many tiles are due."""

    size: int
    cells: tuple[int, ...]
    due: int = 0
    players = (PLAYER,)
    player = PLAYER
    compiled = IntegerRules(
        pack=_pack,
        menu=_menu,
        play=_play,
        side=_side,
        chances=_chances,
        weight=_weight,
        players=1,
        rewards=_rewards,
    )

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
