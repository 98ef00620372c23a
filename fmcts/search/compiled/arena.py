"""The memory of one tree while it grows: the array that `layout` describes, as Python sees it.

Before a search the tree to go on from is written into it: node by node (thawed), or, when it was
grown here before, as the numbers that it is made of. After one it becomes the store of that tree.
"""

from __future__ import annotations

import functools
from array import array
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from attrs import define

from fmcts.rules import IntegerRules, side_of
from fmcts.search.compiled.entries import entry
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
from fmcts.search.compiled.nodes import LazyNode, lazy
from fmcts.search.compiled.store import Store, copy_subtree
from fmcts.search.description import Expansion
from fmcts.search.errors import EngineError
from fmcts.search.tree import Node

__all__ = ['Arena', 'placed', 'resumed', 'thaw']

AHEAD: Final = 1 << 28  # integers reserved at once: 1 GiB, of which only what is written to counts


@define
class Arena:
    """The array, how many of its integers are in use, and how many nodes lie there.

    `unvisited`: whether there may be children without visits.
    """

    words: npt.NDArray[np.int32]
    used: int
    nodes: int
    unvisited: bool

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
        """Twice the room.

        :raises EngineError: the array is as large as it may be.
        """
        if len(self.words) == LIMIT:
            raise EngineError(
                f'the tree has {self.nodes:,} nodes and fills the {LIMIT:,} numbers that the '
                'compiled engine can address: set max_nodes, or use the engine inplace'
            )
        self._move(min(2 * len(self.words), LIMIT))

    def frozen(self, root: Node, expansion: Expansion) -> LazyNode:
        """The tree, grown by `expansion`; `root` is its root before, for what never changes.

        Memory that is not in use is given back, and nothing may be written any more.
        """
        self.words.resize(self.used, refcheck=False)
        in_order = expansion == 'in-order'
        return lazy(root, Store(self.words, self.used, self.nodes, in_order, self.unvisited))

    def _move(self, length: int) -> None:
        words = np.empty(length, np.int32)
        words[: self.used] = self.words[: self.used]
        self.words = words


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

    :raises EngineError: the rules on integers contradict a state, or the tree is too large.
    """
    entries = array('i', [1, 1, root.visits, int(2 * root.reward), FIRST, 0])
    nodes, unvisited = 1, False
    waiting = [(root, cell(ROOT, 1, BELOW, 0))]
    while waiting:
        node, link = waiting.pop()
        block, total = len(entries), len(node.moves)
        if block > LIMIT - SLACK - size(total):
            raise EngineError('the tree to go on from is too large for the compiled engine')
        entries[link] = block
        entries.extend(_block(node, rules, expansion))
        nodes += len(node.children)
        unvisited = unvisited or not all(child.visits for child in node.children)
        waiting.extend(
            (child, cell(block, total, BELOW, index))
            for index, child in placed(node)
            if child.children
        )
    used = len(entries)
    words = _reserved(used, root, expansion, iterations)
    words[:used] = np.frombuffer(entries, np.int32)
    return Arena(words, used, nodes, unvisited)


def resumed(root: LazyNode, expansion: Expansion, iterations: int) -> Arena:
    """The tree that was grown here before in an array with room for some more iterations.

    The store of `root` stays as it is. The numbers are copied as they are, unless `root` is a
    subtree or `tried` has to be counted in another way: then what lies below `root` is copied, and
    nothing else.
    """
    store, in_order = root.store, expansion == 'in-order'
    numbers = np.frombuffer(store.numbers, np.int32)
    words = _reserved(store.used, root, expansion, iterations)
    if root.block == FIRST and store.in_order == in_order:
        words[: store.used] = numbers[: store.used]
        return Arena(words, store.used, store.nodes, store.unvisited)
    words[:FIRST] = [1, 1, root.visits, int(2 * root.reward), FIRST, 0]
    return Arena(words, *_copier()(numbers, root.block, words, in_order))


@functools.cache
def _copier() -> Any:
    return entry(copy_subtree, 'copying of trees')


def _reserved(
    used: int, root: Node, expansion: Expansion, iterations: int
) -> npt.NDArray[np.int32]:
    """An array for so many integers and what some more iterations take."""
    # Unused memory is free, so there is more than enough of it for a usual search.
    ahead = (16 if expansion != 'full' else 8 + 4 * len(root.moves)) * iterations
    return np.empty(min(used + min(max(1024, ahead), AHEAD) + SLACK, LIMIT), np.int32)


def _block(node: Node, rules: IntegerRules, expansion: Expansion) -> array[int]:
    """The block of a node's children."""
    total = len(node.moves)
    menu = int(rules.menu(rules.pack(node.state)))
    if (int(rules.count(menu)) if menu else 0) != total:
        raise EngineError(
            f'the rules on integers disagree with {type(node.state).__name__}, which has {total} '
            'moves here: fmcts.search.compiled.check_rules tells where'
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

    :raises EngineError: it has more than 32 bits.
    """
    number = int(move)
    if not -(1 << 31) <= number < 1 << 31:
        raise EngineError(f'a move of rules on integers must fit in 32 bits, unlike {number}')
    return number
