"""The numbers of a finished tree, which no longer change; lazily created nodes read them.

Nothing here needs numba or NumPy, so an analysis from another machine can be read without them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, Final

from attrs import field, frozen

from fmcts._compiled.structure import Structure
from fmcts._compiled.tree.places import BELOW, HALVES, VISITS, cell, column, entry, first, size
from fmcts.game import Player
from fmcts.search._tree import Node
from fmcts.search.memory import Numbers, Place
from fmcts.search.methods import UCB1

NUMBER: Final = 4  # bytes
PLAIN: Final = Structure(UCB1(), 'in-order')


@frozen(eq=False, repr=False)
class Store:
    """An array as described in `layout`, and the data needed to continue it.

    `numbers` is anything with a buffer of 32-bit integers, `used` of which are in use for `nodes`
    nodes. `in_order`: whether `tried` is the index of the first gap, rather than the number of
    children. `unvisited`: whether there may be children without visits. `structure`: of the search
    that wrote it, which defines the rows of doubles.
    """

    numbers: Any
    used: int
    nodes: int
    in_order: bool
    unvisited: bool
    structure: Structure = PLAIN
    cells: memoryview = field(init=False)

    @cells.default
    def _cells(self) -> memoryview:
        # It yields Python integers, faster than a NumPy array does. (The cast through bytes is
        # needed because NumPy's type code for these integers depends on the machine.)
        return memoryview(self.numbers).cast('B').cast('i').toreadonly()

    def reward(self, block: int, total: int, index: int) -> float:
        """Return a child's summed reward."""
        if self.structure.real:
            return self.real(column(block, total, self.structure.schema.reward_row, index))
        return self.cells[cell(block, total, HALVES, index)] / 2

    def visited(self, block: int, moves: Sequence[Any]) -> list[tuple[Any, int, float]]:
        """Return move, visits and reward for each of the `moves` whose child has visits, in order.

        The children of the moves are at `block`.
        """
        total = len(moves)
        begin = cell(block, total, VISITS, 0)
        visits = self.cells[begin : begin + total].tolist()
        if self.structure.real:
            rewards = [self.reward(block, total, index) for index in range(total)]
        else:
            begin = cell(block, total, HALVES, 0)
            rewards = [halves / 2 for halves in self.cells[begin : begin + total].tolist()]
        rows = zip(moves, visits, rewards, strict=True)
        return [row for row in rows if row[1] > 0]

    def real(self, place: int) -> float:
        """Return the double stored there, as two integers."""
        return float(self.cells[place : place + 2].cast('B').cast('d')[0])

    def table(self, block: int, total: int) -> dict[Place, Numbers]:
        """Return the entries of the table of the node whose `total` children are at `block`."""
        structure = self.structure
        keys, columns, rows = structure.keys, structure.schema.table_columns, structure.schema.rows
        begin, end = entry(block, total, rows, 0), size(total, rows, structure.schema.tail) + block
        cells = self.cells[begin:end]
        numbers: list[float] = (
            [twice / 2 for twice in cells]
            if structure.schema.in_halves
            else [*cells.cast('B').cast('d')]
        )
        found: dict[Place, Numbers] = {}
        for place in range(structure.schema.entries):
            kept = tuple(numbers[place + column * 2 * keys] for column in range(columns))
            if any(kept):
                player = Player.X if place < keys else Player.O
                found[player, place % keys] = kept
        return found

    def subtree(self, root: Node, block: int) -> Store:
        """Return a store of the `root`, its children, which are at `block`, and all below.

        It is this store itself if `root` is its root.
        """
        rows = self.structure.schema.rows
        begin = first(rows)
        if block == begin:
            return self
        numbers = array('i', bytes(NUMBER * self.used))
        numbers[:begin] = root_block(root, self.structure)
        with memoryview(numbers) as out:
            used, nodes, unvisited = copy_subtree(
                self.cells, block, out, self.in_order, rows, self.structure.schema.tail
            )
        del numbers[used:]
        return Store(numbers, used, nodes, self.in_order, unvisited, self.structure)

    def count(self, block: int) -> int:
        """Return the number of nodes in the block and below it."""
        cells, nodes, waiting = self.cells, 0, [block]
        while waiting:
            here = waiting.pop()
            total = cells[here]
            begin = cell(here, total, VISITS, 0)
            nodes += sum(visits >= 0 for visits in cells[begin : begin + total])
            begin = cell(here, total, BELOW, 0)
            waiting.extend(below for below in cells[begin : begin + total] if below > 0)
        return nodes


def root_block(root: Node, structure: Structure) -> array[int]:
    """Return the block whose only child is the root."""
    block = array(
        'i', [1, 1, root.visits, halves_of(root, structure), first(structure.schema.rows), 0]
    )
    if not structure.schema.rows:
        return block
    reals = [*root.columns.own, *[0.0] * (structure.schema.rows - structure.schema.own)]
    if structure.real:
        reals[structure.schema.reward_row] = root.reward
    block.extend(as_integers(reals))
    return block


def halves_of(node: Node, structure: Structure) -> int:
    """Return twice the node's reward; 0 if rewards are stored in a row of doubles."""
    return 0 if structure.real else int(2 * node.reward)


def as_integers(reals: Iterable[float]) -> array[int]:
    """Return doubles as the integers that store them, two for each."""
    return array('i', array('d', reals).tobytes())


def copy_subtree(words: Any, block: Any, out: Any, in_order: Any, rows: Any, tail: Any) -> Any:
    """Copy the `block` and everything below it into `out`, after the root's block.

    `rows` is the number of rows of doubles, `tail` the number of integers in a table. Return the
    number of integers used, the number of nodes (including a root), and whether any child has no
    visits. `tried` is converted to the meaning for `in_order`. The blocks copied so far serve as
    the queue of blocks to scan (C. J. Cheney, "A nonrecursive list compacting algorithm",
    Communications of the ACM 13, 1970), so only `out` needs memory.

    Both Python and numba run this source.
    """
    begin = first(rows)
    end = begin + size(int(words[block]), rows, tail)
    for place in range(begin, end):
        out[place] = words[block - begin + place]
    here, nodes, unvisited = begin, 1, False
    while here < end:
        total = int(out[here])
        children, gap = 0, total
        for index in range(total):
            visits = out[cell(here, total, VISITS, index)]
            if visits < 0:
                gap = min(gap, index)
                continue
            children += 1
            if visits == 0:
                unvisited = True
            link = cell(here, total, BELOW, index)
            below = int(out[link])
            if below > 0:
                out[link] = end
                for place in range(below, below + size(int(words[below]), rows, tail)):
                    out[end] = words[place]
                    end += 1
        out[here + 1] = gap if in_order else children
        nodes += children
        here += size(total, rows, tail)
    return end, nodes, unvisited
