"""UCB1 with first-play urgency: an untried move has a fixed score, instead of coming first.

S. Gelly and Y. Wang, "Exploration exploitation in Go: UCT for Monte-Carlo Go", NIPS workshop on
on-line trading of exploration and exploitation, 2006.
"""

from __future__ import annotations

import math

from attrs import field, frozen

from fmcts._validators import as_float, finite
from fmcts.formulas import maximum, sqrt, where
from fmcts.search.methods.method import Edge, Method, Parent


@frozen
class FirstPlay(Method):
    """`value + c * sqrt(ln(1 + N) / visits)`; for a move without visits, `first_play`.

    A good move may therefore keep the others from ever being tried. With a number above every score
    it is UCB1.
    """

    name = 'ucb1-fpu'
    scores_unvisited = True

    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)
    first_play: float = field(default=1.0, converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus the bonus, or the urgency."""
        # `where` evaluates both of its values: neither may divide by 0.
        bonus = self.c * sqrt(parent.log_visits / maximum(edge.visits, 1.0))
        return where(edge.visits > 0.0, edge.value + bonus, self.first_play)
