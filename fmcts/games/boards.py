"""Boards as text: a grid of X and O, and a last line with the side to move or the result.

A board is written as one line per row, or whole on one line; either may be followed by its last
line. An error is one line that names the place (lines of the text count from 1), what was found
and what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts._promises import rewards_of
from fmcts.game import Player, chances_of, is_plain, players_of
from fmcts.rules import DRAW, IntegerRules

_CELLS: Final = {'X': 'X', 'x': 'X', 'O': 'O', 'o': 'O', '.': '.', '-': '.', '_': '.'}


@frozen
class Grid:
    """A board as read: its cells (`X`, `O` and `.` in reading order) and the line after them.

    `ending` is the line after the board, on line number `line`; `''` if there is none.
    """

    cells: str
    ending: str
    line: int

    def stones(self, letter: str) -> list[int]:
        """Return the numbers of the cells with this letter."""
        return [cell for cell, found in enumerate(self.cells) if found == letter]


@frozen
class Layout:
    """The layout of a game's board in text.

    `cells` are the names of the cells in reading order. `header` is written above the rows and
    `footer` below (both may be empty); with `numbered`, each row starts with its number, from 1.
    All three may be missing from a text to read. With `slanted`, each row is indented one space
    more than the one above it.
    """

    rows: int
    columns: int
    cells: Sequence[str]
    header: str = ''
    footer: str = ''
    numbered: bool = False
    slanted: bool = False

    def write(self, cells: str) -> str:
        """Return a board as lines of text, given its `X`, `O` and `.` in reading order.

        >>> print(Layout(2, 2, '0123', header='  a b', numbered=True).write('X..O'), end='')
          a b
        1 X .
        2 . O
        """
        columns, width = self.columns, len(str(self.rows))
        lines = [' '.join(cells[at : at + columns]) for at in range(0, len(cells), columns)]
        if self.numbered:
            lines = [f'{number:>{width}} {line}' for number, line in enumerate(lines, 1)]
        if self.slanted:
            lines = [' ' * row + line for row, line in enumerate(lines)]
        return ''.join(f'{line}\n' for line in (self.header, *lines, self.footer) if line)

    def read(self, text: str) -> Result[Grid, str]:
        """Return the grid that `text` contains, in rows or on one line, or what is wrong with it.

        >>> Layout(2, 2, '0123').read('X / O .').failure()
        "line 1, cell 1: found '/', expected X, O or . for an empty cell"
        """
        lines = [(n, line.strip()) for n, line in enumerate(text.split('\n'), 1) if line.strip()]
        if lines and self.header and _bare(lines[0][1]) == _bare(self.header):
            del lines[0]
        total = self.rows * self.columns
        first = lines[0][1].split()[0] if lines else ''
        if len(first) > self.columns and not (self.numbered and first[0].isdecimal()):
            (number, line), expected = lines[0], total
            cells, *said = line.removesuffix(';').split(maxsplit=1)
            body, rest = [(number, cells)], [*((number, it) for it in said), *lines[1:]]
        else:
            body, rest, expected = self._rows(lines), [], self.columns
            rest = lines[len(body) :]
        read = ''
        for number, row in body:
            for at, character in enumerate(row[:expected], len(read)):
                if character not in _CELLS:
                    return Failure(
                        f'line {number}, {_cell(self.cells[at])}: found {character!r}, expected X, '
                        'O or . for an empty cell'
                    )
            if len(row) != expected:
                one_line = '' if read else f', or all {total} on one line'
                return Failure(
                    f'line {number}: found {len(row)} cells, expected {self.columns}{one_line}'
                )
            read += ''.join(_CELLS[character] for character in row)
        if len(read) < total:
            so_far = f'ends after row {len(body)}' if body else 'is empty'
            return Failure(
                f'the board {so_far}: expected {self.rows} rows of {self.columns} cells, or all '
                f'{total} cells on one line'
            )
        if rest and self.footer and _bare(rest[0][1]) == _bare(self.footer):
            rest = rest[1:]
        if len(rest) > 1:
            number, line = rest[1]
            return Failure(f'line {number}: found {shown(line)}, expected the end of the board')
        number, ending = rest[0] if rest else (0, '')
        return Success(Grid(read, ' '.join(ending.split()), number))

    def _rows(self, lines: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
        """Return the rows at the beginning of `lines` without spaces and their numbers."""
        found: list[tuple[int, str]] = []
        for number, line in lines[: self.rows]:
            if is_ending(line) or (self.footer and _bare(line) == _bare(self.footer)):
                break
            label = str(len(found) + 1) if self.numbered else ''
            found.append((number, ''.join(line.split()).removeprefix(label)))
        return found


def _bare(line: str) -> str:
    """Return a line without spaces in lower case, to compare labels."""
    return ''.join(line.split()).lower()


def _cell(name: str) -> str:
    return f'cell {name}' if name.isdecimal() else name


Place: TypeAlias = Callable[[Sequence[int], Sequence[int], int], Any]
"""`place(x, o, side)`: the position with these cells of X and of O, and this side to move.

It returns `None` if no game leads to that position.
"""


def _standing_by(rules: IntegerRules, position: Any) -> str:
    """Return the last line of a board: `X to move`, `O wins`, `draw`."""
    if rules.listed(rules.menu(position)):
        return f'{"XO"[rules.side(position)]} to move'
    winner = rules.winner(position)
    return 'draw' if winner == DRAW else f'{"XO"[winner]} wins'


@frozen
class Board:
    """The text of positions on a grid of X and O, as integers, in both directions.

    `sides(position)` returns the sets of X and of O as bits, with bit `numbers[n]`, or n, for cell
    number n in reading order; `place` makes a position of cells. In a game of `turns` X begins and
    each move adds a stone, so that the counts tell the side to move; in others the last line does.
    `check(layout, grid)` returns what else is wrong with a board, or `''`; `ending(rules,
    position)` is the last line.
    """

    layout: Layout
    rules: IntegerRules
    sides: Callable[[Any], tuple[int, int]]
    place: Place
    numbers: Sequence[int] | None = None
    turns: bool = True
    check: Callable[[Layout, Grid], str] = lambda _layout, _grid: ''
    ending: Callable[[IntegerRules, Any], str] = _standing_by

    def write(self, position: Any) -> str:
        """Return the position as lines of text, which `read` reads back."""
        x, o = self.sides(position)
        bits = self.numbers or range(len(self.layout.cells))
        cells = ''.join('X' if x >> bit & 1 else 'O' if o >> bit & 1 else '.' for bit in bits)
        return f'{self.layout.write(cells)}{self.ending(self.rules, position)}\n'

    def read(self, text: str) -> Result[Any, str]:
        """Return the position written in `text`, or one line about what is wrong with it."""
        return self.layout.read(text).bind(self._position)

    def of_states(self) -> dict[str, Any]:
        """Return `format` and `parse` for `fmcts.games.from_rules.make_game`."""
        return {'format': lambda state: self.write(state.position), 'parse': self.read}

    def _position(self, grid: Grid) -> Result[Any, str]:
        x, o, said = grid.stones('X'), grid.stones('O'), grid.ending
        found = re.fullmatch(r'([XO])( to move.*| wins)?', said, re.IGNORECASE)
        wrong = self.check(self.layout, grid)
        if wrong:
            return Failure(wrong)
        side = len(x) - len(o)
        if self.turns and side not in (0, 1):
            return Failure(
                f'the board has {len(x)} X and {len(o)} O: expected as many X as O, or one X more, '
                'since X begins'
            )
        if not self.turns:
            if found is None:
                where = f'line {grid.line}: found {shown(said)}' if said else 'the side is missing'
                return Failure(f"{where}: expected 'X to move' or 'O to move' after the board")
            side = 'XO'.index(found[1].upper()) ^ ((found[2] or '').lower() == ' wins')
        position = self.place(x, o, side)
        if position is None:
            return Failure('no game leads to this board: it was over before its last move')
        ending = self.ending(self.rules, position)
        accepted = ('', ending, ending.partition(' (')[0], 'XO'[side])
        if said.lower() not in map(str.lower, accepted):
            return Failure(
                f'line {grid.line}: found {shown(said)}, expected {ending!r}, as the board has it'
            )
        return Success(position)


def check_resting(layout: Layout, grid: Grid) -> str:
    """Return where a disc is above an empty cell; `''` if all rest on others."""
    for cell, (above, below) in enumerate(
        zip(grid.cells, grid.cells[layout.columns :], strict=False)
    ):
        if above != '.' and below == '.':
            return (
                f'{layout.cells[cell]}: found {above} above an empty cell, expected discs to rest '
                'on others'
            )
    return ''


def placed_in_turn(
    start: Any,
    rules: IntegerRules,
    numbers: Sequence[int] | None = None,
    last: Callable[[Sequence[int]], Iterable[int]] = list,
) -> Place:
    """Return `place` for a game in which stones are placed in turn and never move.

    Where the game is over, some last stone must lead to the board from one on which it was not.

    :param numbers: the rules' number of each cell; by default the cell itself.
    :param last: `last(cells)` gives those of all the cells with stones that may hold the last one.
    """

    def place(x: Sequence[int], o: Sequence[int], side: int) -> Any:
        mine = x if side else o  # of the side that moved last
        # A last stone must be found, since games end with the stone that wins, not later.
        able = {*last([*x, *o])}
        for stone in sorted(able.intersection(mine)):
            ordered = [*(cell for cell in mine if cell != stone), stone]
            position = played(ordered, o) if side else played(x, ordered)
            if position is not None:
                return position
        # Stones that no order of moves explains are accepted as long as the game is not over.
        position = played(x, o)
        open_to = position is not None and rules.listed(rules.menu(position))
        return position if open_to else None

    def played(x: Sequence[int], o: Sequence[int]) -> Any:
        position = start
        for number in range(len(x) + len(o)):
            if not rules.listed(rules.menu(position)):
                return None
            cell = (o if number % 2 else x)[number // 2]
            position = rules.play(position, cell if numbers is None else numbers[cell])
        return position

    return place


def is_ending(line: str) -> bool:
    """Return whether a line says whose turn it is, or how the game ended.

    >>> is_ending('X to move'), is_ending('X gets 1, O gets 0'), is_ending('X . O')
    (True, True, False)
    """
    words = line.lower().split()
    return words == ['draw'] or not {'to', 'wins', 'gets'}.isdisjoint(words[1:])


def outcome(winner: Player | None) -> str:
    """Return the result of a finished game in words: `X wins`, `O wins` or `draw`."""
    return 'draw' if winner is None else f'{winner} wins'


def standing(state: Any) -> str:
    """Return the last line of a board: `X to move`, `O wins`, `draw`."""
    if state.over:
        return ended(state)
    return 'chance to move' if chances_of(state) else f'{state.player} to move'


def ended(state: Any) -> str:
    """Return how a finished game ended: its winner, or the rewards of all players."""
    winner = getattr(state, 'winner', None)
    if is_plain(state) or winner is not None:
        return outcome(winner)
    rewards = zip(players_of(state), rewards_of(state), strict=True)
    return ', '.join(f'{player} gets {reward:.3g}' for player, reward in rewards)


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
