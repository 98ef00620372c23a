"""Boards as SVG, for every game: `board_svg`.

A board that a game writes as rows of X, O and `.` is drawn cell by cell, in the style of its
family; other rows of equally many short words are drawn as a grid; of any other game the text is
drawn. A state may define `picture()`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from fmcts._arguments import shown
from fmcts.game import GameState, Player, given_winner
from fmcts.games import Cells, Place, Unwritten, boards, game_of, moved, read_cells, winning_line
from fmcts.record import GameRecord
from fmcts.search import Analysis
from fmcts.view._parts import Notation
from fmcts.view._svg import (
    INK,
    NEUTRAL,
    SIDES,
    Svg,
    colours_of_moves,
    document,
    element,
    plain,
    width_of,
    words,
)

CELL: Final = 44.0
EDGE: Final = 12.0
LABEL: Final = 18.0  # room for the labels of a row or column
LINE: Final = 18.0  # and for a line of words below
RADIUS: Final = 26.0  # of a hexagon
SLANT: Final = 0.8660254037844386 * RADIUS  # sqrt(3) / 2 of it, half its width
CORNERS: Final = (  # of a hexagon, from its middle
    *((0.0, -RADIUS), (SLANT, -RADIUS / 2), (SLANT, RADIUS / 2)),
    *((0.0, RADIUS), (-SLANT, RADIUS / 2), (-SLANT, -RADIUS / 2)),
)
LAST: Final = '#F0E442'
CHOICE: Final = '#009E73'
LISTED: Final = 12  # moves below a board that has no place for them
LONGEST_LINE: Final = 100
MOST_LINES: Final = 60
LONG: Final = 5  # letters of a word that has no room in a cell
PILE: Final = re.compile(r'[a-z]  [| ]*\d+$')  # of Nim: its sticks are no cells

Picture = Callable[[Any], str]
Point = tuple[float, float]


@frozen
class _Look:
    """The style of a family: its cells and its stones."""

    cells: str = 'squares'  # or: holes, hexagons
    stones: str = 'signs'  # or: discs, black and white, men
    ground: str | None = None
    ink: str = INK
    choice: str = CHOICE


PLAIN: Final = _Look()
LOOKS: Final[Mapping[str, _Look]] = {
    'connect4': _Look('holes', 'discs'),
    'connect': _Look('holes', 'discs'),
    'othello': _Look(stones='black and white', ground='#2f7d4f', ink='#ffffff', choice='#F0E442'),
    'hex': _Look('hexagons', 'discs'),
    'breakthrough': _Look(stones='men'),
}


@frozen
class _Mark:
    """A move of an analysis: its name, and its share of the visits and value in words.

    `part` is the share as a number, `after` the board that it leads to.
    """

    name: str
    share: str
    value: str
    part: float
    chosen: bool
    after: Cells | None
    colour: str

    def __str__(self) -> str:
        return f'{self.name}: {self.share} of the visits, value {self.value or "-"}'


def notation_of(state: GameState[Any], game: Any = None) -> Any:
    """Return the text format of a state's game: its name, `format` and `format_move`.

    A game without text is written by `repr`. If `game` is given, it is returned.
    """
    return game or game_of(state) or Unwritten(type(state).__name__, state)


def cells_of(text: str, game: Any) -> Cells | None:
    """Return the board that a game with a text format wrote, if it is rows of X, O and `.`."""
    return None if isinstance(game, Unwritten) else read_cells(text)


def board_svg(
    state: GameState[Any],
    analysis: Analysis[Any] | None = None,
    *,
    before: GameState[Any] | None = None,
    game: Notation | None = None,
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
    return _drawn(state, analysis, before, game, picture, words_below=words_below)


def record_svg(record: GameRecord[Any, Any, Any], game: Notation | None = None) -> Svg:
    """Return the last position of a game, each stone with the number of the move that put it there.

    Where stones move, there are no numbers.
    """
    states = [
        *itertools.accumulate(record.moves, lambda it, move: it.play(move), initial=record.start)
    ]
    notation = notation_of(record.start, game)
    numbers: dict[Place, int] = {}
    boards_of = [cells_of(notation.format(it), notation) for it in states]
    for number, (old, new) in enumerate(itertools.pairwise(boards_of), 1):
        if old is None or new is None or len(old.rows) != len(new.rows):
            break
        source, place = moved(old, new, str(states[number - 1].player))
        # Men that move pass a cell several times: numbers on stones say nothing there.
        if source is not None:
            numbers.clear()
            break
        if place is not None:
            numbers[place] = number
    before = states[-2] if record.moves else None
    return _drawn(record.final, None, before, game, None, numbers, words_below=True)


def _drawn(
    state: GameState[Any],
    analysis: Analysis[Any] | None,
    before: GameState[Any] | None,
    game: Notation | None,
    picture: Picture | None,
    numbers: Mapping[Place, int] | None = None,
    *,
    words_below: bool,
) -> Svg:
    """Return the picture of a state, with numbers in the corners of some cells."""
    own = picture or getattr(type(state), 'picture', None)
    if own is not None:
        drawn = own(state)
        if isinstance(drawn, str) and '<svg' in drawn:
            return Svg(drawn[drawn.index('<svg') :])
        raise TypeError(f'a picture must be SVG text, with an <svg> element, not {shown(drawn)}')
    notation: Notation = notation_of(state, game)
    text, standing = notation.format(state), boards.standing(state)
    marks = [] if analysis is None else [*_marks(state, analysis, notation)]
    below = [standing] if words_below else []
    cells = cells_of(text, notation)
    if cells is not None:
        board = _Board.of(cells, notation)
        old = None if before is None else read_cells(notation.format(before))
        last = [] if before is None else board.last(old, str(before.player))
        winner = given_winner(state) if state.over else None
        line: Sequence[Place] = ()
        if isinstance(winner, Player):
            line = winning_line(cells, notation.name, winner.name)
        placed = [board.mark(mark, str(state.player)) for mark in marks]
        parts = [*board.empty, *last, *board.stones, *board.row(line), *filter(None, placed)]
        parts += [board.number(place, it) for place, it in (numbers or {}).items()]
        size = board.size
        unplaced = [it for it, drawn in zip(marks, placed, strict=True) if not drawn]
    else:
        parts, size, said = _text(text)
        below, unplaced = [*below, *said], marks
    return document(
        *size,
        parts,
        title=f'{notation.name}: {standing}',
        about='\n'.join([text.rstrip('\n'), *(f'{"* " * it.chosen}{it}' for it in marks)]),
        below=[*below, *_listed(unplaced)],
        bold=words_below,
    )


def _marks(state: GameState[Any], analysis: Analysis[Any], game: Notation) -> Iterator[_Mark]:
    visits = sum(stats.visits for stats in analysis.stats)
    colours = colours_of_moves([stats.visits for stats in analysis.stats])
    for stats, colour in zip(analysis.stats, colours, strict=True):
        value = '' if stats.value is None else f'{stats.value:.3f}'
        yield _Mark(
            game.format_move(stats.move),
            f'{stats.visits / visits:.0%}' if visits else '-',
            value if stats.proof is None else str(stats.proof),
            stats.visits / visits if visits else 0.0,
            stats.move == analysis.move,
            read_cells(game.format(state.play(stats.move))),
            colour or NEUTRAL,
        )


def _listed(marks: Sequence[_Mark]) -> list[str]:
    """Return lines for moves that have no place on the board: those with the most visits."""
    least = sorted((mark.part for mark in marks), reverse=True)[:LISTED][-1:]
    kept = [mark for mark in marks if mark.part >= least[0]][:LISTED]  # in their order
    lines = [
        f'{"* " * mark.chosen}{mark.name}  {mark.share}  {mark.value}'.rstrip() for mark in kept
    ]
    return lines if len(kept) == len(marks) else [*lines, f'({len(marks) - len(kept)} more)']


def _text(text: str) -> tuple[list[str], Point, list[str]]:
    """Return a grid of words or lines of text as a picture: its parts, size and lines below."""
    lines = [line for line in text.expandtabs().splitlines() if line.strip()]
    if lines and boards.is_ending(lines[-1]):
        lines = lines[:-1]
    split = [] if any(map(PILE.match, lines)) else map(str.split, lines)
    short = [*itertools.takewhile(lambda row: max(map(len, row)) < LONG, split)]
    rows = [*itertools.takewhile(lambda row: len(row) == len(short[0]), short)]
    if len(rows) > 1:
        board = _Board(rows, PLAIN)
        return [*board.empty, *board.stones], board.size, lines[len(rows) :]
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f'({len(lines) - MOST_LINES} lines more)']
    lines = [it if len(it) <= LONGEST_LINE else f'{it[:LONGEST_LINE]}...' for it in lines]
    widest = max((width_of(line, 13, mono=True) for line in lines), default=0.0)
    look: dict[str, Any] = {'mono': True, 'text_anchor': 'start', 'class_': 'line'}
    parts = [
        words(EDGE, 4 + LINE * number, line, 13, **look) for number, line in enumerate(lines, 1)
    ]
    return parts, (max(widest, CELL) + 2 * EDGE, LINE * len(lines) + EDGE + 4), []


class _Board:
    """A board in the style of its family.

    `empty` has the parts of the empty board, `stones` what is on it: other words than X and O are
    written. `size` is its width and height.
    """

    def __init__(
        self, rows: Sequence[Sequence[str]], look: _Look, cells: Cells | None = None
    ) -> None:
        """Make a board of these rows; `cells` is the board if the game wrote one, with labels."""
        labels = cells or Cells(())
        self.look, self.cells, self.hexagons = look, cells, look.cells == 'hexagons'
        self.left = EDGE + LABEL * bool(labels.beside)
        self.top = EDGE + LABEL * bool(labels.above)
        self.step = (2 * SLANT, 1.5 * RADIUS) if self.hexagons else (CELL, CELL)
        across, down = self.step[0] * len(rows[0]), self.step[1] * len(rows)
        aside, tip = (SLANT * (len(rows) - 1), RADIUS / 2) if self.hexagons else (0.0, 0.0)
        bottom = self.top + down + tip
        self.size = self.left + across + aside + EDGE, bottom + LABEL * bool(labels.below) + EDGE
        places = [*itertools.product(range(len(rows)), range(len(rows[0])))]
        self.empty = [
            *self._ground(across, down),
            *self._labels(labels, len(rows) - 1, bottom),
            *(self.cell(place, class_='cell', **self._empty_cell(place)) for place in places),
            *(self._borders(len(rows) - 1) if self.hexagons else ()),
        ]
        words_at = ((place, rows[place[0]][place[1]]) for place in places)
        self.stones = [self.stone(place, word) for place, word in words_at if word != '.']

    @classmethod
    def of(cls, cells: Cells, game: Notation) -> _Board:
        """Return the board that a game wrote."""
        return cls(cells.rows, LOOKS.get(game.name.partition(':')[0], PLAIN), cells)

    def centre(self, place: Place) -> Point:
        """Return the middle of a cell."""
        (across, down), (row, column) = self.step, place
        if self.hexagons:
            return self.left + across * (column + row / 2 + 0.5), self.top + down * row + RADIUS
        return self.left + across * (column + 0.5), self.top + down * (row + 0.5)

    def cell(self, place: Place, inset: float = 0, **look: Any) -> str:
        """Return the outline of a cell."""
        x, y = self.centre(place)
        if self.look.cells == 'holes':
            return element('circle', cx=x, cy=y, r=18.0 - inset, **look)
        if self.hexagons:
            part = (RADIUS - inset) / RADIUS
            points = _points((x + dx * part, y + dy * part) for dx, dy in CORNERS)
            return element('polygon', points=points, **look)
        size, half = CELL - 2 * inset, CELL / 2 - inset
        return element('rect', x=x - half, y=y - half, width=size, height=size, **look)

    def _empty_cell(self, place: Place) -> dict[str, Any]:
        look: dict[str, Any] = {'stroke': self.look.ink, 'stroke_opacity': 0.45}
        if self.look.stones == 'men':  # a chequered board
            look |= {'fill': self.look.ink, 'fill_opacity': 0.04 + 0.1 * (sum(place) % 2)}
        return look

    def _ground(self, width: float, height: float) -> Iterator[str]:
        look: dict[str, Any] = {'x': self.left, 'y': self.top, 'width': width, 'height': height}
        if self.look.ground:
            yield element('rect', fill=self.look.ground, **look)
        elif self.look.cells == 'holes':
            yield element('rect', **look, rx=8, fill=INK, fill_opacity=0.1)

    def _labels(self, labels: Cells, last: int, bottom: float) -> Iterator[str]:
        """Yield the names of columns and rows around the board."""
        for column, name in enumerate(labels.above):
            up = self.top - (7 if self.hexagons else 6)
            yield words(self.centre((0, column))[0], up, name, 12, opacity=0.75)
        for column, name in enumerate(labels.below):
            yield words(self.centre((last, column))[0], bottom + 15, name, 12, opacity=0.75)
        for row, name in enumerate(labels.beside):
            x, y = self.centre((row, 0))
            yield words(x - self.step[0] / 2 - 11, y + 4, name, 12, opacity=0.75)

    def _borders(self, last: int) -> Iterator[str]:
        """Yield the borders of Hex in the colours of the sides: above and below, left and right."""
        sides = {
            'X': [((0, at), (5, 0, 1)) for at in range(last + 1)],
            'O': [((at, 0), (5, 4, 3)) for at in range(last + 1)],
        }
        for side, cells in sides.items():
            look = {'stroke': SIDES[side], 'stroke_width': 4, 'class_': f'border {side}'}
            for (row, column), corners in cells:
                # The border across is the same upside down.
                for sign, place in ((1, (row, column)), (-1, (last - row, last - column))):
                    x, y = self.centre(place)
                    points = (
                        (x + sign * CORNERS[at][0], y + sign * CORNERS[at][1]) for at in corners
                    )
                    yield element('polyline', points=_points(points), **look)

    def stone(self, place: Place, side: str) -> str:
        """Return a stone; a cross or a ring distinguishes the sides without colours."""
        x, y = self.centre(place)
        kind, name = self.look.stones, f'stone {side}'
        if side not in SIDES:
            return words(x, y + 5, side, 15, font_weight='bold')
        if kind == 'black and white':
            fill, rim = ('#111111', '#ffffff') if side == 'X' else ('#ffffff', '#111111')
            look: dict[str, Any] = {'class_': name, 'stroke': rim, 'stroke_opacity': 0.6}
            return element('circle', cx=x, cy=y, r=17, fill=fill, **look)
        if kind == 'men':
            ahead = 1 if side == 'X' else -1  # X goes down the page
            back = y - 11 * ahead
            points = f'{x - 13:g},{back:g} {x + 13:g},{back:g} {x:g},{y + 13 * ahead:g}'
            return element('polygon', points=points, fill=SIDES[side], class_=name)
        if kind == 'discs':
            disc = element('circle', cx=x, cy=y, r=17, fill=SIDES[side])
            return element('g', disc, _sign(x, y, side, 6.0, '#ffffff', 2.5), class_=name)
        return element('g', _sign(x, y, side, 12.0, SIDES[side], 5), class_=name)

    def last(self, old: Cells | None, side: str) -> Iterator[str]:
        """Yield the mark of the cell that `side` moved to, if the board shows it."""
        if self.cells is None or old is None or len(old.rows) != len(self.cells.rows):
            return
        _, place = moved(old, self.cells, side)
        if place is not None:
            inset = -3 if self.look.cells == 'holes' else 1
            yield self.cell(place, inset, fill=LAST, fill_opacity=0.45, class_='last')

    def row(self, places: Sequence[Place]) -> Iterator[str]:
        """Yield the line through the stones that won."""
        if places:
            look: dict[str, Any] = {'stroke': INK, 'stroke_width': 5, 'stroke_opacity': 0.75}
            look |= {'stroke_linecap': 'round', 'stroke_linejoin': 'round', 'class_': 'line'}
            yield element('polyline', points=_points(map(self.centre, places)), **look)

    def mark(self, mark: _Mark, side: str) -> str | None:
        """Return a move's mark, at its stone's cell or as an arrow; `None` if it has no place."""
        source, target = None, None
        if self.cells is not None and mark.after is not None:
            source, target = moved(self.cells, mark.after, side)
        if target is None:
            return None
        if source is None:
            inside = self._figures(mark, target)
        else:
            inside = iter(_arrow(mark, self.centre(source), self.centre(target)))
        kind = 'move chosen' if mark.chosen else 'move'
        return element('g', element('title', plain(mark)), *inside, class_=kind)

    def _figures(self, mark: _Mark, place: Place) -> Iterator[str]:
        """Yield a move's share and value in its cell, tinted by the share as in an explorer."""
        x, y = self.centre(place)
        yield self.cell(place, fill=mark.colour, fill_opacity=f'{0.12 + 0.4 * mark.part:.2f}')
        if mark.chosen:
            yield self.cell(place, 2, stroke=self.look.choice, stroke_width=3)
        ink: dict[str, Any] = {'fill': self.look.ink}
        yield words(x, y - 1, mark.share, 12, font_weight='bold', room=CELL - 10, **ink)
        yield words(x, y + 10, mark.value, 9, room=CELL - 12, **ink)

    def number(self, place: Place, number: int) -> str:
        """Return a number in the corner of a cell, beside its stone."""
        x, y = self.centre(place)
        look: dict[str, Any] = {'text_anchor': 'end', 'fill': self.look.ink, 'class_': 'number'}
        aside = (13, 21) if self.hexagons else (CELL / 2 - 2, CELL / 2 - 2)
        return words(x + aside[0], y + aside[1], str(number), 9, font_weight='bold', **look)


def board_parts(cells: Cells, game: Notation) -> dict[str, Any]:
    """Return what a page needs to draw any position on a board of these cells.

    `ground` is the image of the empty board, with `size`; `centres` are the centres of the cells in
    reading order. `stones`, and `outline`, `chosen` and `last` around a cell, are drawn at the
    first cell, to be moved. `ink` is the colour of figures on the board. `labelled`: whether names
    of columns or rows are around it.
    """
    board, first = _Board.of(cells, game), (0, 0)
    look = board.look
    return {
        'ground': ''.join(board.empty),
        'size': [round(it, 2) for it in board.size],
        'centres': [[round(it, 2) for it in board.centre(place)] for place in cells.places()],
        'stones': [board.stone(first, side) for side in 'XO'],
        'outline': board.cell(first, fill=INK, fill_opacity=0),
        'chosen': board.cell(first, 2, stroke=look.choice, stroke_width=3),
        'last': board.cell(first, -3 if look.cells == 'holes' else 1, fill=LAST, fill_opacity=0.45),
        'ink': look.ink,
        'labelled': bool(cells.above or cells.below or cells.beside),
    }


def _arrow(mark: _Mark, begin: Point, end: Point) -> list[str]:
    """Return an arrow for a move from cell to cell, as thick as its share."""
    (x, y), (to_x, to_y) = begin, end
    colour = mark.colour
    look: dict[str, Any] = {'stroke': colour, 'stroke_width': 1.5 + 6 * mark.part}
    look |= {'stroke_opacity': 0.9 if mark.chosen else 0.5, 'stroke_linecap': 'round'}
    line = element('path', d=f'M{x:g} {y:g}L{to_x:g} {to_y:g}', **look)
    tip = element('circle', cx=to_x, cy=to_y, r=3 + 4 * mark.part, fill=colour)
    middle = (x + 2 * to_x) / 3, (y + 2 * to_y) / 3 - 4
    label = words(*middle, mark.share, 10, font_weight='bold')
    return [line, tip, label] if mark.chosen else [line, tip]


def _points(points: Iterable[Point]) -> str:
    return ' '.join(f'{x:.2f},{y:.2f}' for x, y in points)


def _sign(x: float, y: float, side: str, size: float, colour: str, width: float) -> str:
    """Return the cross of X, or the ring of O."""
    look: dict[str, Any] = {'stroke': colour, 'stroke_width': width, 'stroke_linecap': 'round'}
    if side == 'O':
        return element('circle', cx=x, cy=y, r=size, **look)
    whole = 2 * size
    d = f'M{x - size:.2f} {y - size:.2f}l{whole:g} {whole:g}m0 {-whole:g}l{-whole:g} {whole:g}'
    return element('path', d=d, **look)
