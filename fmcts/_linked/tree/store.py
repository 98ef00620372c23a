"""The numbers of a finished tree, which no longer change; lazily created nodes read them.

Nothing here needs NumPy or LLVM, so an analysis from another machine can be read without them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, Final

from attrs import field, frozen

from fmcts._linked.structure import Structure
from fmcts._linked.tree.places import BELOW, HALVES, VISITS, cell, column, entry, first, size
from fmcts.game import Player
from fmcts.search._tree import Node
from fmcts.search.memory import Numbers, Place
from fmcts.search.methods import UCB1

PLAIN: Final = Structure(UCB1())


@frozen(eq=False, repr=False)
class Store:
    """An array as described in `game.h`, and the data needed to continue it.

    `numbers` is anything with a buffer of 32-bit integers, `used` of which are in use for `nodes`
    nodes. `in_order`: whether `tried` is the index of the first gap, rather than the number of
    children. `unvisited`: whether there may be children without visits. `structure`: of the search
    that wrote it, which defines the rows of doubles. `code`: its machine code, if it is in this
    process.
    """

    numbers: Any
    used: int
    nodes: int
    in_order: bool
    unvisited: bool
    structure: Structure = PLAIN
    code: Any = None
    cells: memoryview = field(init=False)

    @cells.default
    def _cells(self) -> memoryview:
        # It yields Python integers, faster than a NumPy array does. (The cast through bytes is
        # needed because NumPy's type code for these integers depends on the machine.)
        return memoryview(self.numbers).cast('B').cast('i').toreadonly()

    @property
    def first(self) -> int:
        """The block of the root's children."""
        return first(self.structure.rows)

    def row(self, block: int, which: int) -> list[int]:
        """Return a row of integers of a block."""
        total = self.cells[block]
        begin = cell(block, total, which, 0)
        return self.cells[begin : begin + total].tolist()

    def reals(self, block: int, total: int, row: int) -> list[float]:
        """Return a row of doubles of a block."""
        begin = column(block, total, row, 0)
        return [*self.cells[begin : begin + 2 * total].cast('B').cast('d')]

    def real(self, block: int, total: int, row: int, index: int) -> float:
        """Return a number of a row of doubles."""
        place = column(block, total, row, index)
        return float(self.cells[place : place + 2].cast('B').cast('d')[0])

    def reward(self, block: int, total: int, index: int) -> float:
        """Return a child's summed reward."""
        if self.structure.real:
            return self.real(block, total, self.structure.reward_row, index)
        return self.cells[cell(block, total, HALVES, index)] / 2

    def visited(self, block: int, moves: Sequence[Any]) -> list[tuple[Any, int, float]]:
        """Return move, visits and reward for each of the `moves` whose child has visits, in order.

        The children of the moves are at `block`.
        """
        if self.structure.real:
            rewards = self.reals(block, len(moves), self.structure.reward_row)
        else:
            rewards = [halves / 2 for halves in self.row(block, HALVES)]
        rows = zip(moves, self.row(block, VISITS), rewards, strict=True)
        return [row for row in rows if row[1] > 0]

    def table(self, block: int, total: int) -> dict[Place, Numbers]:
        """Return the entries of the table of the node whose `total` children are at `block`."""
        structure, keys = self.structure, self.structure.keys
        begin = entry(block, total, structure.rows, 0)
        cells = self.cells[begin : begin + structure.tail]
        numbers: list[float] = (
            [twice / 2 for twice in cells] if structure.in_halves else [*cells.cast('B').cast('d')]
        )
        rows = [numbers[begin : begin + 2 * keys] for begin in range(0, len(numbers), 2 * keys)]
        return {
            (Player.X if place < keys else Player.O, place % keys): kept
            for place, kept in enumerate(zip(*rows, strict=True))
            if any(kept)
        }

    def subtree(self, root: Node, block: int) -> Store:
        """Return a store of the `root`, its children, which are at `block`, and all below.

        It is this store itself if `root` is its root.
        """
        if block == self.first:
            return self
        structure, numbers = self.structure, root_block(root, self.structure)
        nodes, unvisited = copy_subtree(
            self.cells, block, numbers, structure.rows, structure.tail, in_order=self.in_order
        )
        return Store(numbers, len(numbers), nodes, self.in_order, unvisited, structure)

    def count(self, block: int) -> int:
        """Return the number of nodes in the block and below it."""
        nodes, waiting = 0, [block]
        while waiting:
            here = waiting.pop()
            visits = self.row(here, VISITS)
            nodes += len(visits) - visits.count(-1)
            waiting.extend(below for below in self.row(here, BELOW) if below > 0)
        return nodes


def root_block(root: Node, structure: Structure) -> array[int]:
    """Return the block whose only child is the root."""
    block = array('i', [1, 1, root.visits, halves_of(root, structure), first(structure.rows), 0])
    reals = [*root.columns.own, *[0.0] * (structure.rows - structure.own)]
    if structure.real:
        reals[structure.reward_row] = root.reward
    return block + as_integers(reals)


def halves_of(node: Node, structure: Structure) -> int:
    """Return twice the node's reward; 0 if rewards are stored in a row of doubles."""
    return 0 if structure.real else int(2 * node.reward)


def as_integers(reals: Iterable[float]) -> array[int]:
    """Return doubles as the integers that store them, two for each."""
    return array('i', array('d', reals).tobytes())


def copy_subtree(
    cells: memoryview, block: int, out: array[int], rows: int, tail: int, *, in_order: bool
) -> tuple[int, bool]:
    """Append the block and everything below it to `out`, which has the block of its root.

    Return the number of nodes, including the root, and whether any child has no visits. `tried` is
    converted to the meaning for `in_order`. This is `copy_subtree` of `tree.c`, for machines
    without LLVM.
    """
    here, nodes, unvisited = len(out), 1, False
    out.extend(cells[block : block + size(cells[block], rows, tail)])
    while here < len(out):
        total = out[here]
        begin = cell(here, total, VISITS, 0)
        visits = out[begin : begin + total]
        children = total - visits.count(-1)
        out[here + 1] = visits.index(-1) if in_order and children < total else children
        nodes, unvisited = nodes + children, unvisited or 0 in visits
        begin = cell(here, total, BELOW, 0)
        for link, below in enumerate(out[begin : begin + total], begin):
            if below > 0:
                out[link] = len(out)
                out.extend(cells[below : below + size(cells[below], rows, tail)])
        here += size(total, rows, tail)
    return nodes, unvisited
