"""UCT as it is mostly written: UCB1 with the logarithm of the parent's visits, not of one more.

So it stands in the C text (J. Mehat, "MCTS : des étapes dans le développement d'un programme", step
B): the mean, plus C times the square root of log(number of all tries) over the tries of the move.
L. Kocsis and C. Szepesvari, "Bandit based Monte-Carlo planning", 2006, is where it comes from.
"""

from __future__ import annotations

import math

from attrs import field, frozen

from fmcts.formulas import sqrt
from fmcts.search.checks import as_float, finite
from fmcts.search.methods.method import Edge, Method, Parent

__all__ = ['UCT']


@frozen
class UCT(Method):
    """`value + c * sqrt(ln(N) / visits)`, N being the parent's visits.

    `c` is the exploration constant for rewards on [0, 1]; the text leaves it open.
    """

    counted = 0

    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """The mean and the bonus."""
        return edge.value + self.c * sqrt(parent.log_visits / edge.visits)  # type: ignore[no-any-return]
