"""UCB1: the mean, and a bonus for moves that were tried less than others.

P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit problem",
Machine Learning 47, 2002; in trees: L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo
planning", 2006.

Departs from the article: `ln(1 + N)` for `ln N`, which `uct` has. Moves without visits come first,
in move order.
"""

from __future__ import annotations

import math

from attrs import field, frozen

from fmcts._validators import as_float, finite
from fmcts.formulas import sqrt
from fmcts.search.methods.method import Edge, Method, Parent


@frozen
class UCB1(Method):
    """`value + c * sqrt(ln(1 + N) / visits)`, where N is the parent's visits.

    `c` is the exploration constant for rewards on [0, 1]; the article has sqrt(2).
    """

    name = 'ucb1'

    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus the bonus."""
        return edge.value + self.c * sqrt(parent.log_visits / edge.visits)
