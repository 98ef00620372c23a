"""PUCT with first-play urgency from the parent: an untried move gets its parent's value, reduced.

The form of Leela Chess Zero (lc0, its option `FpuValue` with the strategy `reduction`): the more of
the prior has been tried, the less is expected of the rest.

Departs from lc0: values lie on [0, 1], where Leela Chess Zero has [-1, 1], so that `reduction`
counts twice as much.
"""

from __future__ import annotations

from attrs import field, frozen

from fmcts._validators import as_float, finite
from fmcts.formulas import sqrt, where
from fmcts.search.methods.given import Given, GivenNumbers, of_moves
from fmcts.search.methods.method import Edge, Parent


@frozen
class ReducedPUCT(GivenNumbers):
    """PUCT where a move without visits has the value `parent.value - reduction * sqrt(tried)`.

    `tried` is the sum of the priors of the moves that have visits; the parent's value is its mean
    for the side to move. With `reduction` 0 it is that value alone. `prior` and `c` as in `PUCT`.
    """

    name = 'puct-reduced'
    move_columns = ('prior',)
    scores_unvisited = True

    c: float = field(default=1.25, converter=as_float, validator=finite)
    reduction: float = field(default=0.33, converter=as_float, validator=finite)
    prior: Given = field(default=None, validator=of_moves)

    def summed(self, edge: Edge) -> float:
        """Return the prior of a move that was tried, else 0."""
        return where(edge.visits > 0.0, edge.prior, 0.0)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus the bonus."""
        # The more of the prior was tried, the less may be hoped for from the rest.
        first_play = parent.value - self.reduction * sqrt(parent.total)
        value = where(edge.visits > 0.0, edge.value, first_play)
        bonus = edge.prior * sqrt(1.0 + parent.visits) / (1.0 + edge.visits)
        return value + self.c * bonus  # type: ignore[no-any-return]
