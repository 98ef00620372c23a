"""UCB-V: a bonus by the variance of a move's rewards, and one for its few trials.

J.-Y. Audibert, R. Munos and C. Szepesvári, "Exploration-exploitation tradeoff using variance
estimates in multi-armed bandits", Theoretical Computer Science 410, 2009, equation (1).

Departs from the article: `ln(1 + N)` for `ln N`. It proves its bounds for `zeta` above 1 and `c` 1;
the defaults, 1.2 and 1, explore much.
"""

from __future__ import annotations

from attrs import field, frozen

from fmcts._validators import as_float, finite
from fmcts.formulas import maximum, sqrt
from fmcts.search.methods.method import Edge, Parent
from fmcts.search.methods.squares import KeepsSquares


@frozen
class UCBV(KeepsSquares):
    """`value + sqrt(2 * V * E / visits) + 3 * c * E / visits` with `E = zeta * ln(1 + N)`.

    `V` is the variance of the move's rewards, which lie on [0, 1]; `E` is the article's exploration
    function.
    """

    name = 'ucb-v'

    c: float = field(default=1.0, converter=as_float, validator=finite)
    zeta: float = field(default=1.2, converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus both bonuses."""
        explored = self.zeta * parent.log_visits / edge.visits
        # Rounding may make a variance of 0 negative.
        variance = maximum(edge.squares / edge.visits - edge.value * edge.value, 0.0)
        spread = sqrt(2.0 * variance * explored)
        return edge.value + spread + 3.0 * self.c * explored
