"""Trees of boxes as SVG: the caller gives the boxes, and their places are computed."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from fmcts.view._layout import places_across
from fmcts.view._svg import (
    COLOURS,
    INK,
    NEUTRAL,
    Svg,
    document,
    element,
    plain,
    put,
    width_of,
    words,
)
from fmcts.view._trees import with_hidden

LINE = 14.0
SIZE = 11.0
ABOVE = 18.0  # room for the text on the line that leads to a box
DOWN = 30.0  # from the bottom of a box to the end of the line
APART = 12.0
EDGE = 10.0
BOARD = 84.0
NEW = '#009E73'


@frozen
class Box:
    """A node to draw; each box comes before those below it (preorder).

    :param parent: the index of its parent's box, -1 for the top.
    :param edge: the text on the line that leads to it.
    :param lines: the text in it.
    :param seat: whose value it is, the place among the players; shown as a coloured stripe.
    :param look: `path` on the principal variation; of versions `copied`, `new` or `shared`.
    :param weight: from 0 to 1, the thickness of the line that leads to it.
    :param board: a picture in it.
    :param hidden: how many boxes are left out below it.
    :param note: a description, for tooltips and screen readers.
    """

    parent: int
    edge: str
    lines: tuple[str, ...]
    seat: int | None = None
    look: str = ''
    weight: float = 0.0
    board: str | None = field(default=None, repr=False)
    hidden: int = 0
    note: str = ''


def boxes_svg(
    boxes: Sequence[Box], *, title: str, about: str = '', below: Sequence[str] = ()
) -> Svg:
    """Return a tree as SVG, from the root down, in time linear in the number of boxes.

    :param title: what it is, in a line.
    :param about: what it shows, in words.
    :param below: lines of words under the picture.
    """
    return _Sheet(boxes).drawn(title, about, below)


class _Sheet:
    """The measures of one picture."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self.boxes = boxes
        self.shown = with_hidden(boxes)
        self.places = places_across([parent for parent, _ in self.shown])
        self.depths: list[int] = []
        for parent, _ in self.shown:
            self.depths.append(self.depths[parent] + 1 if parent >= 0 else 0)
        texts = [width_of(line, SIZE) + 14 for box in boxes for line in box.lines]
        edges = [width_of(box.edge, SIZE) for box in boxes]
        hidden = [width_of(_more(box.hidden), SIZE) for box in boxes if box.hidden]
        board = BOARD + 8 if any(box.board for box in boxes) else 0.0
        self.width = max([40.0, board, *texts])
        self.unit = max([self.width, *edges, *hidden]) + APART
        self.board = board and BOARD + 4
        self.height = max(len(box.lines) for box in boxes) * LINE + 8 + self.board
        self.level = self.height + DOWN + ABOVE

    def x(self, at: int) -> float:
        """Return the middle of a box or its replacement."""
        return EDGE + self.unit * (self.places[at] + 0.5)

    def y(self, at: int) -> float:
        """Return its top."""
        return EDGE + self.level * self.depths[at]

    def drawn(self, title: str, about: str, below: Sequence[str]) -> Svg:
        """Return the whole picture: lines first, so that boxes are over them."""
        lines, boxes = [], []
        for at, (parent, place) in enumerate(self.shown):
            if place is None:
                above = self.shown[parent][1] or 0
                lines.append(self._line(parent, at, stroke_dasharray='2 4', stroke_opacity=0.5))
                text = _more(self.boxes[above].hidden)
                boxes.append(words(self.x(at), self.y(at) + 4, text, SIZE, opacity=0.75))
                continue
            box = self.boxes[place]
            if parent >= 0:
                lines.append(self._edge(parent, at, box))
            boxes.append(self._box(at, box))
        width = max([(max(self.places) + 1) * self.unit, *(width_of(it, 12) for it in below)])
        ends = (
            self.y(at) + (8 if it[1] is None else self.height) for at, it in enumerate(self.shown)
        )
        height = max(ends) + EDGE
        for number, line in enumerate(below):
            boxes.append(words(width / 2 + EDGE, height + 14 + 16 * number, line, 12))
        bottom = height + (16 * len(below) + 6 if below else 0)
        return document(width + 2 * EDGE, bottom, [*lines, *boxes], title=title, about=about)

    def _line(self, parent: int, at: int, **look: object) -> str:
        """Return a curve from the bottom of a box to one below it."""
        x, y = self.x(parent), self.y(parent) + self.height
        to_x, to_y = self.x(at), self.y(at) - ABOVE + 3
        middle = (y + to_y) / 2
        d = f'M{x:.2f} {y:.2f}C{x:.2f} {middle:.2f} {to_x:.2f} {middle:.2f} {to_x:.2f} {to_y:.2f}'
        return element('path', d=d, **{'stroke': INK, **look})

    def _edge(self, parent: int, at: int, box: Box) -> str:
        strong = box.look in ('path', 'copied', 'new')
        colour = NEW if box.look == 'new' else INK
        look: dict[str, object] = {'stroke': colour, 'stroke_width': 1 + 4 * box.weight}
        return self._line(parent, at, stroke_opacity=0.85 if strong else 0.35, **look)

    def _box(self, at: int, box: Box) -> str:
        """Return a box with its content, and the text on its line."""
        x, y = self.x(at), self.y(at)
        left = x - self.width / 2
        strong = box.look in ('path', 'copied', 'new')
        frame: dict[str, object] = {'stroke': NEW if box.look == 'new' else INK}
        frame['stroke_width'] = 2.5 if strong else 1.0
        if box.look == 'shared':
            frame |= {'stroke': NEUTRAL, 'stroke_dasharray': '3 3'}
        size: dict[str, object] = {'x': left, 'y': y, 'width': self.width, 'height': self.height}
        inside = [element('title', plain(box.note))] if box.note else []
        inside.append(element('rect', rx=4, fill=INK, fill_opacity=0.05, **size, **frame))
        if box.seat is not None:
            stripe = {'x': left + 2, 'y': y + 3, 'width': 3, 'height': self.height - 6}
            inside.append(element('rect', fill=COLOURS[box.seat % len(COLOURS)], **stripe))
        if box.board:
            inside.append(put(box.board, x - BOARD / 2, y + 4, BOARD, BOARD))
        ink = NEUTRAL if box.look == 'shared' else INK
        for number, line in enumerate(box.lines):
            weight = 'bold' if number == 0 else None
            down = y + 4 + self.board + LINE * number + 10.5
            inside.append(words(x + 2, down, line, SIZE, fill=ink, font_weight=weight))
        if box.edge:
            inside.append(words(x, y - 4, box.edge, SIZE, fill=ink, font_weight='bold'))
        return element('g', *inside, class_=f'node {box.look}'.strip())


def _more(count: int) -> str:
    return f'({count} more)'
