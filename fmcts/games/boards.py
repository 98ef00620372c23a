"""Text formats shared by the board games: a grid of X and O, and its last line.

A board is written as one line per row, or whole on one line; either may be followed by a line with
the side to move or the result. An error is one line that names the place (lines of the text count
from 1), what was found and what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import attrs
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.game import Player, chances_of, is_plain, players_of, rewards_of

__all__ = [
    'Grid',
    'Layout',
    'Standing',
    'check_ending',
    'check_taken',
    'check_turns',
    'ended',
    'is_ending',
    'named',
    'outcome',
    'read_grid',
    'read_name',
    'read_side',
    'standing',
    'write_rows',
]

CELLS = {'X': 'X', 'x': 'X', 'O': 'O', 'o': 'O', '.': '.', '-': '.', '_': '.'}


@attrs.frozen
class Layout:
    """The layout of a game's board in text.

    `rows` and `columns` are its size, `cell_name` names a cell given its number in reading order.
    `header` is written above the rows and `footer` below (both may be empty); with `numbered`, each
    row starts with its number, from 1. All three may be missing from a text to read. With
    `slanted`, each row is indented one space more than the one above it.
    """

    rows: int
    columns: int
    cell_name: Callable[[int], str]
    header: str = ''
    footer: str = ''
    numbered: bool = False
    slanted: bool = False


@attrs.frozen
class Grid:
    """A board as read: its cells and the line after them.

    `cells` is a string of `X`, `O` and `.` in reading order, `places` the place of each in the
    text. `ending` is the line after the board (`''` if there is none), on line number
    `ending_line`.
    """

    cells: str
    places: tuple[str, ...]
    ending: str
    ending_line: int

    def stones(self, letter: str) -> int:
        """Return the cells that contain `letter`, as bits in reading order."""
        return sum(1 << cell for cell, found in enumerate(self.cells) if found == letter)


def read_grid(text: str, layout: Layout) -> Result[Grid, str]:
    """Return the grid that `text` contains, in rows or on one line, or what is wrong with it."""
    lines = [(n, line) for n, line in enumerate(text.split('\n'), 1) if line.strip()]
    if lines and layout.header and _bare(lines[0][1]) == _bare(layout.header):
        del lines[0]
    if not lines:
        return Failure(f'the board is empty: expected {_expected_board(layout)}')
    first = lines[0][1].split()[0]
    if len(first) > layout.columns and not (layout.numbered and first[0].isdecimal()):
        return _read_one_line(lines, layout)
    return _read_rows(lines, layout)


def _bare(line: str) -> str:
    """Return a line without spaces in lower case, to compare labels."""
    return ''.join(line.split()).lower()


def _expected_board(layout: Layout) -> str:
    rows, columns = layout.rows, layout.columns
    return f'{rows} rows of {columns} cells, or all {rows * columns} cells on one line'


def _read_one_line(lines: Sequence[tuple[int, str]], layout: Layout) -> Result[Grid, str]:
    """Return the grid in one-line form: all cells without spaces, then optionally side and `;`."""
    number, line = lines[0]
    cells, *side = line.strip().removesuffix(';').split(maxsplit=1)
    total = layout.rows * layout.columns
    found = _read_cells(cells, number, layout, 0, total)
    rest = [*((number, ending) for ending in side), *lines[1:]]
    return found.bind(lambda row: _finish(row, (f'line {number}',) * total, rest, layout))


def _read_rows(lines: Sequence[tuple[int, str]], layout: Layout) -> Result[Grid, str]:
    cells = ''
    places: tuple[str, ...] = ()
    for row in range(layout.rows):
        if row == len(lines):
            return Failure(f'the board ends after row {row}: expected {_expected_board(layout)}')
        number, line = lines[row]
        if is_ending(line) or (layout.footer and _bare(line) == _bare(layout.footer)):
            return Failure(
                f'line {number}: found {shown(line.strip())}, '
                f'expected row {row + 1} of {layout.rows}'
            )
        bare = ''.join(line.split())
        if layout.numbered and bare[0].isdecimal():
            label = bare[: len(bare) - len(bare.lstrip('0123456789'))] or bare[0]
            if label != str(row + 1):
                return Failure(
                    f'line {number}: found the row number {shown(label)}, expected {row + 1}'
                )
            bare = bare[len(label) :]
        found = _read_cells(bare, number, layout, row * layout.columns, layout.columns)
        if isinstance(found, Failure):
            return found
        cells += found.unwrap()
        places += (f'line {number}',) * layout.columns
    return _finish(cells, places, lines[layout.rows :], layout)


def _read_cells(
    text: str, number: int, layout: Layout, first: int, expected: int
) -> Result[str, str]:
    """Return the `expected` cells in `text` on line `number`; the first is cell `first`."""
    for offset, character in enumerate(text[:expected]):
        if character not in CELLS:
            place = layout.cell_name(first + offset)
            return Failure(
                f'line {number}, {place}: found {character!r}, expected X, O or . for an empty cell'
            )
    if len(text) != expected:
        one_line = f', or all {layout.rows * layout.columns} on one line'
        return Failure(
            f'line {number}: found {len(text)} cells, '
            f'expected {layout.columns}{one_line if first == 0 else ""}'
        )
    return Success(''.join(CELLS[character] for character in text))


def _finish(
    cells: str, places: Sequence[str], rest: Sequence[tuple[int, str]], layout: Layout
) -> Result[Grid, str]:
    """Return the grid of `cells`, given the lines that follow the board in the text."""
    if rest and layout.footer and _bare(rest[0][1]) == _bare(layout.footer):
        rest = rest[1:]
    if len(rest) > 1:
        (number, line), (next_number, next_line) = rest[:2]
        if layout.footer and not is_ending(line):
            return Failure(
                f'line {number}: found {shown(line.strip())}, expected {layout.footer!r}'
            )
        return Failure(
            f'line {next_number}: found {shown(next_line.strip())}, expected the end of the board'
        )
    number, ending = rest[0] if rest else (0, '')
    named_places = tuple(f'{at}, {layout.cell_name(cell)}' for cell, at in enumerate(places))
    return Success(Grid(cells, named_places, ' '.join(ending.split()), number))


def is_ending(line: str) -> bool:
    """Return whether a line says whose turn it is, or how the game ended.

    >>> is_ending('X to move'), is_ending('draw'), is_ending('X . O')
    (True, True, False)
    """
    words = line.lower().split()
    return words == ['draw'] or words[1:2] in (['to'], ['wins'])


def check_ending(grid: Grid, accepted: Sequence[str]) -> Result[Grid, str]:
    """Return the grid if the line after the board is missing or one of those `accepted`.

    An error names the first of them.
    """
    if not grid.ending or grid.ending.lower() in map(str.lower, accepted):
        return Success(grid)
    return Failure(
        f'line {grid.ending_line}: found {shown(grid.ending)}, '
        f'expected {accepted[0]!r}, as the board has it'
    )


def check_taken(grid: Grid, centre: Sequence[int]) -> Result[Grid, str]:
    """Return the grid if there are discs on the four centre squares, as at Othello's start."""
    for square in centre:
        if grid.cells[square] == '.':
            return Failure(
                f'{grid.places[square]}: found an empty square, expected a disc of X or O, '
                'since the game begins with discs on the four centre squares'
            )
    return Success(grid)


EITHER_SIDE = "'X to move' or 'O to move'"


def read_side(grid: Grid) -> Result[Player, str]:
    """Return the side to move from the line after the board, which must give it."""
    if not grid.ending:
        return Failure(f'the side to move is missing: expected {EITHER_SIDE} after the board')
    side = re.fullmatch(r'([XO])( to move.*)?', grid.ending, re.IGNORECASE)
    if side is None:
        return Failure(
            f'line {grid.ending_line}: found {shown(grid.ending)}, expected {EITHER_SIDE}'
        )
    return Success(Player[side[1].upper()])


def check_turns(grid: Grid) -> Result[Grid, str]:
    """Return the grid if its counts are possible in a game of turns that X starts."""
    x, o = grid.cells.count('X'), grid.cells.count('O')
    if x - o in (0, 1):
        return Success(grid)
    return Failure(
        f'the board has {x} X and {o} O: expected as many X as O, or one X more, since X begins'
    )


def outcome(winner: Player | None) -> str:
    """Return the result of a finished game in words: `X wins`, `O wins` or `draw`."""
    return 'draw' if winner is None else f'{winner} wins'


class Standing(Protocol):
    """The members of a state that give the side to move and the end."""

    @property
    def player(self) -> Player:
        """The side to move."""

    @property
    def over(self) -> bool:
        """True if the game is finished."""


def standing(state: Standing) -> str:
    """Return the last line of a board: `X to move`, `O wins`, `draw`."""
    known: Any = state
    if not state.over:
        return 'chance to move' if chances_of(known) else f'{state.player} to move'
    return ended(known)


def ended(state: Any) -> str:
    """Return how a finished game ended: its winner, or the rewards of all players."""
    winner = getattr(state, 'winner', None)
    if is_plain(state) or winner is not None:
        return outcome(winner)
    rewards = zip(players_of(state), rewards_of(state), strict=True)
    return ', '.join(f'{player} gets {reward:.3g}' for player, reward in rewards)


def write_rows(cells: str, layout: Layout) -> str:
    """Return the rows of a board as text with header and footer; each line ends in a newline.

    `cells` are `X`, `O` and `.` in reading order.
    """
    columns = layout.columns
    lines = [' '.join(cells[row : row + columns]) for row in range(0, len(cells), columns)]
    if layout.numbered:
        width = len(str(layout.rows))
        lines = [f'{number:>{width}} {line}' for number, line in enumerate(lines, 1)]
    if layout.slanted:
        lines = [' ' * row + line for row, line in enumerate(lines)]
    labelled = [layout.header, *lines, layout.footer]
    return ''.join(f'{line}\n' for line in labelled if line)


def read_name(text: str, names: Sequence[str], what: str, expected: str) -> Result[int, str]:
    """Return the index of `text` (case and outer spaces aside) among `names`."""
    name = text.strip().lower()
    if name in names:
        return Success(names.index(name))
    return Failure(f'unknown {what} {shown(text)}: expected {expected}')


def named(move: int, names: Sequence[str]) -> str:
    """Return the name of a move.

    :raises ValueError: the game has no such move.
    """
    if move in range(len(names)):
        return names[move]
    raise ValueError(f'unknown move {move!s}: expected a number from 0 to {len(names) - 1}')
