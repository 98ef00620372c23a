"""Score bounds: the least and the most that a node is worth, besides exact proofs.

T. Cazenave and A. Saffidine, "Score bounded Monte-Carlo tree search", Computers and Games 2010.
With three outcomes, two more facts about a node are useful: that it is at least a draw, because one
move is, and that it is at most a draw, because no move is more. So a draw is proven sooner, when
its alternatives are only known not to win.

The column `bounds` has the numbers of the solver's column `proof`, and between them, for the player
who moved to the node:

- 1/4: at most a draw;
- 3/4: at least a draw.

Only proven losses are left out of selection: the article's cuts (a move that is at most what
another is at least) are not made.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from attrs import frozen

from fmcts.formulas import maximum, minimum, where
from fmcts.search.derived import Place
from fmcts.search.resolution.solver import DRAWN, SOLVER, Solver

__all__ = ['AT_LEAST', 'AT_MOST', 'BOUNDS']

AT_MOST: Final = 0.25
AT_LEAST: Final = 0.75


@frozen
class Bounds(Solver):
    """The column `bounds`; see the module."""

    names = ('bounds',)
    first = (math.inf, 0.0, 0.0, 0.0)  # shortest win, longest loss, greatest lower and upper bound

    def fold(self, seen: tuple[float, ...], child: Any) -> tuple[float, ...]:
        """Return the bounds after one more child."""
        (win, loss, lower, upper), proof = seen, child.bounds
        least = where((proof == DRAWN) | (proof == AT_LEAST), DRAWN, 0.0)
        # A proven win needs no bound, as `node` looks for it first.
        most = where(proof == AT_LEAST, 1.0, where(proof < 0.0, 0.0, DRAWN))
        return (
            where(proof >= 1.0, minimum(proof, win), win),
            maximum(-proof, loss),
            maximum(least, lower),
            maximum(most, upper),
        )

    def node(self, seen: tuple[float, ...], node: Place) -> tuple[float]:
        """Return a win if one child is; else the bounds of all children."""
        win, loss, lower, upper = seen
        for_mover = where(node.same, 1.0, -1.0)
        # Seen from the other side "at least a draw" is "at most": the two numbers add up to 1.
        at_least = where(node.same, AT_LEAST, AT_MOST)
        # An untried move may still win.
        most = where(node.complete, upper, 1.0)
        bounded = where(lower == DRAWN, at_least, where(most == DRAWN, 1.0 - at_least, 0.0))
        undecided = where(lower == most, DRAWN, bounded)
        otherwise = where(most == 0.0, -for_mover * (loss + 1.0), undecided)
        return (where(win < math.inf, for_mover * (win + 1.0), otherwise),)

    @staticmethod
    def ends(proof: float) -> bool:
        """Return whether the number is a proof."""
        return proof == DRAWN or abs(proof) >= 1.0

    @staticmethod
    def preferred(numbers: Sequence[float], values: Sequence[float] = ()) -> list[int]:  # noqa: ARG004
        """Return the solver's choice, ignoring bounds; beside a sure draw nothing less."""
        kept = SOLVER.preferred([proof if Bounds.ends(proof) else 0.0 for proof in numbers])
        if any(numbers[index] in (DRAWN, AT_LEAST) for index in kept):
            kept = [index for index in kept if numbers[index] != AT_MOST]
        return kept


BOUNDS: Final = Bounds()
