"""PUCT: the mean, and a bonus in proportion to a prior.

C. D. Rosin, "Multi-armed bandits with episode context", Annals of Mathematics and Artificial
Intelligence 61, 2011; in the form of D. Silver and others, "Mastering the game of Go without human
knowledge", Nature 550, 2017.

Departs from AlphaGo Zero: `sqrt(1 + N)`, as the root of 0 would hide the priors at a node's first
visit; values lie on [0, 1], where AlphaGo Zero has [-1, 1].
"""

from __future__ import annotations

from attrs import field, frozen

from fmcts._validators import as_float, finite
from fmcts.formulas import sqrt, where
from fmcts.search.methods.given import Given, GivenNumbers, of_moves
from fmcts.search.methods.method import Edge, Parent


@frozen
class PUCT(GivenNumbers):
    """`value + c * prior * sqrt(1 + N) / (1 + visits)`, where N is the parent's visits.

    `prior`: a function `prior(state)` that returns a number for each of the state's moves, in
    order, or `OnPositions` of a function `(position, move)` that returns the number of one move; by
    default, the moves are equally likely. `first_play`: the value of an untried move ("first-play
    urgency"); 1/2 is a draw.
    """

    name = 'puct'
    move_columns = ('prior',)
    scores_unvisited = True

    c: float = field(default=1.25, converter=as_float, validator=finite)
    first_play: float = field(default=0.5, converter=as_float, validator=finite)
    prior: Given = field(default=None, validator=of_moves)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus the bonus."""
        value = where(edge.visits > 0.0, edge.value, self.first_play)
        bonus = edge.prior * sqrt(1.0 + parent.visits) / (1.0 + edge.visits)
        return value + self.c * bonus  # type: ignore[no-any-return]
