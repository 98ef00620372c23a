"""The numbers of a finished tree, which no longer change; lazily created nodes read them.

Nothing here needs NumPy or LLVM, so an analysis from another machine can be read without them.
`game.h` describes the places of the numbers.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections import deque
from collections.abc import Iterable, Iterator
from pickle import UnpicklingError
from typing import Any, Final

from attrs import field, frozen

from fmcts._linked.structure import Structure
from fmcts.game import Player
from fmcts.search import Node
from fmcts.search.memory import Numbers, Place
from fmcts.search.methods import UCB1

HEADER: Final = 2
VISITS, HALVES, BELOW, MOVE = range(4)
ROOT: Final = 0
INTEGERS: Final = 4  # rows of integers, before those of doubles
SLACK: Final = 32  # integers needed after the last row, as lanes are read past its end
LIMIT: Final = 2**31 - 1  # integers: `below` must be able to hold the index of any block


def size(total: int, rows: int, tail: int = 0) -> int:
    """Return the number of integers in a block for `total` children with `rows` rows of doubles.

    `tail` is the number of integers in its table.
    """
    return HEADER + (INTEGERS + 2 * rows) * total + tail


def cell(block: int, total: int, row: int, index: int) -> int:
    """Return the index of the number of child `index` in a `row` of integers."""
    return block + HEADER + row * total + index


PLAIN: Final = Structure(UCB1())


@frozen(eq=False, repr=False)
class Store:
    """An array as described in `game.h`, and the data needed to continue it.

    `numbers` is anything with a buffer of 32-bit integers, `used` of which are in use for `nodes`
    nodes. `unvisited`: whether there may be children without visits. `structure`: of the search
    that wrote it, which defines the rows of doubles.
    """

    numbers: Any
    used: int
    nodes: int
    unvisited: bool
    structure: Structure = PLAIN
    cells: memoryview = field(init=False)

    @cells.default
    def _cells(self) -> memoryview:
        # It yields Python integers, faster than a NumPy array does. (The cast through bytes is
        # needed because NumPy's type code for these integers depends on the machine.)
        return memoryview(self.numbers).cast('B').cast('i').toreadonly()

    def __reduce__(self) -> tuple[Any, ...]:
        # The lowest level: higher levels take four times as long to save a third.
        packed = zlib.compress(self.cells[: self.used], level=1)
        facts = self.used, self.nodes, self.unvisited, layout_of(self.structure)
        return unpacked_6, (packed, sys.byteorder, *facts)

    @property
    def first(self) -> int:
        """The block of the root's children."""
        return size(1, self.structure.rows)

    def row(self, block: int, which: int) -> list[int]:
        """Return a row of integers of a block."""
        total = self.cells[block]
        begin = cell(block, total, which, 0)
        return self.cells[begin : begin + total].tolist()

    def reals(self, block: int, row: int) -> list[float]:
        """Return a row of doubles of a block."""
        total = self.cells[block]
        begin = block + size(total, row)
        return [*self.cells[begin : begin + 2 * total].cast('B').cast('d')]

    def rewards(self, block: int) -> list[float]:
        """Return the summed rewards of the children at a block."""
        if self.structure.real:
            return self.reals(block, self.structure.reward_row)
        return [halves / 2 for halves in self.row(block, HALVES)]

    def table(self, block: int) -> dict[Place, Numbers]:
        """Return the entries of the table of the node whose children are at `block`."""
        structure, keys = self.structure, self.structure.keys
        begin = block + size(self.cells[block], structure.rows)
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

    def blocks(self, block: int) -> Iterator[int]:
        """Yield a block and those below it, level by level."""
        waiting = deque([block])
        while waiting:
            yield (here := waiting.popleft())
            waiting.extend(below for below in self.row(here, BELOW) if below > 0)


def root_block(root: Node, structure: Structure) -> array[int]:
    """Return the block whose only child is the root."""
    block = array('i', [1, 1, root.visits, halves_of(root, structure), size(1, structure.rows), 0])
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


# ---- pickles ----


def layout_of(structure: Structure) -> Structure:
    """Return a structure with the same places that refers to no function of a user's."""
    return Structure(
        structure.method if structure.method.names else PLAIN.method,
        real=structure.real,
        resolution=structure.resolution,
        keys=structure.keys,
    )


def unpacked_6(packed: bytes, order: str, *facts: Any) -> Store:
    """Return a store from its pickle; another layout of the numbers takes another name.

    :raises UnpicklingError: the machine that pickled it has another order of bytes.
    """
    if order != sys.byteorder:
        raise UnpicklingError(f'the tree was pickled where bytes have another order: {order}')
    return Store(array('i', zlib.decompress(packed)), *facts)
