"""The detection of resolved nodes in machine code (see `fmcts.search.resolution`)."""

from __future__ import annotations

from fmcts._compiled.structure import Structure
from fmcts._compiled.tree.layout import ROOT, column
from fmcts._numba.intrinsics import Verb, get_real, inlined, nothing
from fmcts._numba.register import register


def is_resolved(structure: Structure) -> Verb:
    """Return `ended(words)`: whether the root is resolved."""
    resolves, row = structure.resolution, structure.resolution_row
    if resolves is None:
        return inlined(lambda _words: False)
    register(resolves.ends)
    ends = resolves.ends
    return inlined(lambda words: ends(get_real(words, column(ROOT, 1, row, 0))))


def leaving_out(structure: Structure) -> tuple[Verb, Verb]:
    """Return `leaves_out(number)`, for a child or lanes, and `number_at(block, total, index)`.

    `number_at` is the index of the child's number.
    """
    resolves, row = structure.resolution, structure.resolution_row
    if resolves is None:
        return nothing, nothing
    register(resolves.leaves_out)
    number_at = inlined(lambda block, total, index: column(block, total, row, index))
    return resolves.leaves_out, number_at
