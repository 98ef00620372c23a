"""Merge trees that continued the same tree, as machine code on the arrays of `layout`.

The base is one array; the trees are the rows of a second, two-dimensional array. Each row started
as a copy of the base and was grown by a search, so the blocks of the base are at the same indices
in every row. Only blocks without rows of doubles can be merged.

`add_known` adds what the rows found in the blocks of the base to the base. Ranges of blocks can be
merged in parallel, as they share no integers. The new blocks of row 0 are copied to the base
unchanged, and `add_new` adds the new blocks of every other row to them.
"""

from __future__ import annotations

import functools
from typing import Any

from fmcts._compiled.tree.layout import BELOW, HALVES, MOVE, VISITS, cell, open_block, size
from fmcts._numba.cache.jit import Jitted, jit
from fmcts._numba.intrinsics import address, get_int, get_long, inlined, int64, put


@inlined
def differs(base: Any, words: Any, block: Any, total: Any, stop: Any, length: Any) -> Any:
    """Return whether a block differs in any row; if so, its visits differ."""
    begin, different = cell(block, total, VISITS, 0), int64(0)
    for row in range(0, stop, length):
        for place in range(begin, begin + total, 2):
            different |= get_long(words, row + place) ^ get_long(base, place)
    return different != 0


@inlined
def add_children(base: Any, words: Any, block: Any, total: Any, stop: Any, length: Any) -> None:
    """Write the moves and the number of the children that any row has, without their visits."""
    tried, fresh = get_int(base, block + 1), False
    for row in range(0, stop, length):
        if get_int(words, row + block + 1) == tried:
            continue
        fresh = True
        for index in range(total):
            if get_int(words, row + cell(block, total, VISITS, index)) >= 0:
                move_at = cell(block, total, MOVE, index)
                put(base, move_at, get_int(words, row + move_at))
    if not fresh:
        return
    children = int64(0)
    for index in range(total):
        place = cell(block, total, VISITS, index)
        there = get_int(base, place) >= 0
        for row in range(0, stop, length):
            there = there or get_int(words, row + place) >= 0
        children += there
    put(base, block + 1, children)


@inlined
def add_statistics(base: Any, words: Any, block: Any, total: Any, stop: Any, length: Any) -> None:
    """Add up visits and rewards."""
    for index in range(total):
        place = cell(block, total, VISITS, index)
        halves_at = cell(block, total, HALVES, index)
        most = get_int(base, place)
        before = visits = max(most, int64(0))
        halves_before = halves = get_int(base, halves_at)
        for row in range(0, stop, length):
            grown = get_int(words, row + place)
            most = max(most, grown)
            visits += max(grown, int64(0)) - before
            halves += get_int(words, row + halves_at) - halves_before
        visits += min(most, int64(0))  # -1 if there is no child
        put(base, place, visits)
        put(base, halves_at, halves)


@inlined
def add_links(base: Any, words: Any, block: Any, total: Any, stop: Any, length: Any) -> None:
    """Link new terminal children and the new blocks of row 0.

    For a new block of another row, write the index of the link that will lead to it.
    """
    for index in range(total):
        place = cell(block, total, BELOW, index)
        before = link = get_int(base, place)
        for row in range(0, stop, length):
            own = get_int(words, row + place)
            if own == before:
                continue
            if own < 0 or row == 0:
                link = own
            if own > 0 and row > 0:
                put(words, row + own + 1, place)
        if link != before:
            put(base, place, link)


def add_known(base_array: Any, rows_array: Any, begin: Any, end: Any) -> None:
    """Merge the blocks of the base from `begin` to `end`.

    In a new block of a row other than the first, `tried` is overwritten by the index of the link to
    the block, for `add_new`.
    """
    base, words = address(base_array), address(rows_array)
    length = int64(rows_array.shape[1])
    stop = int64(rows_array.shape[0]) * length
    block = int64(begin)
    while block < end:
        total = get_int(base, block)
        if differs(base, words, block, total, stop, length):
            add_children(base, words, block, total, stop, length)
            add_statistics(base, words, block, total, stop, length)
            add_links(base, words, block, total, stop, length)
        block += size(total, 0, 0)


def add_new(
    base_array: Any, rows_array: Any, index: Any, row_used: Any, known: Any, used: Any
) -> Any:
    """Add to the base the blocks that row `index` has from `known` to `row_used`.

    A block that no earlier row has added is appended. `used` is the number of integers in the base;
    return the new number.
    """
    base, words = address(base_array), address(rows_array)
    length = int64(rows_array.shape[1])
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
    """Return the number of nodes, including the root."""
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
