"""The entries of a graph's states, made from its numbers when they are read; the C is in `graph.h`.

Nothing here needs NumPy or LLVM.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from struct import Struct
from typing import Any, Final

from attrs import define

from fmcts._engines import graph as graphs
from fmcts._linked.tree.store import BELOW, VISITS, Store
from fmcts.game import Player
from fmcts.search import NO_COLUMNS, Columns, MoveStats

NODE: Final = Struct('=5i4d')
"""The numbers before a block, which a position follows: `Node` in `search.h`."""


def width(fields: int) -> int:
    """Return how many integers lie before a block, where a position has so many fields."""
    return NODE.size // 4 + 2 * fields


def numbers_before(block: int, store: Store, fields: int) -> tuple[Any, ...]:
    """Return the numbers of the state with that block: `above`, `index` and so on."""
    return NODE.unpack_from(store.cells, 4 * (block - width(fields)))


def stats(moves: Sequence[Any], seat: int, store: Store, fields: int) -> tuple[MoveStats[Any], ...]:
    """Return the statistics of the root's moves, whose player has that seat."""
    block, made = store.first + width(fields), []
    edges = zip(moves, store.row(block, VISITS), store.row(block, BELOW), strict=True)
    for move, times, to in edges:
        value = numbers_before(to, store, fields)[7 + seat] if times > 0 else None
        made.append(MoveStats(move, max(0, times), value))
    return tuple(made)


@define(eq=False)
class Entries(Sequence[graphs.Entry]):
    """The entries of a graph by the numbers of the states, from the numbers in the store.

    `blocks` has the place of each state's block, and `fields` is the number of integers in a
    position. `made` has the entries that were read, and that of the root, from which all states
    follow.
    """

    store: Store
    blocks: list[int]
    fields: int
    made: dict[int, graphs.Entry]

    def __len__(self) -> int:
        return len(self.blocks)

    def __getitem__(self, number: Any) -> Any:
        above, line = range(len(self))[number], []
        while above not in self.made:
            block, index, *_ = numbers_before(self.blocks[above], self.store, self.fields)
            line.append((above, index))
            above = bisect_left(self.blocks, block)
        entry = self.made[above]
        for below, index in reversed(line):
            state = entry.state.play(entry.moves[index])
            entry = self.made[below] = self.entry(below, state, state.moves or ())
        return entry

    def entry(self, number: int, state: Any, moves: tuple[Any, ...]) -> graphs.Entry:
        """Return the entry of a state with these moves, made anew."""
        store, block, names = self.store, self.blocks[number], self.made[0].columns.names
        numbers = numbers_before(block, store, self.fields)
        _, _, level, own, visits, worth, total, mean, rest = numbers
        columns, places = NO_COLUMNS, []
        if names:
            rows = (tuple(store.reals(block, row)) for row in range(len(names.moves)))
            columns = Columns(names, (), tuple(rows))
        if store.cells[block + 1]:  # moves were tried
            edges = zip(moves, store.row(block, BELOW), store.row(block, VISITS), strict=True)
            places = [
                graphs.Edge(move, bisect_left(self.blocks, to), times) if to else None
                for move, to, times in edges
            ]
        facts = state, moves, columns, level, int(state.player is Player.O), 1.0, 0, own, worth
        values = (mean, rest) if visits else ()
        return graphs.Entry(*facts, visits, total, mean, values, tuple(places))
