"""A finished tree's numbers, to which nobody writes any more: what lazily made nodes read.

Nothing here needs numba or NumPy, so that an analysis from another machine can be looked at without
them.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from pickle import UnpicklingError
from typing import Any, Final, NoReturn

from attrs import field, frozen

from fmcts.search.compiled.structure import Structure
from fmcts.search.compiled.tree.places import (
    BELOW,
    HALVES,
    HEADER,
    MOVE,
    ROOT,
    VISITS,
    cell,
    column,
    first,
    size,
)
from fmcts.search.methods import UCB1

__all__ = ['Packed', 'Store', 'copy_subtree']

VERSION: Final = 1  # of a packed store

NUMBER: Final = 4  # bytes

Packed = tuple[int, int, int, bool, bool, bytes]
"""Version, integers in use, nodes, `in_order`, `unvisited`, and the integers, compressed."""


PLAIN: Final = Structure(UCB1(), 'in-order')
FIRST: Final = first(0)  # the block of the root's children, where there are no rows of doubles


@frozen(eq=False, repr=False)
class Store:
    """An array as `layout` describes it, and what is to be known to go on from it.

    `numbers` is anything with a buffer of 32-bit integers, `used` of which are in use for `nodes`
    nodes. `in_order`: whether `tried` is the index of the first gap, rather than the number of
    children. `unvisited`: whether there may be children without visits. `structure`: that of the
    search that left it, which says what the rows of doubles are.
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
        # Python integers come out of it, sooner than out of a NumPy array.
        # (The detour by bytes: on some machines NumPy calls the same integers by another letter.)
        return memoryview(self.numbers).cast('B').cast('i').toreadonly()

    def reward(self, block: int, total: int, index: int) -> float:
        """A child's summed reward."""
        if self.structure.real:
            return self.real(column(block, total, self.structure.reward_row, index))
        return self.cells[cell(block, total, HALVES, index)] / 2

    def real(self, place: int) -> float:
        """The double that lies there, as two integers."""
        return float(self.cells[place : place + 2].cast('B').cast('d')[0])

    def subtree(self, block: int, visits: int, halves: int) -> Store:
        """A store of the children at `block` and all below; root visits and half points as given.

        It is this store itself when that is the whole of it. There must be no rows of doubles.
        """
        if block == FIRST:
            return self
        numbers = array('i', bytes(NUMBER * self.used))
        numbers[:FIRST] = array('i', [1, 1, visits, halves, FIRST, 0])
        with memoryview(numbers) as out:
            used, nodes, unvisited = copy_subtree(self.cells, block, out, self.in_order, 0)
        del numbers[used:]
        return Store(numbers, used, nodes, self.in_order, unvisited)

    def count(self, block: int) -> int:
        """How many nodes lie in the block and all below it."""
        cells, nodes, waiting = self.cells, 0, [block]
        while waiting:
            here = waiting.pop()
            total = cells[here]
            begin = cell(here, total, VISITS, 0)
            nodes += sum(visits >= 0 for visits in cells[begin : begin + total])
            begin = cell(here, total, BELOW, 0)
            waiting.extend(below for below in cells[begin : begin + total] if below > 0)
        return nodes

    def pack(self) -> Packed:
        """All that there is to know about it, the numbers little-endian and compressed."""
        numbers = array('i', self.cells[: self.used])
        _clear_moves_not_made(numbers)
        if sys.byteorder == 'big':
            numbers.byteswap()
        # The lowest level: higher ones take four times as long to save a third.
        packed = zlib.compress(numbers, level=1)
        return VERSION, self.used, self.nodes, self.in_order, self.unvisited, packed

    @staticmethod
    def unpack(packed: Packed) -> Store:
        """The store that was packed.

        :raises UnpicklingError: it is damaged, or of a version that is not known.
        """
        if packed[0] != VERSION:
            raise UnpicklingError(
                f'the tree was pickled in version {packed[0]!r}; this fmcts knows version {VERSION}'
            )
        _, used, nodes, in_order, unvisited, compressed = packed
        numbers = array('i')
        try:
            numbers.frombytes(zlib.decompress(compressed))
        except (TypeError, ValueError, zlib.error) as error:
            _damaged(str(error))
        if sys.byteorder == 'big':
            numbers.byteswap()
        if len(numbers) != used:
            _damaged(f'it has {len(numbers)} numbers, not {used!r}')
        _check(numbers, nodes, in_order=in_order)
        return Store(numbers, used, nodes, bool(in_order), bool(unvisited))


def _clear_moves_not_made(numbers: array[int]) -> None:
    """Write 0 for the move of every child that there is not: what stood there in memory before."""
    block = FIRST
    while block < len(numbers):
        total = numbers[block]
        if numbers[block + 1] < total:
            visits, moves = cell(block, total, VISITS, 0), cell(block, total, MOVE, 0)
            for index in range(total):
                if numbers[visits + index] < 0:
                    numbers[moves + index] = 0
        block += size(total, 0)


def _damaged(why: str) -> NoReturn:
    raise UnpicklingError(f'the pickled tree is damaged: {why}')


def _check(numbers: array[int], nodes: int, *, in_order: bool) -> None:
    """See that the blocks are a tree: compiled code follows the links without looking.

    :raises UnpicklingError: they are not.
    """
    cells = numbers.tolist()
    if len(cells) < FIRST or cells[:2] != [1, 1] or cells[FIRST - 2 : FIRST] != [FIRST, 0]:
        _damaged('it has no root')
    most = cells[cell(ROOT, 1, VISITS, 0)]
    found, links, blocks = 1, [FIRST], []
    block = FIRST
    while block < len(cells):
        total = cells[block]
        rows = block + HEADER
        end = rows + 4 * total
        if total < 1 or end > len(cells):
            _damaged(f'there is no block at number {block}')
        visits = cells[rows : rows + total]
        below = cells[rows + BELOW * total : rows + (BELOW + 1) * total]
        children = total - visits.count(-1)
        gap = visits.index(-1) if children < total else total
        if (
            cells[block + 1] != (gap if in_order else children)
            or min(visits) < -1
            or max(visits) > most
            or min(below) < -3
            or any(
                link and (count < 0 or 0 < link <= block)
                for count, link in zip(visits, below, strict=True)
            )
        ):
            _damaged(f'the block at number {block} contradicts itself')
        found += children
        blocks.append(block)
        links.extend(link for link in below if link > 0)
        block = end
    # Every block is led to once, by one that stands before it: so they are a tree.
    if sorted(links) != blocks:
        _damaged('its blocks are not linked as a tree')
    if found != nodes:
        _damaged(f'it has {found} nodes, not {nodes!r}')


def copy_subtree(words: Any, block: Any, out: Any, in_order: Any, rows: Any) -> Any:
    """Copy the `block` and all below it into `out`, behind the root's; `rows` are of doubles.

    It gives how many integers are in use then, the number of nodes (a root included), and whether
    any child has no visits. `tried` becomes what `in_order` wants. What is copied already is the
    queue of what is still to be looked at (C. J. Cheney, "A nonrecursive list compacting
    algorithm", Communications of the ACM 13, 1970), so no memory but `out` is needed.

    Python runs this source, and numba compiles it.
    """
    begin = first(rows)
    end = begin + size(int(words[block]), rows)
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
                for place in range(below, below + size(int(words[below]), rows)):
                    out[end] = words[place]
                    end += 1
        out[here + 1] = gap if in_order else children
        nodes += children
        here += size(total, rows)
    return end, nodes, unvisited
