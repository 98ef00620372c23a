"""Progressive bias: a heuristic value of a move, whose weight decreases with its visits.

G. M. J. B. Chaslot, M. H. M. Winands, H. J. van den Herik, J. W. H. M. Uiterwijk and B. Bouzy,
"Progressive strategies for Monte-Carlo tree search", New Mathematics and Natural Computation 4,
2008, section 4.1.

Departs from the article: moves without visits come first all the same.
"""

from __future__ import annotations

import math

from attrs import field, frozen

from fmcts._validators import as_float, finite
from fmcts.formulas import sqrt
from fmcts.search.methods.given import Given, GivenNumbers, of_moves
from fmcts.search.methods.method import Edge, Parent


@frozen
class ProgressiveBias(GivenNumbers):
    """`value + c * sqrt(ln(1 + N) / visits) + weight * heuristic / (1 + visits)`.

    `heuristic` is given like the prior of `PUCT`; by default, it is 1 over the number of moves.
    With `weight` 0 it is UCB1.
    """

    name = 'progressive-bias'
    move_columns = ('heuristic',)
    given = 'heuristic'

    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)
    weight: float = field(default=1.0, converter=as_float, validator=finite)
    heuristic: Given = field(default=None, validator=of_moves)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus both bonuses."""
        bonus = self.c * sqrt(parent.log_visits / edge.visits)
        bias = self.weight * edge.heuristic / (1.0 + edge.visits)
        return edge.value + bonus + bias  # type: ignore[no-any-return]
