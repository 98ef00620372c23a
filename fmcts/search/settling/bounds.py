"""Score bounds: what a node is worth at least and at most, beside what is proven exactly.

T. Cazenave and A. Saffidine, "Score bounded Monte-Carlo tree search", Computers and Games 2010.
With three outcomes there are two more things to know of a node than the solver does: that it is at
least a draw, since one move is, and that it is at most a draw, since no move is more. So a draw is
proven sooner, where its alternatives are only known not to win.

The column `bounds` has the numbers of the solver's column `proof`, and between them, for who moved
to the node:

- 1/4: at most a draw;
- 3/4: at least a draw.

Nothing is left out of selection but proven losses: the article's cuts (a move that is at most what
another is at least) are not made.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from attrs import evolve

from fmcts.formulas import maximum, minimum, where
from fmcts.search.settling.settling import Seen
from fmcts.search.settling.solver import DRAWN, SOLVER

__all__ = ['AT_LEAST', 'AT_MOST', 'BOUNDS']

AT_MOST: Final = 0.25
AT_LEAST: Final = 0.75


def _seen(so_far: Seen, proof: float) -> Seen:
    """The shortest win, the longest loss, and the greatest lower and upper bound of a child."""
    win, loss, lower, upper = so_far
    least = where((proof == DRAWN) | (proof == AT_LEAST), DRAWN, 0.0)
    most = where((proof == 0.0) | (proof == AT_LEAST), 1.0, where(proof < 0.0, 0.0, DRAWN))
    return (
        where(proof >= 1.0, minimum(proof, win), win),
        maximum(-proof, loss),
        maximum(least, lower),
        maximum(most, upper),
    )


def _decides(proof: float) -> bool:
    return proof >= DRAWN


def _of_node(so_far: Seen, complete: bool, same: bool) -> float:  # noqa: FBT001 - as `Settling` has it
    win, loss, lower, upper = so_far
    for_mover = 1.0 if same else -1.0
    if win < math.inf:
        return for_mover * (win + 1.0)
    most = upper if complete else 1.0
    if most == 0.0:
        return -for_mover * (loss + 1.0)
    if lower == most:
        return DRAWN
    if lower == DRAWN:
        return AT_LEAST if same else AT_MOST
    if most == DRAWN:
        return AT_MOST if same else AT_LEAST
    return 0.0


def _ends(proof: float) -> bool:
    return proof == DRAWN or abs(proof) >= 1.0


def _preferred(numbers: Sequence[float]) -> list[int]:
    """As the solver prefers, a bound being no proof; beside a sure draw nothing that is no more."""
    kept = SOLVER.preferred([proof if _ends(proof) else 0.0 for proof in numbers])
    if any(numbers[index] in (DRAWN, AT_LEAST) for index in kept):
        kept = [index for index in kept if numbers[index] != AT_MOST]
    return kept


BOUNDS: Final = evolve(
    SOLVER,
    column='bounds',
    seen=_seen,
    decides=_decides,
    of_node=_of_node,
    ends=_ends,
    preferred=_preferred,
)
"""The column `bounds`; see the module."""
