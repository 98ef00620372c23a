"""RAVE (rapid action value estimation): first the AMAF mean, then more and more the move's own.

S. Gelly and D. Silver, "Combining online and offline knowledge in UCT", International Conference on
Machine Learning, 2007; also in the C text (see `uct`).

Departs from both: `visits` are the move's, where the paper and the C text have the node's; `c` is
0.2, as AMAF explores by itself, and large bonuses of tried moves would keep out the others.
"""

from __future__ import annotations

import math

from attrs import field, frozen

from fmcts._validators import as_float, finite
from fmcts.formulas import maximum, sqrt, where
from fmcts.search.methods.amaf import AllMovesAsFirst, KeepsAMAF
from fmcts.search.methods.method import Edge, Parent


@frozen
class RAVE(KeepsAMAF):
    """`(1 - beta) * U + beta * R` with `beta = sqrt(k / (3 * visits + k))`.

    `U` is the score of UCB1, `value + c * sqrt(ln(1 + N) / visits)`, and `R` the mean of AMAF. `k`
    is the number of visits at which both count alike. A move without visits has `beta` 1 and so
    scores `R`; without AMAF playouts it comes first. With `k` 0 it is UCB1.
    """

    name = 'rave'
    table = AllMovesAsFirst()
    scores_unvisited = True

    c: float = field(default=0.2, converter=as_float, validator=finite)
    k: float = field(default=1000.0, converter=as_float, validator=finite)

    def by_visits(self, visits: float) -> float:
        """Return the weight `beta`."""
        return sqrt(self.k / (3.0 * maximum(visits, 1.0) + self.k))

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mixture of both means, with the bonus."""
        # With k = 0 other iterations say nothing of a move: without visits it comes first.
        counts = (edge.visits > 0.0) | (self.k > 0.0)
        return where(counts, mixed(edge, parent, self.c, edge.by_visits), math.inf)


def mixed(edge: Edge, parent: Parent, c: float, beta: float) -> float:
    """Return the mixture of UCB1's score and the AMAF mean, which has the weight `beta`."""
    own = edge.value + c * sqrt(parent.log_visits / maximum(edge.visits, 1.0))
    mean = edge.amaf_reward / maximum(edge.amaf_visits, 1.0)
    untried = where(edge.amaf_visits > 0.0, mean, math.inf)
    return where(edge.visits > 0.0, (1.0 - beta) * own + beta * mean, untried)
