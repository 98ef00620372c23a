"""The memory of one tree: the array that `layout` describes, as Python sees it.

A frozen tree is written into it (thawed) before a search, and it is what is left after one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from attrs import define

from fmcts.rules import IntegerRules, side_of
from fmcts.search.compiled.layout import (
    BELOW,
    FIRST,
    HALVES,
    LIMIT,
    ROOT,
    SLACK,
    VISITS,
    cell,
    size,
)
from fmcts.search.description import Expansion
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

    def children_halves(self) -> int:
        """Twice the reward of the root's children, summed."""
        total = int(self.words[self.first])
        begin = cell(self.first, total, HALVES, 0)
        return int(self.words[begin : begin + total].sum(dtype=np.int64))

    def count_root(self, visits: int, halves: int) -> None:
        """So many visits and half points more for the root, which the loop leaves out."""
        self.words[cell(ROOT, 1, VISITS, 0)] += visits
        self.words[cell(ROOT, 1, HALVES, 0)] += halves

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


def thaw(root: Node, rules: IntegerRules, expansion: Expansion, iterations: int) -> Arena:
    """The frozen tree in an array with room for some more iterations, for this expansion.

    :raises RulesError: the rules on integers contradict a state.
    :raises EngineError: the tree is too large.
    :raises MemoryError: there is no memory for the tree.
    """
    entries = array('i', [1, 1, root.visits, int(2 * root.reward), FIRST, 0])
    nodes = 1
    waiting = [(root, cell(ROOT, 1, BELOW, 0))]
    while waiting:
        node, link = waiting.pop()
        block, total = len(entries), len(node.moves)
        if block > LIMIT - SLACK - size(total):
            raise EngineError('the tree to go on from is too large for the compiled engine')
        entries[link] = block
        entries.extend(_block(node, rules, expansion))
        nodes += len(node.children)
        waiting.extend(
            (child, cell(block, total, BELOW, index))
            for index, child in placed(node)
            if child.children
        )
    used = len(entries)
    # Unused memory is free, so there is more than enough of it for a usual search.
    ahead = (16 if expansion != 'full' else 8 + 4 * len(root.moves)) * iterations
    words = reserve(used + SLACK, min(max(LEAST, ahead), AHEAD))
    words[:used] = np.frombuffer(entries, np.int32)
    return Arena(words, used, nodes)


def _block(node: Node, rules: IntegerRules, expansion: Expansion) -> array[int]:
    """The block of a node's children."""
    total = len(node.moves)
    menu = int(rules.menu(rules.pack(node.state)))
    if (int(rules.count(menu)) if menu else 0) != total:
        raise RulesError(
            f'the rules on integers disagree with {type(node.state).__name__}, which has {total} '
            'moves here: fmcts.rules.check_rules tells where'
        )
    visits, halves, below, moves = ([start] * total for start in (-1, 0, 0, 0))
    for index, child in placed(node):
        visits[index], halves[index] = child.visits, int(2 * child.reward)
        moves[index] = checked_move(rules.pick(menu, index))
        if not child.moves:
            below[index] = -1 - side_of(child.state.winner)
    first_gap = visits.index(-1) if -1 in visits else total
    tried = first_gap if expansion == 'in-order' else len(node.children)
    return array('i', [total, tried, *visits, *halves, *below, *moves])


def checked_move(move: Any) -> int:
    """A move of the rules on integers.

    :raises RulesError: it has more than 32 bits.
    """
    number = int(move)
    if not -(1 << 31) <= number < 1 << 31:
        raise RulesError(f'a move of rules on integers must fit in 32 bits, unlike {number}')
    return number
