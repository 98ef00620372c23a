"""The verb `settle`: how the ends of games settle the nodes above them (see `search.settling`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from fmcts.search.compiled.numba_support.intrinsics import (
    get,
    get_real,
    inlined,
    int64,
    nothing,
    put_real,
)
from fmcts.search.compiled.numba_support.register import register
from fmcts.search.compiled.simulation import gained
from fmcts.search.compiled.structure import Structure
from fmcts.search.compiled.tree.layout import HEADER, ROOT, column

__all__ = ['is_settled', 'leaving_out', 'settling']

Verb: TypeAlias = Callable[..., Any]


def is_settled(structure: Structure) -> Verb:
    """`ended(words)`: whether the root is settled."""
    settles, row = structure.settling, structure.settled_row
    if settles is None:
        return inlined(lambda _words: False)
    register(settles.ends)
    ends = settles.ends
    return inlined(lambda words: ends(get_real(words, column(ROOT, 1, row, 0))))


def leaving_out(structure: Structure) -> tuple[Verb, Verb]:
    """`leaves_out(number)`, of a child or of lanes; `number_at(block, total, index)`: its place."""
    settles, row = structure.settling, structure.settled_row
    if settles is None:
        return nothing, nothing
    register(settles.leaves_out)
    number_at = inlined(lambda block, total, index: column(block, total, row, index))
    return settles.leaves_out, number_at


def settling(structure: Structure) -> Verb:
    """`settle(words, path, depth, worth, root_mover)`: after an iteration that ended in an end.

    `path` is that of `backup`. It goes up as far as something is settled that was not before.
    """
    settles, row = structure.settling, structure.settled_row
    if settles is None:
        return nothing
    register(settles.of_end, settles.seen, settles.of_node, settles.decides)
    of_end, of_nothing, seen = settles.of_end, settles.nothing, settles.seen
    decides, number_of = settles.decides, settles.of_node
    gain, real, stride = gained(structure), structure.real, structure.stride

    @inlined
    def of_node(words: Any, block: Any, total: Any, number: Any, same: Any) -> Any:
        """The number of the node whose children are in the block; one of them has `number` now."""
        complete = get(words, block + 1) == total
        if not (complete or decides(number)):
            return 0.0
        so_far = of_nothing
        for index in range(total):  # of a move without a child the number is 0, as of an open one
            so_far = seen(so_far, get_real(words, column(block, total, row, index)))
        return number_of(so_far, complete, same)

    @inlined
    def settle(words: Any, path: Any, depth: Any, worth: Any, root_mover: Any) -> None:
        number = 0.0
        for level in range(depth - 1, -1, -1):
            shape = int64(get(path, stride * level + 1))
            total, mover = shape >> 1, shape & 1
            index = int64(get(path, stride * level + 2))
            block = int64(get(path, stride * level)) - index - HEADER
            if level == depth - 1:
                mine = gain(worth, mover)
                number = of_end(mine if real else 0.5 * mine)
            place = column(block, total, row, index)
            if number == get_real(words, place):  # what is above knows it already
                return
            put_real(words, place, number)
            above = int64(get(path, stride * (level - 1) + 1)) & 1 if level > 0 else root_mover
            number = of_node(words, block, total, number, above == mover)
            if number == 0.0:
                return
        put_real(words, column(ROOT, 1, row, 0), number)

    return settle
