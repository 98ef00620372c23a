"""Boards as SVG, for every game: `board_svg`.

A board that a game writes as rows of X, O and `.` is drawn cell by cell, in the style of its
family; piles of Nim are drawn as sticks, other rows of equally many short words as a grid; of any
other game the text is drawn. A state may define `picture()`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

import attrs
from attrs import frozen

from fmcts._arguments import shown
from fmcts.game import GameState, Player, given_winner
from fmcts.games import Unwritten, boards, game_of
from fmcts.games._cells import Cells, Place, moved, read_cells, winning_line
from fmcts.search._analysis import Analysis, MoveStats
from fmcts.view._parts import Notation
from fmcts.view._svg import INK, SIDES, Svg, document, element, plain, width_of, words

CELL: Final = 44.0
EDGE: Final = 12.0
LABEL: Final = 18.0  # room for the labels of a row or column
LINE: Final = 18.0  # and for a line of words below
SLANT: Final = 0.8660254037844386  # sqrt(3) / 2, of hexagons
LAST: Final = '#F0E442'
CHOICE: Final = '#009E73'
LISTED: Final = 12  # moves below a board that has no place for them
LONGEST_LINE: Final = 100
MOST_LINES: Final = 60
LONG: Final = 5  # letters of a word that has no room in a cell
PILE: Final = re.compile(r'^([a-z])\s+([| ]*?)\s*(\d+)$')

Picture = Callable[[Any], str]


class _Named(Notation, Protocol):
    """A game's text format and name."""

    @property
    def name(self) -> str:
        """The game's name."""


@frozen
class _Look:
    """The style of a family: its cells and its stones."""

    cells: str = 'squares'  # or: holes, hexagons
    stones: str = 'signs'  # or: discs, black and white, men
    ground: str | None = None
    ink: str = INK
    choice: str = CHOICE


LOOKS: Final[Mapping[str, _Look]] = {
    'connect4': _Look('holes', 'discs'),
    'connect': _Look('holes', 'discs'),
    'othello': _Look(stones='black and white', ground='#2f7d4f', ink='#ffffff', choice='#F0E442'),
    'hex': _Look('hexagons', 'discs'),
    'breakthrough': _Look(stones='men'),
}


def notation_of(state: GameState[Any]) -> Any:
    """Return the text format of a state's game: its name, `format` and `format_move`.

    A game without text is written by `repr`.
    """
    return game_of(state) or Unwritten(type(state).__name__, state)


def cells_of(text: str, game: Any) -> Cells | None:
    """Return the board that a game with a text format wrote, if it is rows of X, O and `.`."""
    return None if isinstance(game, Unwritten) else read_cells(text)


def share_and_value(stats: MoveStats[Any], visits: int) -> tuple[str, str]:
    """Return a move's share of all visits, and its value, both in words."""
    share = f'{stats.visits / visits:.0%}' if visits else '-'
    value = '' if stats.value is None else f'{stats.value:.3f}'
    return share, value if stats.proof is None else str(stats.proof)


def board_svg(
    state: GameState[Any],
    analysis: Analysis[Any] | None = None,
    *,
    before: GameState[Any] | None = None,
    game: _Named | None = None,
    picture: Picture | None = None,
    words_below: bool = True,
) -> Svg:
    """Return the board of a state as SVG; equal arguments give the same bytes.

    The text is a complete image: well-formed XML, without scripts, readable on a light or dark
    background, with title and description for screen readers. A notebook displays it.

    :param analysis: of this state. Each move is marked with its share of the visits and its value
        or proof, the chosen one by a frame; moves without a place on the board are listed below.
    :param before: the state that the last move was played in; its stone's cell is marked.
    :param game: how the state is written, like a game's module (`name`, `format`, `format_move`);
        by default, the game that the state belongs to.
    :param picture: a function from the state to SVG text, which draws it instead; by default, the
        state's method `picture()`, if its class has one. Such an image gets no marks.
    :param words_below: write the side to move, or the result, below the board.
    :raises TypeError: `picture` gives something that is not SVG text.
    :raises ValueError: the analysis is of another state.

    >>> from fmcts.games import tictactoe
    >>> board_svg(tictactoe.start.play(4)).count('class="stone X"')
    1
    """
    if analysis is not None and analysis.tree.state != state:
        raise ValueError('the analysis is of another state: expected the one that is drawn')
    own = picture or getattr(type(state), 'picture', None)
    if own is not None:
        return _checked(own(state))
    notation: _Named = game or notation_of(state)
    text = notation.format(state)
    cells = cells_of(text, notation)
    drawing: _Sheet
    if cells is not None:
        drawing = _Drawing(cells, LOOKS.get(notation.name.partition(':')[0], _Look()), notation)
    else:
        drawing = _Text(text, notation)
    if analysis is not None:
        drawing.mark(state, analysis)
    if before is not None:
        drawing.mark_last(before)
    winner = given_winner(state) if state.over else None
    if isinstance(winner, Player):
        drawing.mark_line(winner.name)
    return drawing.drawn(boards.standing(state), text, words_below=words_below)


def board_parts(cells: Cells, game: _Named) -> dict[str, Any]:
    """Return what a page needs to draw any position on a board of these cells.

    `ground` is the image of the empty board, with `size`; `centres` are the centres of the cells in
    reading order. `stones`, and `outline`, `chosen` and `last` around a cell, are drawn at the
    first cell, to be moved. `ink` is the colour of figures on the board.
    """
    empty = attrs.evolve(cells, rows=tuple('.' * len(row) for row in cells.rows))
    look = LOOKS.get(game.name.partition(':')[0], _Look())
    drawing = _Drawing(empty, look, game)
    at: Place = (0, 0)
    inset = -3 if look.cells == 'holes' else 1
    return {
        'ground': ''.join(drawing.parts),
        'size': [round(drawing.width, 2), round(drawing.height, 2)],
        'centres': [[round(it, 2) for it in drawing.centre(place)] for place in empty.places()],
        'stones': [drawing._stone(at, side) for side in 'XO'],  # noqa: SLF001 - of this module
        'outline': drawing._cell(at, fill=INK, fill_opacity=0),  # noqa: SLF001 - the same
        'chosen': drawing._cell(at, 2, stroke=look.choice, stroke_width=3),  # noqa: SLF001 - the same
        'last': drawing._cell(at, inset, fill=LAST, fill_opacity=0.45),  # noqa: SLF001 - the same
        'ink': look.ink,
    }


def _checked(picture: object) -> Svg:
    if isinstance(picture, str) and '<svg' in picture:
        return Svg(picture[picture.index('<svg') :])
    raise TypeError(f'a picture must be SVG text, with an <svg> element, not {shown(picture)}')


@frozen
class _Mark:
    """The annotation of a move: its name, its share of the visits, and its value.

    `part` is the share as a number. `after` is the text of the position that it leads to, `side`
    the player.
    """

    name: str
    share: str
    value: str
    part: float
    chosen: bool
    side: str
    after: str

    def __str__(self) -> str:
        return f'{self.name}: {self.share} of the visits, value {self.value or "-"}'


class _Sheet:
    """The parts drawn so far, and their size; `below` are lines of words under the board."""

    width: float
    height: float

    def __init__(self, notation: _Named) -> None:
        self.notation = notation
        self.parts: list[str] = []
        self.below: list[str] = []
        self.marks: list[str] = []

    def mark(self, state: GameState[Any], analysis: Analysis[Any]) -> None:
        """Mark the moves, or list those that have no place."""
        visits = sum(stats.visits for stats in analysis.stats)
        unplaced = []
        for stats in analysis.stats:
            share, value = share_and_value(stats, visits)
            mark = _Mark(
                self.notation.format_move(stats.move),
                share,
                value,
                stats.visits / visits if visits else 0.0,
                stats.move == analysis.move,
                str(state.player),
                self.notation.format(state.play(stats.move)),
            )
            star = '* ' if mark.chosen else ''
            self.marks.append(f'{star}{mark}')
            if not self.mark_move(mark):
                unplaced.append((stats.visits, f'{star}{mark.name}  {share}  {value}'.rstrip()))
        if len(unplaced) > LISTED:
            least = sorted(it[0] for it in unplaced)[-LISTED]
            listed = [it for it in unplaced if it[0] >= least][:LISTED]
            unplaced = [*listed, (0, f'({len(unplaced) - len(listed)} more)')]
        self.below += [line for _, line in unplaced]

    def mark_move(self, _mark: _Mark) -> bool:
        """Mark a move at its place; return `False` if it has none here."""
        return False

    def mark_last(self, before: GameState[Any]) -> None:
        """Mark the stone of the last move."""

    def mark_line(self, side: str) -> None:
        """Mark the line that won."""

    def drawn(self, standing: str, text: str, *, words_below: bool) -> Svg:
        """Return the whole picture."""
        lines = [*([standing] if words_below else []), *self.below]
        width = max([self.width, *(width_of(line, 12) + 2 * EDGE for line in lines)])
        for number, line in enumerate(lines):
            y = self.height + LINE * number + 10
            weight = 'bold' if words_below and number == 0 else None
            self.parts.append(words(width / 2, y, line, 12, font_weight=weight))
        inside = self.parts
        if width > self.width:
            begun = len(inside) - len(lines)
            moved_over = f'translate({(width - self.width) / 2:.2f} 0)'
            inside = [element('g', *inside[:begun], transform=moved_over), *inside[begun:]]
        height = self.height + LINE * len(lines)
        about = '\n'.join([text.rstrip('\n'), *self.marks])
        title = f'{self.notation.name}: {standing}'
        return document(width, height, inside, title=title, about=about)


def _grid(lines: Sequence[str]) -> list[list[str]]:
    """Return the words of the first lines, as far as these are equally many short words."""
    rows = [line.split() for line in lines]
    short = itertools.takewhile(lambda row: max(map(len, row)) < LONG, rows)
    return [*itertools.takewhile(lambda row: len(row) == len(rows[0]), short)]


class _Text(_Sheet):
    """A picture of a game's text, and of sticks for counters."""

    def __init__(self, text: str, notation: _Named) -> None:
        super().__init__(notation)
        lines = [line for line in text.expandtabs().splitlines() if line.strip()]
        said = lines[-1:] if boards.is_ending(lines[-1] if lines else '') else []
        lines = lines[: len(lines) - len(said)]
        piles = [PILE.match(line) for line in lines]
        if piles and all(pile and pile[2].count('|') == int(pile[3]) for pile in piles):
            self._piles([(pile[1], int(pile[3])) for pile in piles if pile])
            return
        rows = _grid(lines)
        if len(rows) > 1:
            self._cells(rows, lines[len(rows) :])
            return
        if len(lines) > MOST_LINES:
            lines = [*lines[:MOST_LINES], f'({len(lines) - MOST_LINES} lines more)']
        lines = [it if len(it) <= LONGEST_LINE else f'{it[:LONGEST_LINE]}...' for it in lines]
        widest = max((width_of(line, 13, mono=True) for line in lines), default=0.0)
        for number, line in enumerate(lines, 1):
            look: dict[str, Any] = {'mono': True, 'text_anchor': 'start', 'class_': 'line'}
            self.parts.append(words(EDGE, 4 + LINE * number, line, 13, **look))
        self.width = max(widest, CELL) + 2 * EDGE
        self.height = LINE * len(lines) + EDGE + 4

    def _cells(self, rows: list[list[str]], said: list[str]) -> None:
        for row, names in enumerate(rows):
            for column, name in enumerate(names):
                x, y = EDGE + CELL * column, EDGE + CELL * row
                look: dict[str, Any] = {'stroke': INK, 'stroke_opacity': 0.45, 'class_': 'cell'}
                self.parts.append(element('rect', x=x, y=y, width=CELL, height=CELL, **look))
                if name != '.':
                    look = {'font_weight': 'bold', 'fill': SIDES.get(name, INK)}
                    self.parts.append(words(x + CELL / 2, y + CELL / 2 + 5, name, 15, **look))
        self.width = CELL * len(rows[0]) + 2 * EDGE
        self.height = CELL * len(rows) + 2 * EDGE
        self.below += said

    def _piles(self, piles: list[tuple[str, int]]) -> None:
        for row, (name, count) in enumerate(piles):
            y = EDGE + 32 * row
            self.parts.append(words(EDGE + 6, y + 18, name, 13, opacity=0.75))
            for place in range(count):
                x = EDGE + 26 + 12 * place
                look: dict[str, Any] = {'stroke': CHOICE, 'stroke_width': 5}
                look |= {'stroke_linecap': 'round', 'class_': 'stone counter'}
                self.parts.append(element('path', d=f'M{x:g} {y + 3:g}v20', **look))
            x = EDGE + 26 + 12 * count + 12
            self.parts.append(words(x, y + 18, str(count), 13, opacity=0.75))
        self.width = 3 * EDGE + 44 + 12 * max(count for _, count in piles)
        self.height = 2 * EDGE + 32 * len(piles)


class _Drawing(_Sheet):
    """A board of cells."""

    def __init__(self, cells: Cells, look: _Look, notation: _Named) -> None:
        super().__init__(notation)
        self.cells, self.look = cells, look
        rows, columns = len(cells.rows), len(cells.rows[0])
        self.left = EDGE + LABEL * bool(cells.beside)
        self.top = EDGE + LABEL * bool(cells.above)
        across, down = CELL, CELL
        if look.cells == 'hexagons':
            across, down = 2 * SLANT * 26, 39.0
        self.step = across, down
        slant = across / 2 * (rows - 1) if look.cells == 'hexagons' else 0.0
        extra = 13.0 if look.cells == 'hexagons' else 0.0
        bottom = self.top + down * rows + extra
        self.width = self.left + across * columns + slant + EDGE
        self.height = bottom + LABEL * bool(cells.below) + EDGE
        self._ground(columns * across, rows * down)
        self._labels(bottom)
        for place in cells.places():
            self.parts.append(self._cell(place, class_='cell', **self._grid(place)))
        if look.cells == 'hexagons':
            self._borders()
        self.stones = [self._stone(it, cells[it]) for it in cells.places() if cells[it] != '.']
        self.under: list[str] = []
        self.over: list[str] = []

    def drawn(self, standing: str, text: str, *, words_below: bool) -> Svg:
        """Return the whole picture: marks of cells, stones, marks over them."""
        self.parts += [*self.under, *self.stones, *self.over]
        return super().drawn(standing, text, words_below=words_below)

    def centre(self, place: Place) -> tuple[float, float]:
        """Return the middle of a cell."""
        (across, down), (row, column) = self.step, place
        if self.look.cells == 'hexagons':
            return self.left + across * (column + row / 2 + 0.5), self.top + down * row + 26
        return self.left + across * (column + 0.5), self.top + down * (row + 0.5)

    def _grid(self, place: Place) -> dict[str, Any]:
        """Return the attributes of an empty cell."""
        stroke: dict[str, Any] = {'stroke': self.look.ink, 'stroke_opacity': 0.45}
        if self.look.stones == 'men':
            stroke |= {'fill': self.look.ink, 'fill_opacity': 0.04 + 0.1 * (sum(place) % 2)}
        return stroke

    def _cell(self, place: Place, inset: float = 0, **look: Any) -> str:
        """Return the outline of a cell."""
        x, y = self.centre(place)
        if self.look.cells == 'holes':
            return element('circle', cx=x, cy=y, r=18.0 - inset, **look)
        if self.look.cells == 'hexagons':
            r = 26.0 - inset
            corners = ((0, -r), (1, -r / 2), (1, r / 2), (0, r), (-1, r / 2), (-1, -r / 2))
            points = ' '.join(f'{x + side * SLANT * r:.2f},{y + dy:.2f}' for side, dy in corners)
            return element('polygon', points=points, **look)
        size, half = CELL - 2 * inset, CELL / 2 - inset
        return element('rect', x=x - half, y=y - half, width=size, height=size, **look)

    def _ground(self, width: float, height: float) -> None:
        """Draw the background of the board."""
        look: dict[str, Any] = {'x': self.left, 'y': self.top, 'width': width, 'height': height}
        if self.look.ground:
            self.parts.append(element('rect', fill=self.look.ground, **look))
        elif self.look.cells == 'holes':
            look |= {'rx': 8, 'fill': INK, 'fill_opacity': 0.1}
            self.parts.append(element('rect', **look))

    def _labels(self, bottom: float) -> None:
        """Draw the names of columns and rows around the board."""
        cells, last = self.cells, len(self.cells.rows) - 1
        faint: dict[str, Any] = {'opacity': 0.75}
        for column, name in enumerate(cells.above):
            x, y = self.centre((0, column))
            up = self.top - 6 if self.look.cells != 'hexagons' else y - 33
            self.parts.append(words(x, up, name, 12, **faint))
        for column, name in enumerate(cells.below):
            self.parts.append(words(self.centre((last, column))[0], bottom + 15, name, 12, **faint))
        for row, name in enumerate(cells.beside):
            x, y = self.centre((row, 0))
            self.parts.append(words(x - self.step[0] / 2 - 11, y + 4, name, 12, **faint))

    def _borders(self) -> None:
        """Draw the two borders of each side of Hex, in its colour."""
        last = len(self.cells.rows) - 1
        r, w = 26.0, SLANT * 26
        ends = {
            'X': (((0, k), (-w, -r / 2), (0, -r), (w, -r / 2)) for k in range(last + 1)),
            'O': (((k, 0), (-w, -r / 2), (-w, r / 2), (0, r)) for k in range(last + 1)),
        }
        for side, cells in ends.items():
            for place, *corners in cells:
                for sign, at in ((1, place), (-1, (last - place[0], last - place[1]))):
                    x, y = self.centre(at)
                    line = ' '.join(
                        f'{x + sign * dx:.2f},{y + sign * dy:.2f}' for dx, dy in corners
                    )
                    look = {'stroke': SIDES[side], 'stroke_width': 4, 'class_': f'border {side}'}
                    self.parts.append(element('polyline', points=line, **look))

    def _stone(self, place: Place, side: str) -> str:
        """Return a stone; a cross or a ring distinguishes the sides without colours."""
        x, y = self.centre(place)
        kind, colour = self.look.stones, SIDES[side]
        if kind == 'black and white':
            fill, edge = ('#111111', '#ffffff') if side == 'X' else ('#ffffff', '#111111')
            rim: dict[str, Any] = {'stroke': edge, 'stroke_opacity': 0.6}
            return element('circle', cx=x, cy=y, r=17, fill=fill, class_=f'stone {side}', **rim)
        if kind == 'men':
            ahead = 1 if side == 'X' else -1  # X goes down the page
            back = y - 11 * ahead
            points = f'{x - 13:g},{back:g} {x + 13:g},{back:g} {x:g},{y + 13 * ahead:g}'
            return element('polygon', points=points, fill=colour, class_=f'stone {side}')
        if kind == 'discs':
            disc = element('circle', cx=x, cy=y, r=17, fill=colour)
            return element(
                'g', disc, _sign(x, y, side, 6.0, '#ffffff', 2.5), class_=f'stone {side}'
            )
        return element('g', _sign(x, y, side, 12.0, colour, 5), class_=f'stone {side}')

    def mark_last(self, before: GameState[Any]) -> None:
        """Mark the cell of the last move."""
        old = read_cells(self.notation.format(before))
        if old is None or len(old.rows) != len(self.cells.rows):
            return
        _, place = moved(old, self.cells, str(before.player))
        if place is not None:
            look = {'fill': LAST, 'fill_opacity': 0.45, 'class_': 'last'}
            self.under.append(self._cell(place, -3 if self.look.cells == 'holes' else 1, **look))

    def mark_line(self, side: str) -> None:
        """Draw a line through the stones that won."""
        places = winning_line(self.cells, self.notation.name, side)
        if places:
            points = ' '.join('{:.2f},{:.2f}'.format(*self.centre(place)) for place in places)
            look: dict[str, Any] = {'stroke': INK, 'stroke_width': 5, 'stroke_opacity': 0.75}
            look |= {'stroke_linecap': 'round', 'stroke_linejoin': 'round', 'class_': 'line'}
            self.over.append(element('polyline', points=points, **look))

    def mark_move(self, mark: _Mark) -> bool:
        """Mark a move at its stone's cell, or by an arrow; return `False` if it has no place."""
        after = read_cells(mark.after)
        source, target = (None, None) if after is None else moved(self.cells, after, mark.side)
        if target is None:
            return False
        if source is None:
            inside = self._figures(mark, target)
        else:
            inside = self._arrow(mark, self.centre(source), self.centre(target))
        kind = 'move chosen' if mark.chosen else 'move'
        self.over.append(element('g', element('title', plain(mark)), *inside, class_=kind))
        return True

    def _figures(self, mark: _Mark, place: Place) -> list[str]:
        """Return a move's share and value in its cell."""
        x, y = self.centre(place)
        inside = [
            self._cell(place, fill=INK, fill_opacity=0)
        ]  # so that the title covers the whole cell
        if mark.chosen:
            inside.append(self._cell(place, 2, stroke=self.look.choice, stroke_width=3))
        ink: dict[str, Any] = {'fill': self.look.ink}
        bar: dict[str, Any] = {'x': x - 14, 'y': y + 12.5, 'height': 3, 'width': 28 * mark.part}
        return [
            *inside,
            words(x, y - 1, mark.share, 12, font_weight='bold', room=CELL - 10, **ink),
            words(x, y + 10, mark.value, 9, room=CELL - 12, **ink),
            element('rect', fill=self.look.choice, **bar),
        ]

    def _arrow(
        self, mark: _Mark, begin: tuple[float, float], end: tuple[float, float]
    ) -> list[str]:
        """Return an arrow for a move from cell to cell, as thick as its share."""
        (x, y), (to_x, to_y) = begin, end
        colour = CHOICE if mark.chosen else INK
        look: dict[str, Any] = {'stroke': colour, 'stroke_width': 1.5 + 6 * mark.part}
        look |= {'stroke_opacity': 0.9 if mark.chosen else 0.5, 'stroke_linecap': 'round'}
        line = element('path', d=f'M{x:g} {y:g}L{to_x:g} {to_y:g}', **look)
        tip = element('circle', cx=to_x, cy=to_y, r=3 + 4 * mark.part, fill=colour)
        middle = (x + 2 * to_x) / 3, (y + 2 * to_y) / 3 - 4
        label = words(*middle, mark.share, 10, font_weight='bold')
        return [line, tip, label] if mark.chosen else [line, tip]


def _sign(x: float, y: float, side: str, size: float, colour: str, width: float) -> str:
    """Return the cross of X, or the ring of O."""
    look: dict[str, Any] = {'stroke': colour, 'stroke_width': width, 'stroke_linecap': 'round'}
    if side == 'O':
        return element('circle', cx=x, cy=y, r=size, **look)
    whole = 2 * size
    d = f'M{x - size:.2f} {y - size:.2f}l{whole:g} {whole:g}m0 {-whole:g}l{-whole:g} {whole:g}'
    return element('path', d=d, **look)
