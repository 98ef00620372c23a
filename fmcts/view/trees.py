"""A search tree to look at: as text, as Graphviz source, or as a picture.

Nodes bear the numbers in which they were made, 0 for the root. What is cut off, by depth or by
visits, is counted in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import frozen

from fmcts.extras import loaded
from fmcts.search.tree import Node

__all__ = ['Row', 'as_dot', 'as_picture', 'as_text', 'creations', 'numbered', 'rows_of']

Path = tuple[Any, ...]

# How a node stands below its parent, and what stands before those below it.
INNER: Final = ('├─ ', '│  ')
LAST: Final = ('└─ ', '   ')
PER_NODE: Final = (0.9, 1.1)  # inches of a picture, across and down
HALF: Final = 0.15  # of a box, and less: lines end behind boxes, and cross no other
LINES: Final[dict[str, Any]] = {'color': '#888888', 'linewidth': 0.8, 'zorder': 1}
MOVES: Final[dict[str, Any]] = {
    'color': '#0072B2',
    'fontsize': 8,
    'bbox': {'facecolor': 'white', 'edgecolor': 'none', 'pad': 0.5},
    'zorder': 2,
}


@frozen
class Row:
    """A node as it is drawn.

    :param parent: the place of its parent's row; -1 for the one at the top.
    :param depth: how many moves it lies below that one.
    :param move: what led there, as text; empty for the root.
    :param number: its number of creation.
    :param visits: how many iterations went through it.
    :param value: their mean reward for who moved there.
    :param hidden: how many of its children are left out.
    """

    parent: int
    depth: int
    move: str
    number: int
    visits: int
    value: float
    hidden: int


def numbered(trees: Iterable[Node]) -> Iterator[tuple[Node, Mapping[Path, int]]]:
    """Each tree with the number of each of its nodes, by the moves that lead there.

    :param trees: those after 1, 2, 3... iterations, as `fmcts.trees` gives them. Nodes that one
        iteration makes are numbered in the order of moves, from the root down.
    :returns: one mapping, which grows from tree to tree.
    """
    numbers: dict[Path, int] = {(): 0}
    last: Node | None = None
    for tree in trees:
        waiting: list[tuple[Path, Node, Node | None]] = [((), tree, last)]
        for path, node, before in waiting:  # grows as it goes
            known = {child.move: child for child in before.children} if before else {}
            for child in node.children:
                below = (*path, child.move)
                numbers.setdefault(below, len(numbers))
                if known.get(child.move) is not child:
                    waiting.append((below, child, known.get(child.move)))
        yield tree, numbers
        last = tree


def creations(trees: Iterable[Node]) -> tuple[Mapping[Path, int], Node | None]:
    """The numbers of the last of the trees, as `numbered` gives them, and that tree."""
    numbers: Mapping[Path, int] = {(): 0}
    last: Node | None = None
    for last, numbers in numbered(trees):  # noqa: B007 - the last is what is asked for
        pass
    return numbers, last


def rows_of(
    tree: Node,
    numbers: Mapping[Path, int],
    write: Callable[[Any], str] = str,
    *,
    below: Path = (),
    depth: int | None = None,
    visits: int = 0,
) -> tuple[Row, ...]:
    """The nodes that are drawn, each before those below it, in the order of moves.

    :param numbers: as `creations` gives them.
    :param write: writes a move.
    :param below: the moves to the node that is drawn at the top; left out, the root.
    :param depth: how many moves below it are shown; left out, all.
    :param visits: how many a node must have.
    :raises KeyError: the tree has no node there.
    """
    top: Node | None = tree
    for move in below:
        top = top.child(move) if top else None
    if top is None:
        raise KeyError(below)
    rows: list[Row] = []
    stack: list[tuple[Path, Node, int]] = [(below, top, -1)]
    while stack:
        path, node, parent = stack.pop()
        deep = len(path) - len(below)
        shown = [child for child in node.children if child.visits >= visits]
        if depth is not None and deep >= depth:
            shown = []
        name = write(node.move) if path else ''
        hidden = len(node.children) - len(shown)
        place = len(rows)
        rows.append(Row(parent, deep, name, numbers[path], node.visits, node.value, hidden))
        stack.extend(((*path, child.move), child, place) for child in reversed(shown))
    return tuple(rows)


def as_text(rows: tuple[Row, ...]) -> str:
    """A line a node, children under their parents."""
    last = {row.parent: place for place, row in enumerate(rows)}  # of each parent, its last child
    before = [''] * len(rows)
    lines: list[tuple[float, str]] = []
    for place, row in enumerate(rows):
        is_last = last[row.parent] == place and not (row.parent >= 0 and rows[row.parent].hidden)
        above = before[row.parent] if row.parent >= 0 else ''
        own, below = ('', '') if row.parent < 0 else LAST if is_last else INNER
        before[place] = above + below
        count = f'{row.visits} visit{"" if row.visits == 1 else "s"}'
        name = f'{row.move}  ' if row.move else ''
        lines.append((place, f'{above}{own}{name}#{row.number}  {count}  {row.value:.3f}'))
    ends = _ends(rows)
    for place, row in enumerate(rows):
        if row.hidden:
            lines.append((ends[place] + 0.5 - row.depth / (2 + 2 * len(rows)),
                          f'{before[place]}{LAST[0]}{_more(row.hidden)}'))  # fmt: skip
    return ''.join(f'{line}\n' for _, line in sorted(lines, key=lambda pair: pair[0]))


def _ends(rows: tuple[Row, ...]) -> list[int]:
    """The place of the last row below each, or its own."""
    ends = list(range(len(rows)))
    for place in range(len(rows) - 1, 0, -1):
        parent = rows[place].parent
        ends[parent] = max(ends[parent], ends[place])
    return ends


def _more(count: int) -> str:
    return f'({count} more)'


def as_dot(rows: tuple[Row, ...]) -> str:
    """The tree in the language of Graphviz: `dot -Tsvg` draws it."""
    lines = ['digraph tree {', '  node [shape=box, fontname="sans-serif", fontsize=10];']
    for row in rows:
        name = f'n{row.number}'
        lines.append(f'  {name} [label="#{row.number}\\n{row.visits}\\n{row.value:.3f}"];')
        if row.parent >= 0:
            move = row.move.replace('\\', '\\\\').replace('"', '\\"')
            lines.append(f'  n{rows[row.parent].number} -> {name} [label="{move}"];')
        if row.hidden:
            lines.append(f'  h{row.number} [label="{_more(row.hidden)}", shape=plaintext];')
            lines.append(f'  {name} -> h{row.number} [style=dotted];')
    return '\n'.join([*lines, '}']) + '\n'


def _across(rows: tuple[Row, ...]) -> tuple[list[float], dict[int, float], float]:
    """Where each node stands across, where what is left out does, and how wide all is.

    What is left out stands to the right of what is shown, as it stands below it in text.
    """
    width, across = 0.0, [0.0] * len(rows)
    hidden: dict[int, float] = {}
    below: dict[int, list[float]] = {place: [] for place in range(len(rows))}
    ended: dict[int, list[int]] = {}  # by the last row below them, the outer before the inner
    for place, end in enumerate(_ends(rows)):
        ended.setdefault(end, []).append(place)
    for place in range(len(rows) - 1, -1, -1):  # children before parents, from the right
        for outer in ended.get(place, ()):
            if rows[outer].hidden:
                hidden[outer], width = width, width + 1
        ends = below[place] + ([hidden[place]] if rows[place].hidden else [])
        if ends:
            across[place] = (min(ends) + max(ends)) / 2
        else:
            across[place], width = width, width + 1
        if rows[place].parent >= 0:
            below[rows[place].parent].append(across[place])
    return [width - x for x in across], {it: width - x for it, x in hidden.items()}, width


def as_picture(rows: tuple[Row, ...]) -> Any:
    """The tree drawn from the root down.

    :returns: a `matplotlib.figure.Figure`.
    :raises ImportError: matplotlib is not installed.
    """
    figures = loaded('matplotlib.figure', 'pictures need', 'fmcts[plot]')
    across, hidden, width = _across(rows)
    deepest = max(row.depth + bool(row.hidden) for row in rows)
    size = max(3.0, PER_NODE[0] * width), max(2.0, PER_NODE[1] * (deepest + 1))
    figure = figures.Figure(figsize=size, layout='constrained')
    axes = figure.subplots()
    axes.set_axis_off()

    def box(x: float, depth: int, text: str, edge: str) -> None:
        look: dict[str, Any] = {'facecolor': 'white', 'edgecolor': edge, 'linewidth': 0.8}
        centre: dict[str, Any] = {'ha': 'center', 'va': 'center'}
        axes.annotate(text, (x, -depth), fontsize=7, bbox=look, zorder=3, **centre)

    for place, row in enumerate(rows):
        x = across[place]
        if row.parent >= 0:
            above = across[row.parent]
            axes.plot([above, x], [1 - HALF - row.depth, HALF - row.depth], **LINES)
            middle = (above + 2 * x) / 3, (1 + HALF) / 3 - row.depth
            axes.annotate(row.move, middle, ha='center', va='center', **MOVES)
        if row.hidden:
            down = [-HALF - row.depth, HALF - row.depth - 1]
            axes.plot([x, hidden[place]], down, linestyle=':', **LINES)
            box(hidden[place], row.depth + 1, _more(row.hidden), 'none')
        box(x, row.depth, f'#{row.number}\n{row.visits}\n{row.value:.3f}', '#333333')
    axes.set_xlim(0.3, width + 0.7)
    axes.set_ylim(-deepest - 0.5, 0.5)
    return figure
