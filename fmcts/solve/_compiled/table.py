"""The table of positions met before, in an array of integers of 64 bits.

An entry is the whole position, which is compared in every field: never its hash alone. The bounds
of its score follow, and `NOTES`, from the lowest bit on: how large the search below was
(8 bits, 0 in an empty entry), how many plies it looked ahead and one (32 bits, 0 for to the end),
the index of the best move and one.

Entries are in buckets of four. In a full bucket, the entry with the smallest search is replaced.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from fmcts._numba.cache.jit import jit
from fmcts._numba.intrinsics import Verb, address, get, inlined, int64, leading_zeros, put, uint64
from fmcts.solve._compiled.fields import fields_in_arrays

BUCKET: Final = 4
LOWER: Final = 0  # after the fields of the position
UPPER: Final = 1
NOTES: Final = 2
DEPTH: Final = 0xFFFF_FFFF

NEW: Final = 1  # what `store` says: an entry more
FULL: Final = -1  # the table wants to grow first


class Table(NamedTuple):
    """Compiled functions for a table at the pointer `words`, of `mask + 1` buckets.

    - `bucket(mask, here, left)`: the place of the entries that a position may have.
    - `find(words, bucket, here, left)`: the place of its entry, or -1.
    - `bounds(words, entry)`: lower and upper bound. `likely(words, entry)`: the best move's index.
    - `store(words, bucket, here, left, lower, upper, index, nodes, room)`: store bounds found
      by a search of `nodes` nodes; returns `NEW`, 0, or `FULL` if another entry needs `room`.
    """

    bucket: Verb
    find: Verb
    bounds: Verb
    likely: Verb
    store: Verb


def entry_width(position: Any) -> int:
    """Return how many integers an entry has."""
    return len(position._fields) + 3


def table_for(position: Any) -> Table:  # noqa: C901 - it is five functions
    """Return the functions for tables of positions of a class."""
    width, _, write, same, hashed = fields_in_arrays(position)
    stride = entry_width(position)

    @inlined
    def bucket_of(mask: Any, here: Any, left: Any) -> Any:  # compiled
        return int64(hashed(here, left) & uint64(mask)) * (BUCKET * stride)

    @inlined
    def find(words: Any, bucket: Any, here: Any, left: Any) -> Any:  # compiled
        entry = bucket
        for _ in range(BUCKET):
            notes = get(words, entry + width + NOTES)
            if notes == 0:
                return int64(-1)
            if (notes >> 8) & DEPTH == left + 1 and same(words, entry, here):
                return entry
            entry += stride
        return int64(-1)

    @inlined
    def bounds(words: Any, entry: Any) -> Any:  # compiled
        return get(words, entry + width + LOWER), get(words, entry + width + UPPER)

    @inlined
    def likely(words: Any, entry: Any) -> Any:  # compiled
        return (get(words, entry + width + NOTES) >> 40) - 1

    @inlined
    def store(  # noqa: PLR0913, PLR0917 - an entry, and where it goes
        words: Any, bucket: Any, here: Any, left: Any, lower: Any, upper: Any, index: Any,
        nodes: Any, room: Any,
    ) -> Any:  # fmt: skip # compiled
        size = int64(64 - leading_zeros(nodes + 1))
        said = int64(0)
        entry = find(words, bucket, here, left)
        if entry >= 0:
            known_lower, known_upper = bounds(words, entry)
            lower, upper = max(lower, known_lower), min(upper, known_upper)
            size = max(size, get(words, entry + width + NOTES) & 0xFF)
        else:
            smallest = int64(1 << 8)
            place = bucket
            for _ in range(BUCKET):
                notes = get(words, place + width + NOTES) & 0xFF
                if notes < smallest:
                    smallest = notes
                    entry = place
                place += stride
            if smallest == 0:  # an empty one
                if not room:
                    return int64(FULL)
                said = int64(NEW)
            write(words, entry, here)
        put(words, entry + width + LOWER, lower)
        put(words, entry + width + UPPER, upper)
        put(words, entry + width + NOTES, ((index + 1) << 40) | ((left + 1) << 8) | size)
        return said

    return Table(bucket_of, find, bounds, likely, store)


def make_moving(position: Any, about: str) -> Any:
    """Return `move(old, new, mask)`, which copies a table into a larger one and counts entries."""
    width, read, _, _, hashed = fields_in_arrays(position)
    stride = entry_width(position)

    def move(old_array: Any, new_array: Any, mask: Any) -> Any:  # compiled
        old, new = address(old_array), address(new_array)
        moved = 0
        for number in range(len(old_array) // stride):
            entry = number * stride
            notes = get(old, entry + width + NOTES)
            if notes == 0:
                continue
            left = ((notes >> 8) & DEPTH) - 1
            place = int64(hashed(read(old, entry), left) & uint64(mask)) * (BUCKET * stride)
            for _ in range(BUCKET):
                if get(new, place + width + NOTES) == 0:
                    for word in range(stride):
                        put(new, place + word, get(old, entry + word))
                    moved += 1
                    break
                place += stride
        return moved

    return jit(move, about)
