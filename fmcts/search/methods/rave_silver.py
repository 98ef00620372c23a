"""RAVE with the weight that minimises the error of the mixture.

S. Gelly and D. Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go",
Artificial Intelligence 175, 2011.
"""

from __future__ import annotations

from attrs import field, frozen

from fmcts._validators import as_float, finite
from fmcts.formulas import maximum
from fmcts.search.methods.amaf import AllMovesAsFirst, KeepsAMAF
from fmcts.search.methods.method import Edge, Parent
from fmcts.search.methods.rave import mixed


@frozen
class RaveSilver(KeepsAMAF):
    """`(1 - beta) * U + beta * R` with `beta = m / (n + m + 4 * bias**2 * n * m)`.

    `n` are the move's visits and `m` its AMAF playouts; `U`, `R` and moves without visits as in
    `RAVE`. `bias` is the assumed error of the AMAF mean.
    """

    name = 'rave-silver'
    table = AllMovesAsFirst()
    scores_unvisited = True

    c: float = field(default=0.2, converter=as_float, validator=finite)
    bias: float = field(default=0.02, converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mixture of both means, with the bonus."""
        n, m = edge.visits, maximum(edge.amaf_visits, 1.0)
        beta = m / (n + m + 4.0 * self.bias * self.bias * n * m)
        return mixed(edge, parent, self.c, beta)
