"""The layout of a tree in memory: one array of 32-bit integers, made of blocks.

A block holds all the children of a node side by side, tried or not, so that they can be scored
together:

    total, tried,  visits[total],  halves[total],  below[total],  move[total]

- `total`: the number of legal moves. `tried`: the number of children; in a search that expands in
  order, the index of the first move without a child instead.
- `visits`: -1 if there is no child yet.
- `halves`: twice the child's summed reward, an integer.
- `below`: the index of the block of the child's children; 0 if there is none, and `-1 - winner`
  (as in `fmcts.rules`) if the game is over there.
- `move`: the move in the rules on integers; set when the child is made, and for the root's moves
  before the search.

The root is the only child in the block at index 0; the block of its children follows.
A child takes 16 bytes and a block 8 more.

A method's rows of doubles follow (see `columns`). If nodes have tables (see `Structure.keys`),
there is a further row of numbers for each of the table's columns, with a number for each key of X's
moves, then for each key of O's: doubles, or for counts and sums of halves twice the number as an
integer.
"""

from __future__ import annotations

from typing import Any, Final

from fmcts._compiled.statuses import BAD_MENU, CHOICES, DONE, TREE_IS_FULL
from fmcts._linked.tree import places
from fmcts._linked.tree.places import BELOW, HALVES, HEADER, LIMIT, MOVE, ROOT, SLACK, VISITS
from fmcts._numba.intrinsics import inlined, put

__all__ = [
    'BELOW',
    'HALVES',
    'HEADER',
    'LIMIT',
    'MOVE',
    'ROOT',
    'SLACK',
    'VISITS',
    'cell',
    'column',
    'entry',
    'first',
    'open_block',
    'refusal',
    'size',
]


cell: Final = inlined(places.cell)
column: Final = inlined(places.column)
entry: Final = inlined(places.entry)
first: Final = inlined(places.first)
size: Final = inlined(places.size)


@inlined
def open_block(words: Any, block: Any, total: Any) -> None:
    """Write a block without children at `block`; the memory need not be cleared before."""
    put(words, block, total)
    put(words, block + 1, 0)
    for index in range(total):
        put(words, cell(block, total, VISITS, index), -1)
        put(words, cell(block, total, HALVES, index), 0)
        put(words, cell(block, total, BELOW, index), 0)


@inlined
def refusal(total: Any, end: Any, room: Any) -> Any:
    """Return the status for a block of `total` moves that would reach to `end`."""
    if total < 1 or total > CHOICES:
        return BAD_MENU
    return TREE_IS_FULL if end > room else DONE
