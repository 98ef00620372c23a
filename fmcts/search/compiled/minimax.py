"""What nodes are worth by minimax, as machine code (see `Method.minimax`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from fmcts.search.compiled.numba_support.intrinsics import (
    get,
    get_real,
    inlined,
    int64,
    put_real,
)
from fmcts.search.compiled.simulation import checked, gained
from fmcts.search.compiled.structure import Structure
from fmcts.search.compiled.tree.layout import BELOW, VISITS, cell, column

__all__ = ['estimating', 'evaluation']

Verb: TypeAlias = Callable[..., Any]


def evaluation(structure: Structure) -> Verb:
    """`estimate(position, finished, worth)`: what the leaf of an iteration is worth to X.

    Below 0 it is a status turned round. `worth` is that of the iteration: exact, if the game is
    over.
    """
    if not structure.method.minimax:
        return inlined(lambda _position, _finished, _worth: 0.5)
    gain, share = gained(structure), 1.0 if structure.real else 0.5
    heuristic = structure.functions.heuristic
    judge = inlined(lambda _position: 0.5) if heuristic is None else checked(heuristic)

    @inlined
    def estimate(position: Any, finished: Any, worth: Any) -> Any:
        if finished:
            return share * gain(worth, 0)
        return judge(position)

    return estimate


def estimating(structure: Structure) -> Verb:
    """`estimated(words, block, total, index, mover, chooser, estimate)`: a child on the path.

    It is asked from the leaf to the root: `chooser` is to move at the child, or -1 at the leaf,
    which is worth the `estimate` to X. It gives who moved to the child.
    """
    if not structure.method.minimax:
        return inlined(lambda _words, _block, _total, _index, mover, _chooser, _estimate: mover)
    row = structure.minimax_row

    @inlined
    def estimated(
        words: Any, block: Any, total: Any, index: Any, mover: Any, chooser: Any, estimate: Any
    ) -> Any:
        if chooser < 0:
            mine = estimate if mover == 0 else 1.0 - estimate
        else:
            below = int64(get(words, cell(block, total, BELOW, index)))
            moves = int64(get(words, below))
            best = -math.inf
            for move in range(moves):
                if get(words, cell(below, moves, VISITS, move)) > 0:
                    best = max(best, get_real(words, column(below, moves, row, move)))
            mine = best if mover == chooser else 1.0 - best
        put_real(words, column(block, total, row, index), mine)
        return mover

    return estimated
