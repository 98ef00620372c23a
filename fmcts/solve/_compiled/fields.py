"""Positions as rows of integers in arrays: read, written, compared, and turned into a hash.

The memory of a search under way has a frame for each node of the line, and rows for their moves.
Both are stored in arrays of integers of 64 bits, so that a search can be left at any node and
continued later. A frame is the position and, after its fields, `FRAME` integers; a row is the
position after a move and `ROW` integers.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from fmcts._numba.intrinsics import Verb, get, inlined, put, uint64

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

# Odd numbers with well mixed bits: those of SplitMix64 (Steele, Lea and Flood 2014).
GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
MIX1: Final = np.uint64(0xBF58476D1CE4E5B9)
MIX2: Final = np.uint64(0x94D049BB133111EB)
HALF: Final = np.uint64(32)


class Fields(NamedTuple):
    """Compiled functions for the fields of a position, from `words[at]` on.

    - `width`: how many there are. `read(words, at)`: the position. `write(words, at, here)`.
    - `same(words, at, here)`: whether it is that position, in every field.
    - `hashed(here, more)`: 64 bits that depend on all fields and the integer `more`.
    """

    width: int
    read: Verb
    write: Verb
    same: Verb
    hashed: Verb


def fields_in_arrays(position: Any) -> Fields:
    """Return the functions for positions of a class."""
    width = len(position._fields)
    names: dict[str, Any] = {
        'make': position, 'get': get, 'put': put, 'uint64': uint64,
        'GOLDEN': GOLDEN, 'MIX1': MIX1, 'MIX2': MIX2, 'HALF': HALF,
    }  # fmt: skip
    # One source a number of fields, so that nothing is looped over and no field has another type.
    all_read = ', '.join(f'get(words, at + {place})' for place in range(width))
    all_written = '\n'.join(
        f'    put(words, at + {place}, here[{place}])' for place in range(width)
    )
    all_same = ' and '.join(f'get(words, at + {place}) == here[{place}]' for place in range(width))
    all_mixed = '\n'.join(
        f'    bits = (bits ^ uint64(here[{place}])) * MIX1\n    bits ^= bits >> HALF'
        for place in range(width)
    )
    exec(  # noqa: S102 - see above
        f'def read(words, at):\n    return make({all_read})\n'
        f'def write(words, at, here):\n{all_written}\n'
        f'def same(words, at, here):\n    return {all_same}\n'
        f'def hashed(here, more):\n    bits = uint64(more) * GOLDEN\n{all_mixed}\n'
        '    bits *= MIX2\n    return bits ^ bits >> HALF\n',
        names,
    )
    return Fields(width, *(inlined(names[verb]) for verb in ('read', 'write', 'same', 'hashed')))
