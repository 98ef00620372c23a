"""The memory of one growing tree: Python's view of the array that `game.h` describes.

Before a search the tree to continue is written into it: node by node, or as numbers if this engine
has grown it before. After the search it becomes the store of the tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt
from attrs import define, evolve

from fmcts._linked.structure import Structure
from fmcts._linked.tree import code
from fmcts._linked.tree.blocks import block_of, moves_on_integers, placed
from fmcts._linked.tree.nodes import LazyNode, lazy
from fmcts._linked.tree.places import BELOW, LIMIT, MOVE, ROOT, SLACK, VISITS, cell, size
from fmcts._linked.tree.store import Store, root_block
from fmcts.errors import EngineError
from fmcts.rules import IntegerRules, rules_of
from fmcts.search._analysis import MoveStats
from fmcts.search._tree import Node
from fmcts.search.memory import Remembered
from fmcts.search.resolution import BOUNDS, SOLVER
from fmcts.search.resolution.solver import proof_of

AHEAD: Final = 1 << 28  # integers reserved at once: 1 GiB, used only as far as it is written to
LEAST: Final = 1024  # integers of free room at the start of a search


@define
class Arena:
    """The array, how many of its integers are in use, and how many nodes it stores.

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

    def store(self, structure: Structure) -> Store:
        """Return the numbers as they are now, valid until the array is written to again."""
        in_order = structure.expansion == 'in-order'
        return Store(self.words, self.used, self.nodes, in_order, self.unvisited, structure)

    def stats(self, moves: Sequence[Any], structure: Structure) -> tuple[MoveStats[Any], ...]:
        """Return visits and value of the root's moves."""
        store, block, total = self.store(structure), self.first, len(moves)
        row = structure.resolution_row
        proves = structure.resolution in (SOLVER, BOUNDS)
        stats: list[MoveStats[Any]] = []
        for index, (move, count) in enumerate(zip(moves, store.row(block, VISITS), strict=True)):
            visits = max(0, count)
            value = store.reward(block, total, index) / visits if visits else None
            proof = proof_of(store.real(block, total, row, index)) if proves else None
            stats.append(MoveStats(move, visits, value, proof))
        return tuple(stats)

    def grow(self) -> None:
        """Double the room, or add less if memory is short.

        :raises EngineError: the array is as large as it may be.
        :raises MemoryError: there is no more memory.
        """
        if len(self.words) == LIMIT:
            raise EngineError(
                f'the tree has {self.nodes:,} nodes and fills the {LIMIT:,} numbers that the '
                'engine compiled can address: set max_nodes, or use the engine inplace'
            )
        words = reserve(len(self.words), len(self.words))
        words[: self.used] = self.words[: self.used]
        self.words = words

    def frozen(
        self,
        root: Node,
        structure: Structure,
        memory: tuple[Remembered, ...] = (),
        code: Any = None,
    ) -> LazyNode:
        """Return the tree, grown by this structure; constant fields come from `root`, the old root.

        `code` can write its digest (`Store.code`). Unused memory is released. The array must not
        change afterwards.
        """
        self.words.resize(self.used, refcheck=False)
        return lazy(root, evolve(self.store(structure), code=code), memory)


def reserve(length: int, ahead: int) -> npt.NDArray[np.int32]:
    """Return an array of `length` integers and up to `ahead` more, fewer if memory is short.

    :raises MemoryError: not even `length` can be allocated.
    """
    while True:
        try:
            return np.empty(min(length + ahead, LIMIT), np.int32)
        except MemoryError:
            if ahead <= LEAST:
                raise
        ahead = max(ahead // 2, LEAST)


def tree_for(root: Node, rules: IntegerRules, structure: Structure, iterations: int) -> Arena:
    """Return the memory of the tree to continue, with room for `iterations` more.

    :raises RulesError: the rules on integers contradict a state.
    :raises EngineError: the tree is too large.
    """
    if isinstance(root, LazyNode) and root.block and same_columns(root.store.structure, structure):
        return resumed(root, structure, iterations)
    return loaded(root, rules, structure, iterations)


def same_columns(one: Structure, two: Structure) -> bool:
    """Return whether trees of two structures store the same columns in the same places."""
    places = [(each.own, each.traces, each.real) for each in (one, two)]
    of_moves = one.moves or two.moves
    return places[0] == places[1] and (not of_moves or one.method == two.method)


def loaded(root: Node, rules: IntegerRules, structure: Structure, iterations: int) -> Arena:
    """Return a frozen tree in an array with room for `iterations` more.

    :raises RulesError: the rules on integers contradict a state.
    :raises EngineError: the tree is too large.
    :raises MemoryError: there is no memory for the tree.
    """
    entries = root_block(root, structure)
    nodes, unvisited, waiting = 1, False, [(root, cell(ROOT, 1, BELOW, 0))]
    while waiting:
        node, link = waiting.pop()
        block, total = len(entries), len(node.moves)
        if block > LIMIT - SLACK - size(total, structure.rows, structure.tail):
            raise EngineError('the tree to continue is too large for the engine compiled')
        entries[link] = block
        entries.extend(block_of(node, rules, structure))
        nodes += len(node.children)
        unvisited = unvisited or not all(child.visits for child in node.children)
        waiting.extend(
            (child, cell(block, total, BELOW, index))
            for index, child in placed(node)
            # The columns of its moves may differ from their first values here.
            if child.children or (structure.moves and child.moves)
        )
    words = _reserved(len(entries), root, structure, iterations)
    words[: len(entries)] = entries
    return Arena(words, len(entries), nodes, unvisited)


def resumed(root: LazyNode, structure: Structure, iterations: int) -> Arena:
    """Return a tree that this engine has grown, in an array with room for `iterations` more.

    The store of `root` does not change. The numbers are copied as they are. If `root` is a subtree,
    or `tried` has another meaning in this search, only the part below `root` is copied.
    """
    store, in_order = root.store, structure.expansion == 'in-order'
    numbers = np.frombuffer(store.numbers, np.int32)
    words = _reserved(store.used, root, structure, iterations)
    if root.block == store.first and store.in_order == in_order:
        words[: store.used] = numbers[: store.used]
        arena = Arena(words, store.used, store.nodes, store.unvisited)
    else:
        words[: store.first] = root_block(root, structure)
        copy = code.Copy(
            *(numbers.ctypes.data, words.ctypes.data),
            *(root.block, in_order, structure.rows, structure.tail),
        )
        code.run('copy_subtree', copy)
        arena = Arena(words, copy.used, copy.nodes, bool(copy.unvisited))
    # The root of an unpickled tree or a subtree has only the moves of its children stored.
    begin = cell(arena.first, len(root.moves), MOVE, 0)
    moves = moves_on_integers(root, cast('IntegerRules', rules_of(root.state)))
    words[begin : begin + len(moves)] = moves
    return arena


def _reserved(
    used: int, root: Node, structure: Structure, iterations: int
) -> npt.NDArray[np.int32]:
    """Return an array for `used` integers and those that `iterations` more will need."""
    # Unused memory costs nothing, so the estimate is generous. If moves are remembered, each new
    # node has a block at once, and later nodes may have more moves than the root.
    block = size(len(root.moves), structure.rows)
    each = 2 * block if structure.traces else block if structure.expansion == 'full' else 16
    ahead = (each + structure.tail) * iterations
    return reserve(used + SLACK, min(max(LEAST, ahead), AHEAD))
