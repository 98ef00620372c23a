"""The memory of one tree: the array that `layout` describes, as Python sees it.

A frozen tree is written into it (thawed) before a search, and it is what is left after one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from attrs import define

from fmcts.rules import IntegerRules, side_of
from fmcts.search.compiled.columns import size_with
from fmcts.search.compiled.layout import (
    BELOW,
    LIMIT,
    ROOT,
    SLACK,
    VISITS,
    cell,
)
from fmcts.search.compiled.structure import Structure
from fmcts.search.description import Search
from fmcts.search.errors import EngineError, RulesError
from fmcts.search.tree import Node

__all__ = ['Arena', 'placed', 'reserve', 'thaw']

AHEAD: Final = 1 << 28  # integers reserved at once: 1 GiB, of which only what is written to counts
LEAST: Final = 1024  # integers of room that a search begins or goes on with


@define
class Arena:
    """The array, how many of its integers are in use, and how many nodes lie there."""

    words: npt.NDArray[np.int32]
    used: int
    nodes: int

    @property
    def first(self) -> int:
        """The block of the root's children."""
        return int(self.words[cell(ROOT, 1, BELOW, 0)])

    @property
    def visits(self) -> int:
        """The visits of the root."""
        return int(self.words[cell(ROOT, 1, VISITS, 0)])

    def grow(self) -> None:
        """Twice the room, or less where there is not so much.

        :raises EngineError: the array is as large as it may be.
        :raises MemoryError: there is no more memory.
        """
        if len(self.words) == LIMIT:
            raise EngineError(
                f'the tree has {self.nodes:,} nodes and fills the {LIMIT:,} numbers that the '
                'compiled engine can address: set max_nodes, or use the engine inplace'
            )
        words = reserve(len(self.words), len(self.words))
        words[: self.used] = self.words[: self.used]
        self.words = words

    def trim(self) -> None:
        """Give back the memory that is not in use."""
        self.words.resize(self.used + SLACK, refcheck=False)


def reserve(length: int, ahead: int) -> npt.NDArray[np.int32]:
    """An array of so many integers and some ahead, fewer of them where memory cannot be had.

    :raises MemoryError: not even a few can be had.
    """
    while True:
        try:
            return np.empty(min(length + ahead, LIMIT), np.int32)
        except MemoryError:
            if ahead <= LEAST:
                raise
        ahead = max(ahead // 2, LEAST)


def placed(node: Node) -> Iterator[tuple[int, Node]]:
    """The children of a node with the indices of their moves."""
    if len(node.children) == len(node.moves):
        yield from enumerate(node.children)
        return
    index = -1
    for child in node.children:
        index = node.moves.index(child.move, index + 1)
        yield index, child


def thaw(root: Node, rules: IntegerRules, search: Search, structure: Structure) -> Arena:
    """The frozen tree in an array with room for the iterations of this search.

    :raises RulesError: the rules on integers contradict a state.
    :raises EngineError: the tree is too large.
    :raises MemoryError: there is no memory for the tree.
    """
    rows, expansion = structure.rows, structure.expansion
    first = size_with(1, rows)
    entries = array('i', [1, 1, root.visits, _halves(root, structure), first, 0])
    top = [[0.0] for _ in range(rows)]
    _put_child(top, 0, root, structure)
    entries.extend(_reals(top))
    nodes = 1
    waiting = [(root, cell(ROOT, 1, BELOW, 0))]
    while waiting:
        node, link = waiting.pop()
        block, total = len(entries), len(node.moves)
        if block > LIMIT - SLACK - size_with(total, rows):
            raise EngineError('the tree to go on from is too large for the compiled engine')
        entries[link] = block
        entries.extend(_block(node, rules, structure))
        nodes += len(node.children)
        waiting.extend(
            (child, cell(block, total, BELOW, index))
            for index, child in placed(node)
            if child.children or (structure.traces and child.visits and child.moves)
        )
    used = len(entries)
    # Unused memory is free, so there is more than enough of it for a usual search.
    ahead = (16 if expansion != 'full' else size_with(len(root.moves), rows)) * search.iterations
    words = reserve(used + SLACK, min(max(LEAST, ahead), AHEAD))
    words[:used] = np.frombuffer(entries, np.int32)
    return Arena(words, used, nodes)


def _block(node: Node, rules: IntegerRules, structure: Structure) -> array[int]:
    """The block of a node's children."""
    total = len(node.moves)
    menu = int(rules.menu(rules.pack(node.state)))
    if (int(rules.count(menu)) if menu else 0) != total:
        raise RulesError(
            f'the rules on integers disagree with {type(node.state).__name__}, which has {total} '
            'moves here: fmcts.rules.check_rules tells where'
        )
    visits, halves, below, moves = ([start] * total for start in (-1, 0, 0, 0))
    reals = [[0.0] * total for _ in range(structure.rows)]
    reals[structure.own : structure.key_row] = map(list, node.columns.moves)
    if structure.traces:
        here = rules.pack(node.state)
        picked = (rules.pick(menu, index) for index in range(total))
        reals[structure.key_row] = [float(rules.key(here, move)) for move in picked]
    for index, child in placed(node):
        visits[index], halves[index] = child.visits, _halves(child, structure)
        _put_child(reals, index, child, structure)
        moves[index] = checked_move(rules.pick(menu, index))
        if not child.moves:
            below[index] = -1 if structure.real else -1 - side_of(child.state.winner)
    first_gap = visits.index(-1) if -1 in visits else total
    tried = first_gap if structure.expansion == 'in-order' else len(node.children)
    block = array('i', [total, tried, *visits, *halves, *below, *moves])
    block.extend(_reals(reals))
    return block


def _halves(node: Node, structure: Structure) -> int:
    """Twice the node's reward; 0 where rewards lie in a row of doubles."""
    return 0 if structure.real else int(2 * node.reward)


def _put_child(reals: list[list[float]], index: int, child: Node, structure: Structure) -> None:
    """Write a child's own columns, and its reward if it is a double, into the rows of a block."""
    for row, number in enumerate(child.columns.own):
        reals[row][index] = number
    if structure.real:
        reals[structure.reward_row][index] = child.reward


def _reals(rows: Iterable[Iterable[float]]) -> array[int]:
    """Rows of doubles as the integers that hold them."""
    return array('i', np.array([*chain(*rows)], np.float64).view(np.int32).tolist())


def checked_move(move: Any) -> int:
    """A move of the rules on integers.

    :raises RulesError: it has more than 32 bits.
    """
    number = int(move)
    if not -(1 << 31) <= number < 1 << 31:
        raise RulesError(f'a move of rules on integers must fit in 32 bits, unlike {number}')
    return number
