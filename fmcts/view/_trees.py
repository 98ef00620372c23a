"""Search trees as text, as Graphviz source, or as a picture.

Nodes may show the numbers of their creation, 0 for the root. Children left out, by depth or by
visits, are counted in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import field, frozen

from fmcts._extras import loaded
from fmcts.search._tree import Node, pairs, principal_variation
from fmcts.search.resolution.solver import proof_number, proof_of
from fmcts.view._layout import places_across

Path = tuple[Any, ...]

# The text before a node, and before those below it.
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
    """A node to draw.

    :param parent: the index of its parent's row; -1 for the top.
    :param depth: how many moves it is below the top.
    :param move: the move that led there, as text; empty for the root.
    :param number: its number of creation; `None` if it is not known.
    :param visits: how many iterations went through it.
    :param value: their mean reward for the player who moved there.
    :param hidden: how many of its children are left out.
    :param node: the node itself.
    """

    parent: int
    depth: int
    move: str
    number: int | None
    visits: int
    value: float
    hidden: int
    node: Node = field(eq=False, repr=False)

    @property
    def proof(self) -> str:
        """The proof about the move that led there, for its player; '' if there is none."""
        proof = proof_of(proof_number(self.node))
        return '' if proof is None else str(proof)

    @property
    def figures(self) -> tuple[str, ...]:
        """The lines of a box: number, visits, and value or proof."""
        number = () if self.number is None else (f'#{self.number}',)
        return (*number, str(self.visits), f'{self.value:.3f}', *filter(None, (self.proof,)))


def numbered(trees: Iterable[Node]) -> Iterator[tuple[Node, Mapping[Path, int]]]:
    """Yield each tree with the number of each of its nodes, by the moves that lead there.

    :param trees: the trees after 1, 2, 3... iterations, as from `fmcts.trees`. Nodes made by one
        iteration are numbered in the order of moves, from the root down.
    :returns: one mapping, which grows from tree to tree.
    """
    numbers: dict[Path, int] = {(): 0}
    last: Node | None = None
    for tree in trees:
        waiting: list[tuple[Path, Node, Node | None]] = [((), tree, last)]
        for path, node, before in waiting:  # grows as it goes
            for was, child in pairs(before, node):
                below = (*path, child.move)
                numbers.setdefault(below, len(numbers))
                if was is not child:
                    waiting.append((below, child, was))
        yield tree, numbers
        last = tree


def creations(trees: Iterable[Node]) -> tuple[Mapping[Path, int], Node | None]:
    """Return the numbers of the last tree, as in `numbered`, and that tree."""
    numbers: Mapping[Path, int] = {(): 0}
    last: Node | None = None
    for last, numbers in numbered(trees):  # noqa: B007 - the last is what is asked for
        pass
    return numbers, last


def rows_of(  # noqa: PLR0913 - by name
    tree: Node,
    numbers: Mapping[Path, int] | None = None,
    write: Callable[[Any], str] = str,
    *,
    below: Path = (),
    depth: int | None = None,
    visits: int = 0,
    principal: bool = False,
    most: int | None = None,
) -> tuple[Row, ...]:
    """Return the nodes to draw, each before those below it, in the order of moves.

    :param numbers: as from `creations`; by default, nodes have no numbers.
    :param write: writes a move.
    :param below: the moves to the node at the top; by default, the root.
    :param depth: how many moves below it are shown; by default, all.
    :param visits: how many visits a node must have.
    :param principal: only nodes of the principal variation are shown.
    :param most: the most nodes accepted.
    :raises KeyError: the tree has no such node.
    :raises ValueError: there are more than `most` nodes.
    """
    top: Node | None = tree
    for move in below:
        top = top.child(move) if top else None
    if top is None:
        raise KeyError(below)
    line = (*below, *principal_variation(top)) if principal else ()
    rows: list[Row] = []
    stack: list[tuple[Path, Node, int]] = [(below, top, -1)]
    while stack:
        if len(rows) == most:
            raise ValueError(
                f'more than {most:,} nodes would be drawn: give a smaller depth or more visits'
            )
        path, node, parent = stack.pop()
        deep = len(path) - len(below)
        shown = [child for child in node.children if child.visits >= visits]
        if principal:
            shown = [it for it in shown if (*path, it.move) == line[: len(path) + 1]]
        if depth is not None and deep >= depth:
            shown = []
        name = write(node.move) if path else ''
        hidden = len(node.children) - len(shown)
        place = len(rows)
        number = None if numbers is None else numbers[path]
        rows.append(Row(parent, deep, name, number, node.visits, node.value, hidden, node))
        stack.extend(((*path, child.move), child, place) for child in reversed(shown))
    return tuple(rows)


def as_text(rows: tuple[Row, ...]) -> str:
    """Return a line per node, children under their parents."""
    return lines_of(rows, _said)


def _said(row: Row) -> str:
    """Return a node in words."""
    move = f'{row.move}  ' if row.move else ''
    number = '' if row.number is None else f'#{row.number}  '
    proof = f'  {row.proof}' if row.proof else ''
    plural = '' if row.visits == 1 else 's'
    return f'{move}{number}{row.visits} visit{plural}  {row.value:.3f}{proof}'


def lines_of(rows: Sequence[Any], write: Callable[[Any], str]) -> str:
    """Return a line for each row, children under their parents, with what is left out counted.

    :param rows: each with the index of its `parent` and how many children are `hidden`.
    :param write: writes a row.
    """
    shown = with_hidden(rows)
    last = {parent: at for at, (parent, _) in enumerate(shown)}  # of each parent, its last child
    before: list[str] = []
    lines: list[str] = []
    for at, (parent, place) in enumerate(shown):
        above = before[parent] if parent >= 0 else ''
        own, below = ('', '') if parent < 0 else LAST if last[parent] == at else INNER
        before.append(above + below)
        text = _more(rows[_row_at(shown, parent)].hidden) if place is None else write(rows[place])
        lines.append(f'{above}{own}{text}\n')
    return ''.join(lines)


def _ends(rows: Sequence[Any]) -> list[int]:
    """Return the index of the last row below each row, or its own."""
    ends = list(range(len(rows)))
    for place in range(len(rows) - 1, 0, -1):
        parent = rows[place].parent
        ends[parent] = max(ends[parent], ends[place])
    return ends


def _more(count: int) -> str:
    return f'({count} more)'


def as_dot(rows: tuple[Row, ...]) -> str:
    """Return the tree in the language of Graphviz: `dot -Tsvg` draws it."""
    lines = ['digraph tree {', '  node [shape=box, fontname="sans-serif", fontsize=10];']
    names = [place if row.number is None else row.number for place, row in enumerate(rows)]
    for row, number in zip(rows, names, strict=True):
        name = f'n{number}'
        figures = '\\n'.join(row.figures)
        lines.append(f'  {name} [label="{figures}"];')
        if row.parent >= 0:
            move = row.move.replace('\\', '\\\\').replace('"', '\\"').replace('\n', ' ')
            lines.append(f'  n{names[row.parent]} -> {name} [label="{move}"];')
        if row.hidden:
            lines.append(f'  h{number} [label="{_more(row.hidden)}", shape=plaintext];')
            lines.append(f'  {name} -> h{number} [style=dotted];')
    return '\n'.join([*lines, '}']) + '\n'


def _across(rows: tuple[Row, ...]) -> tuple[list[float], dict[int, float], float]:
    """Return the x of each node and of what is left out, and the total width.

    What is left out is placed to the right of what is shown, as it is below it in text.
    """
    boxes = with_hidden(rows)
    places = places_across([parent for parent, _ in boxes])
    across, hidden = [0.0] * len(rows), {}
    for (parent, place), x in zip(boxes, places, strict=True):
        if place is None:
            hidden[_row_at(boxes, parent)] = x + 1
        else:
            across[place] = x + 1
    return across, hidden, max(places) + 1


def with_hidden(rows: Sequence[Any]) -> list[tuple[int, int | None]]:
    """Return the items to draw, in preorder: rows, and at the end below each the hidden ones.

    Each item is the index of the parent in this list, and of the row; `None` for hidden ones.
    """
    ends: dict[int, list[int]] = {}  # by the last row below them, the inner before the outer
    for place, end in enumerate(_ends(rows)):
        if rows[place].hidden:
            ends.setdefault(end, []).insert(0, place)
    found: list[tuple[int, int | None]] = []
    places = [0] * len(rows)
    for place, row in enumerate(rows):
        places[place] = len(found)
        found.append((places[row.parent] if row.parent >= 0 else -1, place))
        found.extend((places[outer], None) for outer in ends.get(place, ()))
    return found


def _row_at(boxes: list[tuple[int, int | None]], at: int) -> int:
    place = boxes[at][1]
    assert place is not None  # noqa: S101 - nothing hangs below what is hidden
    return place


def as_picture(rows: tuple[Row, ...]) -> Any:
    """Return the tree drawn from the root down.

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
        box(x, row.depth, '\n'.join(row.figures), '#333333')
    axes.set_xlim(0.3, width + 0.7)
    axes.set_ylim(-deepest - 0.5, 0.5)
    return figure
