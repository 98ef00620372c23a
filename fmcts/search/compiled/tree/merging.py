"""Merge trees that continued the same tree, as machine code on the arrays of `layout`.

The base is one array; the trees are the rows of another, with two dimensions. Each row began as a
copy of the base and was grown by a search, so the blocks of the base are at the same places in
every row. Only blocks without rows of doubles can be merged.

`add_known` merges the blocks of the base, in the base and in every row. Ranges of blocks can be
merged at the same time, as no two touch the same integers. The new blocks of row 0 are copied to
the base as they are, and `add_new` adds to them those of each other row.
"""

from __future__ import annotations

import functools
from typing import Any

from fmcts.search.compiled.cache.jit import Jitted, jit
from fmcts.search.compiled.numba_support.intrinsics import (
    address,
    get_int,
    get_long,
    int64,
    put,
)
from fmcts.search.compiled.tree.layout import (
    BELOW,
    HALVES,
    HEADER,
    MOVE,
    VISITS,
    cell,
    open_block,
    size,
)

__all__ = ['adder_of_known', 'adder_of_new', 'counter']


def add_known(base_array: Any, rows_array: Any, begin: Any, end: Any) -> None:
    """Merge the blocks of the base from `begin` to `end`.

    Where a row but the first has a new block, the place of the link to it is written over its
    `tried`, for `add_new`.
    """
    base, words = address(base_array), address(rows_array)
    length = int64(rows_array.shape[1])
    stop = int64(rows_array.shape[0]) * length
    here = int64(begin)
    while here < end:
        total = get_int(base, here)
        visits_at = cell(here, total, VISITS, 0)
        halves_at = cell(here, total, HALVES, 0)
        below_at = cell(here, total, BELOW, 0)
        different = int64(0)
        for row in range(0, stop, length):  # a block changes only where visits do
            for place in range(visits_at, halves_at, 2):
                different |= get_long(words, row + place) ^ get_long(base, place)
        if different == 0:
            here += size(total, 0, 0)
            continue
        tried = get_int(base, here + 1)
        children = tried
        for row in range(0, stop, length):
            if get_int(words, row + here + 1) == tried:
                continue
            for index in range(total):  # the move was set when the child was made
                move_at = cell(here, total, MOVE, index)
                if get_int(words, row + visits_at + index) >= 0:
                    put(base, move_at, get_int(words, row + move_at))
            children = int64(-1)
        if children < 0:
            children = int64(0)
            for place in range(visits_at, halves_at):
                there = get_int(base, place) >= 0
                for row in range(0, stop, length):
                    there = there or get_int(words, row + place) >= 0
                children += there
            put(base, here + 1, children)
            for row in range(0, stop, length):
                put(words, row + here + 1, children)
                for place in range(below_at + total, below_at + 2 * total):
                    put(words, row + place, get_int(base, place))
        for place in range(visits_at, halves_at):
            first = get_int(base, place)
            before, most = max(first, int64(0)), first
            visits = before
            for row in range(0, stop, length):
                grown = get_int(words, row + place)
                visits += max(grown, int64(0)) - before
                most = max(most, grown)
            visits += min(most, int64(0))  # -1 while there is no child
            halves = before = get_int(base, place + total)
            for row in range(0, stop, length):
                halves += get_int(words, row + place + total) - before
            put(base, place, visits)
            put(base, place + total, halves)
            for row in range(0, stop, length):
                put(words, row + place, visits)
                put(words, row + place + total, halves)
        for place in range(below_at, below_at + total):
            before = link = get_int(base, place)
            for row in range(0, stop, length):
                own = get_int(words, row + place)
                if own == before:
                    continue
                if link == 0 and (own < 0 or row == 0):  # the game is over there, or a new block
                    link = own
                if own > 0 and row > 0:
                    put(words, row + own + 1, place)
            if link != before:
                put(base, place, link)
                for row in range(0, stop, length):
                    put(words, row + place, link)
        here += size(total, 0, 0)


def add_new(
    base_array: Any, rows_array: Any, index: Any, row_used: Any, known: Any, used: Any
) -> Any:
    """Append to the base the blocks that row `index` has from `known` to `row_used`.

    A block that the base has from an earlier row already is added to it. `used` is how many
    integers the base has by now. Return how many it has then.
    """
    base, words = address(base_array), address(rows_array)
    length = int64(rows_array.shape[1])
    stop = int64(rows_array.shape[0]) * length
    row = int64(index) * length
    here, end = int64(known), int64(used)
    while here < row_used:
        total = get_int(words, row + here)
        link = get_int(words, row + here + 1)
        there = get_int(base, link)
        if there == 0:
            there = end
            open_block(base, there, total)
            end += size(total, 0, 0)
            put(base, link, there)
            if link < known:  # what comes behind is copied to the rows as a whole
                for other in range(0, stop, length):
                    put(words, other + link, there)
        for child in range(total):
            place = row + cell(here, total, VISITS, child)
            visits = get_int(words, place)
            if visits < 0:
                continue
            target = cell(there, total, VISITS, child)
            present = get_int(base, target)
            if present < 0:
                present = int64(0)
                move = get_int(words, place + (MOVE - VISITS) * total)
                put(base, target + (MOVE - VISITS) * total, move)
                put(base, there + 1, get_int(base, there + 1) + 1)
            put(base, target, present + visits)
            halves_at = target + (HALVES - VISITS) * total
            halves = get_int(words, place + (HALVES - VISITS) * total)
            put(base, halves_at, get_int(base, halves_at) + halves)
            below_at = target + (BELOW - VISITS) * total
            below = get_int(words, place + (BELOW - VISITS) * total)
            if below > 0:
                put(words, row + below + 1, below_at)
            elif below < 0:
                put(base, below_at, below)
        here += size(total, 0, 0)
    return end


def count_nodes(base_array: Any, used: Any) -> Any:
    """Return how many nodes there are, the root included."""
    base = address(base_array)
    here, nodes = int64(0), int64(0)
    while here < used:
        total = get_int(base, here)
        for index in range(total):
            nodes += get_int(base, cell(here, total, VISITS, index)) >= 0
        here += size(total, 0, 0)
    return nodes


@functools.cache
def adder_of_known() -> Jitted:
    """Return `add_known` as machine code."""
    return jit(add_known, 'merging of trees')


@functools.cache
def adder_of_new() -> Jitted:
    """Return `add_new` as machine code."""
    return jit(add_new, 'merging of trees')


@functools.cache
def counter() -> Jitted:
    """Return `count_nodes` as machine code."""
    return jit(count_nodes, 'merging of trees')
