"""The verb `jump`: whether to descend past untried moves (see `fmcts._engines.jumping`)."""

from __future__ import annotations

from typing import Any

from fmcts._compiled.settling import leaving_out
from fmcts._compiled.structure import Structure
from fmcts._compiled.tree.layout import VISITS, cell
from fmcts._numba.generators import draw
from fmcts._numba.intrinsics import Verb, get, get_real, inlined

__all__ = ['jumping']


def jumping(structure: Structure) -> Verb:
    """Return `jump(words, block, total, tried, visits, rng)`: the decision and the next generator.

    `tried` is the number of the node's moves that have a child, `visits` the node's visits.
    """
    if not structure.jumps:
        return inlined(lambda _words, _block, _total, _tried, _visits, rng: (False, rng))
    settles = structure.settling is not None
    leaves_out, number_at = leaving_out(structure)

    @inlined
    def jump(words: Any, block: Any, total: Any, tried: Any, visits: Any, rng: Any) -> Any:
        left = tried if visits > 0 else 0
        if settles and left > 0:
            for index in range(total):
                if get(words, cell(block, total, VISITS, index)) >= 0 and leaves_out(
                    get_real(words, number_at(block, total, index))
                ):
                    left -= 1
        if left == 0:
            return False, rng
        drawn, rng = draw(rng, total + 1)
        return drawn >= tried, rng

    return jump
