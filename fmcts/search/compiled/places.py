"""Where the numbers of a tree lie: plain facts about `layout`, for code that loads no numba.

`layout` describes a block and gives `cell` and `size` to compiled code as well.
"""

from __future__ import annotations

from typing import Any, Final

__all__ = ['BELOW', 'FIRST', 'HALVES', 'HEADER', 'MOVE', 'ROOT', 'VISITS', 'cell', 'size']

HEADER: Final = 2
VISITS, HALVES, BELOW, MOVE = range(4)
ROOT: Final = 0
FIRST: Final = HEADER + 4  # the block of the root's children


def size(total: Any) -> Any:
    """How many integers a block for `total` children takes."""
    return HEADER + 4 * total


def cell(block: Any, total: Any, row: Any, index: Any) -> Any:
    """Where in the array the entry of child `index` in a `row` of the block lies."""
    return block + HEADER + row * total + index
