"""How the tree lies in memory: one array of 32-bit integers, made of blocks.

A block holds all the children of a node side by side, tried or not, so that they are scored
together:

    total, tried,  visits[total],  halves[total],  below[total],  move[total]

- `total`: how many legal moves the node has. `tried`: how many of them have a child; in a search
  that expands in order, the index of the first that has none instead.
- `visits`: -1 where there is no child yet.
- `halves`: twice the child's summed reward, a whole number.
- `below`: where the block of the child's own children begins; 0 while there is none, and
  `-1 - winner` (as in `fmcts.rules`) when the game is over there.
- `move`: the move as the rules on integers have it; set when the child is made, or, of the root's
  moves, before the search.

The root is the only child in a block of its own at index 0; the block of its children follows.
A child takes 16 bytes and a block 8 more.

Behind that stand a method's rows of doubles (see `columns`), and where nodes have tables (see
`Structure.keys`) a row of numbers for each column, with one for each key of X's moves and then one
for each of O's: doubles or, of counts and sums of halves, twice the number as an integer.
"""

from __future__ import annotations

from typing import Any, Final

from fmcts._compiled.statuses import BAD_MENU, CHOICES, DONE, TREE_IS_FULL
from fmcts._compiled.tree import places
from fmcts._compiled.tree.places import BELOW, HALVES, HEADER, MOVE, ROOT, VISITS
from fmcts._numba.intrinsics import inlined, put
from fmcts._numba.simd import WIDTH

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

SLACK: Final = 4 * WIDTH  # lanes read past the end of a row, so this much must lie behind the last
LIMIT: Final = 2**31 - 1  # integers: `below` must hold any place of a block


cell: Final = inlined(places.cell)
column: Final = inlined(places.column)
entry: Final = inlined(places.entry)
first: Final = inlined(places.first)
size: Final = inlined(places.size)


@inlined
def open_block(words: Any, block: Any, total: Any) -> None:
    """Write a block without children at `block`: the array's memory need not be cleared."""
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
