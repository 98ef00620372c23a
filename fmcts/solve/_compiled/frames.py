"""The memory of a search under way: a frame for each node of the line, and rows for their moves.

Both lie in arrays of integers of 64 bits, so that a search can be left at any node and gone on with
later. A frame is the position and, after its fields, `FRAME` integers; a row is the position after
a move and `ROW` integers.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    'ALPHA',
    'BEST',
    'BETA',
    'CHOICE',
    'END',
    'FIRST',
    'FRAME',
    'FROM',
    'INDEX',
    'LEFT',
    'MOVER',
    'NEXT',
    'ORDER',
    'PLACE',
    'ROW',
    'SINCE',
]

ALPHA: Final = 0  # the window, its lower end being raised by what is found
BETA: Final = 1
FROM: Final = 2  # the lower end as it was at first
BEST: Final = 3  # the best score so far, and the index of the move that has it
CHOICE: Final = 4
LEFT: Final = 5  # how many plies are looked ahead; -1: to the end
MOVER: Final = 6
SINCE: Final = 7  # how many nodes there were when the node was entered
FIRST: Final = 8  # its rows: the first, the next to be searched, the end
NEXT: Final = 9
END: Final = 10
FRAME: Final = 11

ORDER: Final = 0  # the move with the greatest number is searched first
INDEX: Final = 1  # its index among the legal ones
PLACE: Final = 2  # where its history is
ROW: Final = 3
