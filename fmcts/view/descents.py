"""A search iteration by iteration, as lines of text: the output of the texts' programs.

The C course (steps B and D) prints the root after each descent, and the whole tree with the
numbers of nodes; the Java text draws visits and scores of the root's moves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from fmcts.history import descent
from fmcts.search import Node, paired_children

__all__ = [
    'creations',
    'descended',
    'descents',
    'dry_run',
    'dump',
    'hashable',
    'numbered',
    'written_number',
]

Path = tuple[Any, ...]
Write = Callable[[Any], str]


def hashable(move: Any) -> Any:
    """Return a move as a part of a key: itself, or its `repr` if it has no hash, such as a list."""
    try:
        hash(move)
    except TypeError:
        return repr(move)
    return move


def numbered(trees: Iterable[Node]) -> Iterator[tuple[Node, Mapping[Path, int]]]:
    """Yield each tree with the number of each of its nodes, by the moves that lead there.

    :param trees: the trees after 1, 2, 3... iterations, as from `fmcts.trees`. Nodes made by one
        iteration are numbered in the order of moves, from the root down; the root is 0.
    :returns: one mapping, which grows from tree to tree. Its keys are tuples of `hashable` moves.
    """
    numbers: dict[Path, int] = {(): 0}
    last: Node | None = None
    for tree in trees:
        waiting: list[tuple[Path, Node, Node | None]] = [((), tree, last)]
        for path, node, before in waiting:  # grows as it goes
            for was, child in paired_children(before, node):
                below = (*path, hashable(child.move))
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


def descended(before: Node | None, after: Node) -> list[Any]:
    """Return the moves along which one iteration changed the tree."""
    return [node.move for _, node in descent(before, after)][1:]


def descents(trees: Iterable[Node], write: Write = str) -> Iterator[str]:
    """Yield a line for each descent: its moves, and then the root as it is now.

    For each move of the root it has the number of the node it leads to, its visits and its value,
    as printed by the C course's program (step B).

    :param trees: the trees after 1, 2, 3... iterations, as from `fmcts.trees`.
    :param write: writes a move.

    >>> from itertools import islice
    >>> from fmcts import Search, SplitMix, trees
    >>> from fmcts.games import tictactoe
    >>> state = tictactoe.start.play(4).play(0).play(2).play(6).play(3)
    >>> grown = (tree for tree, _ in trees(state, SplitMix.from_seed(0), Search()))
    >>> print(*(' '.join(line.split()) for line in descents(islice(grown, 2))), sep=chr(10))
    1 1 1: #1 1 0.000
    2 5 1: #1 1 0.000 5: #2 1 0.500
    """
    before: Node | None = None
    for number, (tree, numbers) in enumerate(numbered(trees), 1):
        path = ' '.join(map(write, descended(before, tree)))
        yield f'{number:6}  {path:24}  {_links(tree, (), numbers, write)}'
        before = tree


def _links(node: Node, path: Path, numbers: Mapping[Path, int], write: Write) -> str:
    """Return, for each move of a node, the node it leads to, its visits and its value."""
    return '  '.join(
        f'{write(it.move)}: #{numbers[*path, hashable(it.move)]} {it.visits} {it.value:.3f}'
        for it in node.children
    )


def dump(tree: Node, numbers: Mapping[Path, int], write: Write = str) -> Iterator[str]:
    """Yield a line for each node, in order of creation, with its moves.

    For each move it has the node it leads to, its visits and its value: what the C course's program
    dumps when a search makes a mistake (step D).

    :param numbers: the numbers of nodes, as from `creations`.
    :param write: writes a move.
    """
    found: dict[int, str] = {}
    waiting: list[tuple[Path, Node]] = [((), tree)]
    for path, node in waiting:  # grows as it goes
        links = _links(node, path, numbers, write) or ('over' if node.state.over else 'leaf')
        found[numbers[path]] = f'#{numbers[path]}  {node.visits}  {links}'
        waiting.extend(((*path, hashable(child.move)), child) for child in node.children)
    for number in sorted(found):
        yield found[number]


def written_number(number: float) -> str:
    """Return a number as text: without a point if it is whole, else with three decimals.

    >>> written_number(-2147483648.0), written_number(0.25)
    ('-2147483648', '0.250')
    """
    return str(int(number)) if number.is_integer() else f'{number:.3f}'


def dry_run(
    trees: Iterable[Node],
    column: str,
    shown: Collection[int] | None = None,
    write: Write = str,
    write_number: Callable[[float], str] = written_number,
) -> Iterator[str]:
    """Yield a line for each iteration: visits and a column of each of the root's moves.

    With the column `score` of the bot `baeldung`, these are the figures of the Java text's drawing:
    visits/score.

    :param trees: the trees after 1, 2, 3... iterations, as from `fmcts.trees`.
    :param column: one of the nodes' own columns.
    :param shown: the iterations to show; by default, all.
    :param write: writes a move.
    :param write_number: writes a number of the column.
    :raises ValueError: the tree has no such column.
    """
    for number, tree in enumerate(trees, 1):
        if shown is not None and number not in shown:
            continue
        moves = (
            f'{write(it.move)}: {it.visits}/{write_number(it.columns.of(column))}'
            for it in tree.children
        )
        yield f'{number:6}  ' + '  '.join(f'{it:12}' for it in moves).rstrip()
