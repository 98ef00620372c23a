"""UCB1-Tuned: a bonus that depends on the variance of a move's rewards.

P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit problem",
Machine Learning 47, 2002, section 4.

Departs from the article: `ln(1 + N)` for `ln N`.
"""

from __future__ import annotations

from attrs import field, frozen

from fmcts._validators import as_float, finite
from fmcts.formulas import minimum, sqrt
from fmcts.search.methods.method import Edge, Parent
from fmcts.search.methods.squares import KeepsSquares


@frozen
class UCB1Tuned(KeepsSquares):
    """`value + c * sqrt(r * min(1/4, V))` with `r = ln(1 + N) / visits`.

    `V` is the variance of the move's rewards plus `sqrt(2 * r)`, an upper bound on what it may be;
    1/4 is the largest variance that rewards on [0, 1] can have. The article has `c` = 1.
    """

    name = 'ucb1-tuned'

    c: float = field(default=1.0, converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus the bonus."""
        ratio = parent.log_visits / edge.visits
        variance = edge.squares / edge.visits - edge.value * edge.value
        bound = minimum(0.25, variance + sqrt(2.0 * ratio))
        return edge.value + self.c * sqrt(ratio * bound)
