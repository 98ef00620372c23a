"""Progressive widening: a node considers few moves at first, and more with more visits.

R. Coulom, "Computing Elo ratings of move patterns in the game of Go", ICGA Journal 30, 2007;
G. M. J. B. Chaslot and others, "Progressive strategies for Monte-Carlo tree search", 2008
("progressive unpruning").

Departs from both: the number of moves grows as the square root of the visits, which IEEE 754 fixes
to the bit, and not as a logarithm (in A. Couëtoux and others, "Continuous upper confidence trees",
2011, as any power).
"""

from __future__ import annotations

import math
from typing import Final

from attrs import field, frozen

from fmcts._validators import as_float, finite
from fmcts.formulas import maximum, sqrt, where
from fmcts.search.methods.given import Given, GivenNumbers, of_moves
from fmcts.search.methods.method import Edge, Parent

__all__ = ['Widening']

FAR: Final = 2.0**1005  # above every score: c is at most 1e300, and ln(1 + N) below 50


@frozen
class Widening(GivenNumbers):
    """UCB1 among at most `k * sqrt(N) + 1` moves, where N is the parent's visits.

    When another move may be considered, it is the untried move with the highest prior, the first of
    equals. `prior` is given as in `PUCT`, numbers from 0 to 1; by default, move order decides. With
    a sufficiently large `k` it is UCB1.
    """

    name = 'widening'
    move_columns = ('prior',)
    scores_unvisited = True

    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)
    k: float = field(default=2.0, converter=as_float, validator=finite)
    prior: Given = field(default=None, validator=of_moves)

    def summed(self, edge: Edge) -> float:
        """Return 1 for a move that was tried, else 0."""
        return where(edge.visits > 0.0, 1.0, 0.0)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus the bonus; for an untried move, a very high or low score."""
        # Computed of untried moves too, where it is not used and must not divide by 0.
        bonus = self.c * sqrt(parent.log_visits / maximum(edge.visits, 1.0))
        one_more = parent.total <= self.k * sqrt(parent.visits)
        # Last, but not excluded: all moves considered may be proven losses.
        untried = FAR * where(one_more, 1.0 + edge.prior, -1.0 / (1.0 + edge.prior))
        return where(edge.visits > 0.0, edge.value + bonus, untried)
