"""The verb `record`: write a row of the trail for an iteration (`fmcts._compiled.trail`)."""

from __future__ import annotations

from typing import Any, Final

from fmcts._compiled.simulation import gained
from fmcts._compiled.structure import Structure
from fmcts._compiled.tree.layout import ROOT, VISITS, cell
from fmcts._numba.intrinsics import Verb, get, inlined, put, put_real

__all__ = ['ROW', 'recording']


ROW: Final = 6  # integers; the last two are a double


def recording(structure: Structure) -> Verb:
    """Return `record(trail, row, path, depth, index, moves, worth)`, which records an iteration.

    `path` has `depth` levels and ends with the leaf, which is number `index` among its siblings
    and has `moves` moves.
    """
    stride, gain, share = structure.stride, gained(structure), 1.0 if structure.real else 0.5

    @inlined
    def record(
        trail: Any, row: Any, path: Any, depth: Any, index: Any, moves: Any, worth: Any
    ) -> None:
        at, level = ROW * row, stride * (depth - 1)
        above = get(path, level - stride) if depth > 1 else cell(ROOT, 1, VISITS, 0)
        put(trail, at, get(path, level))
        put(trail, at + 1, above)
        put(trail, at + 2, index << 1 | get(path, level + 1) & 1)
        put(trail, at + 3, moves)
        put_real(trail, at + 4, share * gain(worth, 0))

    return record
