"""Trees of boxes as text, as Graphviz source and as SVG: the caller gives the boxes in preorder.

Places across the page are those of A. Kennedy, "Drawing trees", Journal of Functional Programming
6, 1996: subtrees are rigid, packed once from the left and once from the right, and placed in the
middle between the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from attrs import evolve, field, frozen

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

LINE: Final = 14.0
SIZE: Final = 11.0
ABOVE: Final = 18.0  # room for the text on the line that leads to a box
DOWN: Final = 30.0  # from the bottom of a box to the end of the line
APART: Final = 12.0
EDGE: Final = 10.0
BOARD: Final = 84.0
NEW: Final = '#009E73'
STRONG: Final = frozenset(('path', 'copied', 'new'))
MORE: Final = 'more'

# The text before a node, and before those below it.
INNER: Final = ('├─ ', '│  ')
LAST: Final = ('└─ ', '   ')

Outline = tuple[list[float], list[float]]


@frozen
class Box:
    """A node to draw; each box comes before those below it (preorder).

    :param text: the node in one line, for text, tooltips and screen readers.
    :param edge: the text on the line that leads to it.
    :param lines: the text in it.
    :param seat: whose value it is, the place among the players; shown as a coloured stripe.
    :param look: `path` on the principal variation; of versions `copied`, `new` or `shared`; `more`
        for the number of boxes left out at this place.
    :param weight: from 0 to 1, the thickness of the line that leads to it.
    :param board: a picture in it.
    :param number: its name in Graphviz source; by default, its place in the sequence.
    :param parent: the index of its parent's box, -1 for the top.
    :param colour: of the line that leads to it.
    """

    text: str
    edge: str = ''
    lines: tuple[str, ...] = ()
    seat: int | None = None
    look: str = ''
    weight: float = 0.0
    board: str | None = field(default=None, repr=False)
    number: int | None = None
    parent: int = -1
    colour: str | None = None


def boxes_below(
    top: Any, describe: Callable[[Any], tuple[Box, Iterable[Any], int]], most: int | None = None
) -> list[Box]:
    """Return the box of `top`, and the boxes of everything below it.

    :param describe: from an item to its box (without parent), the items below it that are drawn,
        and how many are left out.
    :param most: the most boxes accepted.
    :raises ValueError: there are more than `most`.
    """
    boxes: list[Box] = []
    waiting: list[tuple[Any, int]] = [(top, -1)]
    while waiting:
        if len(boxes) == most:
            raise ValueError(
                f'more than {most:,} nodes would be drawn: give a smaller depth or more visits'
            )
        item, parent = waiting.pop()
        box, below, hidden = (item, (), 0) if isinstance(item, Box) else describe(item)
        if hidden:
            waiting.append((Box(f'({hidden} more)', look=MORE), len(boxes)))
        waiting.extend((it, len(boxes)) for it in reversed([*below]))
        boxes.append(evolve(box, parent=parent))
    return boxes


def boxes_text(boxes: Sequence[Box]) -> str:
    """Return a line for each box, children under their parents."""
    last = {box.parent: at for at, box in enumerate(boxes)}  # of each parent, its last child
    before: list[str] = []
    lines: list[str] = []
    for at, box in enumerate(boxes):
        above = before[box.parent] if box.parent >= 0 else ''
        own, below = ('', '') if box.parent < 0 else LAST if last[box.parent] == at else INNER
        before.append(above + below)
        lines.append(f'{above}{own}{box.text}\n')
    return ''.join(lines)


def boxes_dot(boxes: Sequence[Box]) -> str:
    """Return the tree in the language of Graphviz: `dot -Tsvg` draws it."""

    def quoted(text: str) -> str:
        return text.replace('\\', '\\\\').replace('"', '\\"').replace('\n', ' ')

    lines = ['digraph tree {', '  node [shape=box, fontname="sans-serif", fontsize=10];']
    names: list[str] = []
    for at, box in enumerate(boxes):
        above = names[box.parent] if box.parent >= 0 else ''
        if box.look == MORE:
            names.append(f'h{above[1:]}')
            lines.append(f'  {names[-1]} [label="{box.text}", shape=plaintext];')
            lines.append(f'  {above} -> {names[-1]} [style=dotted];')
            continue
        names.append(f'n{at if box.number is None else box.number}')
        label = '\\n'.join(map(quoted, box.lines))
        lines.append(f'  {names[-1]} [label="{label}"];')
        if above:
            lines.append(f'  {above} -> {names[-1]} [label="{quoted(box.edge)}"];')
    return '\n'.join([*lines, '}']) + '\n'


def places_across(parents: Sequence[int]) -> list[float]:
    """Return where each node is placed across, in units of the least distance between two.

    A parent is over the middle of its first and last child. On each level nodes are in order and at
    least 1 apart; equal subtrees look equal, and mirrored ones mirrored. The leftmost node is at 0.

    :param parents: for each node the index of its parent, and -1 for the root, in preorder.

    >>> places_across([-1, 0, 1, 1, 0])
    [1.0, 0.5, 0.0, 1.0, 1.5]
    """
    children: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(node)
    places = [0.0] * len(parents)  # from the parent's, until all are known
    outlines: list[Outline] = [([], [])] * len(parents)
    for node in reversed(range(len(parents))):  # children before parents
        below = [outlines[child] for child in children[node]]
        # Packed from the left and from the right, and the mean of both: so small subtrees stand in
        # the middle between large ones.
        sides = zip(_packed(below, 0), reversed(_packed(below[::-1], 1)), strict=True)
        both = [(one + two) / 2 for one, two in sides]
        middle = (both[0] + both[-1]) / 2 if both else 0.0
        for child, place in zip(children[node], both, strict=True):
            places[child] = place - middle
        outlines[node] = _outline(below, [place - middle for place in both])
    for node, parent in enumerate(parents):
        if parent >= 0:
            places[node] += places[parent]
    least = min(places, default=0.0)
    return [place - least for place in places]


def _packed(outlines: Sequence[Outline], side: int) -> list[float]:
    """Return places for subtrees beside each other, each as near to the first as it can be.

    The outline of a subtree is its leftmost and its rightmost place on each level, seen from its
    root. The deepest level comes first, so that a node above is added at the end.

    :param side: where the first is, 0 left or 1 right.
    """
    if len(outlines) < 2:  # straight below: a long line of moves takes linear time
        return [0.0] * len(outlines)
    sign = 1 - 2 * side
    edge: list[float] = []  # of all subtrees so far
    places = []
    for outline in outlines:
        near, far = outline[side], outline[1 - side]
        both = zip(reversed(edge), reversed(near), strict=False)
        place = sign * max((sign * (one - two) + 1.0 for one, two in both), default=0.0)
        places.append(place)
        edge[max(0, len(edge) - len(far)) :] = [place + it for it in far] if place else far
    return places


def _outline(below: Sequence[Outline], places: Sequence[float]) -> Outline:
    """Return the outline of a node over subtrees at these places."""
    if len(below) == 1:
        left, right = below[0]
    else:
        left, right = [], []
        for (lefts, rights), place in zip(below, places, strict=True):
            left = [*(place + it for it in lefts[: max(0, len(lefts) - len(left))]), *left]
            right = [*right[: max(0, len(right) - len(rights))], *(place + it for it in rights)]
    left.append(0.0)
    right.append(0.0)
    return left, right


def boxes_svg(boxes: Sequence[Box], *, title: str, below: Sequence[str] = ()) -> Svg:
    """Return a tree as SVG, from the root down; its description is `boxes_text`.

    :param title: what it is, in a line.
    :param below: lines of words under the picture.
    """
    depths: list[int] = []
    for box in boxes:
        depths.append(depths[box.parent] + 1 if box.parent >= 0 else 0)
    full = [box for box in boxes if box.look != MORE]
    texts = [width_of(line, SIZE) + 14 for box in full for line in box.lines]
    board = BOARD + 8 if any(box.board for box in full) else 0.0
    width = max([40.0, board, *texts])
    unit = APART + max(
        width, *(width_of(box.text if box.look == MORE else box.edge, SIZE) for box in boxes)
    )
    high = max(len(box.lines) for box in full) * LINE + 8 + (board and BOARD + 4)
    across = places_across([box.parent for box in boxes])
    top = EDGE + (LINE if boxes[0].edge else 0)
    places = [
        (EDGE + unit * (place + 0.5), top + (high + DOWN + ABOVE) * depth)
        for place, depth in zip(across, depths, strict=True)
    ]
    lines, drawn = [], []
    for box, (x, y) in zip(boxes, places, strict=True):
        if box.parent >= 0:
            above_x, above_y = places[box.parent]
            lines.append(_edge(box, (above_x, above_y + high), (x, y - ABOVE + 3)))
        drawn.append(
            words(x, y + 4, box.text, SIZE, opacity=0.75)
            if box.look == MORE
            else _box(box, x, y, (width, high))
        )
    bottom = EDGE + max(
        y + (8 if box.look == MORE else high) for box, (_, y) in zip(boxes, places, strict=True)
    )
    return document(
        (max(across) + 1) * unit + 2 * EDGE,
        bottom,
        [*lines, *drawn],  # lines first, so that boxes are over them
        title=title,
        about=boxes_text(boxes),
        below=below,
    )


def _edge(box: Box, begin: tuple[float, float], end: tuple[float, float]) -> str:
    """Return the curve from the bottom of a box to one below it."""
    (x, y), (to_x, to_y) = begin, end
    middle = (y + to_y) / 2
    d = f'M{x:.2f} {y:.2f}C{x:.2f} {middle:.2f} {to_x:.2f} {middle:.2f} {to_x:.2f} {to_y:.2f}'
    if box.look == MORE:
        return element('path', d=d, stroke=INK, stroke_dasharray='2 4', stroke_opacity=0.5)
    look: dict[str, object] = {
        'stroke': box.colour or (NEW if box.look == 'new' else INK),
        'stroke_width': 1 + 4 * box.weight,
        'stroke_opacity': 0.85 if box.look in STRONG or box.colour else 0.35,
    }
    return element('path', d=d, **look)


def _box(box: Box, x: float, y: float, size: tuple[float, float]) -> str:
    """Return a box with its content, and the text on its line."""
    width, height = size
    left = x - width / 2
    shared = box.look == 'shared'
    ink = NEUTRAL if shared else INK
    frame: dict[str, object] = {
        'stroke': NEW if box.look == 'new' else ink,
        'stroke_width': 2.5 if box.look in STRONG else 1.0,
        'stroke_dasharray': '3 3' if shared else None,
    }
    whole: dict[str, object] = {'x': left, 'y': y, 'width': width, 'height': height, 'rx': 4}
    inside = [
        element('title', plain(box.text)),
        element('rect', fill=INK, fill_opacity=0.05, **whole, **frame),
    ]
    if box.seat is not None:
        stripe = {'x': left + 2, 'y': y + 3, 'width': 3, 'height': height - 6}
        inside.append(element('rect', fill=COLOURS[box.seat % len(COLOURS)], **stripe))
    if box.board:
        inside.append(put(box.board, x - BOARD / 2, y + 4, BOARD, BOARD))
    begin = y + 14.5 + (BOARD + 4 if box.board else 0)
    for number, line in enumerate(box.lines):
        weight = None if number else 'bold'
        inside.append(words(x + 2, begin + LINE * number, line, SIZE, fill=ink, font_weight=weight))
    if box.edge:
        inside.append(words(x, y - 4, box.edge, SIZE, fill=ink, font_weight='bold'))
    return element('g', *inside, class_=f'node {box.look}'.strip())
