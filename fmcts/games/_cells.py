"""Boards as cells, read from the text that a game writes.

A board is rows of `X`, `O` and `.` separated by spaces, perhaps with labels around them. Any game
that writes its boards in this way can be drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, TypeAlias

from attrs import frozen

Place: TypeAlias = tuple[int, int]
"""A cell: its row and column, from 0, top left."""

LETTERS: Final = frozenset('XO.')
ROWS: Final = {'tictactoe': 3, 'connect4': 4}  # the length of a winning row
DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
AROUND: Final = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1))  # of a cell of Hex


@frozen
class Cells:
    """A board: its `rows` as letters, the labels around them, and the lines after it (`said`)."""

    rows: tuple[str, ...]
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    said: tuple[str, ...] = ()

    def __getitem__(self, place: Place) -> str:
        """Return the letter at a place."""
        return self.rows[place[0]][place[1]]

    def places(self) -> Iterator[Place]:
        """Yield every cell in reading order."""
        return product(range(len(self.rows)), range(len(self.rows[0])))


def read_cells(text: str) -> Cells | None:
    """Return the board that a game wrote, or `None` if it is not rows of cells.

    >>> read_cells('  a b' + chr(10) + '1 X .' + chr(10) + '2 . O' + chr(10) + 'X to move')
    Cells(rows=('X.', '.O'), above=('a', 'b'), below=(), beside=('1', '2'), said=('X to move',))
    """
    lines = [line.split() for line in text.splitlines() if line.strip()]
    first = next((at for at, line in enumerate(lines) if _is_row(line)), None)
    if first is None or first > 1:
        return None
    last = next((at for at in range(first, len(lines)) if not _is_row(lines[at])), len(lines))
    found = lines[first:last]
    labelled = found[0][0] not in LETTERS
    rows = tuple(''.join(line[labelled:]) for line in found)
    columns = len(rows[0])
    above, after = (lines[0] if first else []), lines[last:]
    if any(len(row) != columns for row in rows) or (above and len(above) != columns):
        return None
    below = after[0] if after and columns > 1 and all(len(it) < 3 for it in after[0]) else []
    if len(below) != columns:
        below = []
    said = (' '.join(line) for line in after[bool(below) :])
    beside = tuple(line[0] for line in found) if labelled else ()
    return Cells(rows, tuple(above), tuple(below), beside, tuple(said))


def _is_row(line: list[str]) -> bool:
    """Return whether the words are cells, perhaps after the row's number."""
    cells = line[1:] if line[0].isdecimal() else line
    return bool(cells) and all(cell in LETTERS for cell in cells)


def moved(before: Cells, after: Cells, side: str) -> tuple[Place | None, Place | None]:
    """Return from where and to where `side` moved; a stone placed on the board has no from.

    Both are `None` if the board does not show it, as for a pass.
    """
    changed = [place for place in after.places() if before[place] != after[place]]
    own = [place for place in changed if after[place] == side]
    put = [place for place in own if before[place] == '.'] or (own if len(own) == 1 else [])
    left = [place for place in changed if before[place] == side and after[place] == '.']
    return (left[0] if len(left) == 1 else None), (put[0] if len(put) == 1 else None)


def winning_line(cells: Cells, game: str, side: str) -> tuple[Place, ...]:
    """Return the cells with which `side` has won, in order; `()` if the game has no such line.

    :param game: its name. In a row: tictactoe, connect4, mnk, connect. Joined: hex.

    >>> winning_line(Cells(('XXX', 'OO.', '...')), 'tictactoe', 'X')
    ((0, 0), (0, 1), (0, 2))
    """
    family, _, sizes = game.partition(':')
    if family == 'hex':
        return _joined(cells, side)
    length = ROWS.get(family)
    last = sizes.rpartition(',')[2]
    if family in ('mnk', 'connect') and last.isdecimal():
        length = int(last)
    return () if length is None else _in_a_row(cells, length, side)


def _in_a_row(cells: Cells, length: int, side: str) -> tuple[Place, ...]:
    """Return the longest row of at least `length` cells, the first of equals."""
    own = {place for place in cells.places() if cells[place] == side}
    best: tuple[Place, ...] = ()
    for (row, column), (down, right) in product(sorted(own), DIRECTIONS):
        # Only from its first stone on is a row counted.
        if (row - down, column - right) in own:
            continue
        found = [(row, column)]
        while (after := (found[-1][0] + down, found[-1][1] + right)) in own:
            found.append(after)
        if len(found) >= max(length, len(best) + 1):
            best = tuple(found)
    return best


def _joined(cells: Cells, side: str) -> tuple[Place, ...]:
    """Return a shortest chain between X's borders (top, bottom) or O's (left, right)."""
    along = 0 if side == 'X' else 1
    last = len(cells.rows) - 1
    own = [place for place in cells.places() if cells[place] == side]
    before: dict[Place, Place | None] = {it: None for it in own if it[along] == 0}
    waiting = [*before]
    for place in waiting:  # the list grows during the loop
        if place[along] == last:
            line = [place]
            while (above := before[line[-1]]) is not None:
                line.append(above)
            return tuple(reversed(line))
        for down, right in AROUND:
            beside = (place[0] + down, place[1] + right)
            if beside not in before and beside in own:
                before[beside] = place
                waiting.append(beside)
    return ()
