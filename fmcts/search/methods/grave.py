"""GRAVE (generalised RAVE): the AMAF mean of an ancestor with more playouts.

T. Cazenave, "Generalized rapid action value estimation", International Joint Conference on
Artificial Intelligence, 2015; in the form of his slides.

Departs from the slides: no AMAF while no node has enough playouts, where the slides take the
root.
"""

from __future__ import annotations

from attrs import field, frozen

from fmcts._validators import as_float, finite
from fmcts.formulas import maximum
from fmcts.search.methods.amaf import AllMovesAsFirst, KeepsAMAF
from fmcts.search.methods.method import Edge, Parent
from fmcts.search.methods.rave import mixed


@frozen
class AtAnAncestor(AllMovesAsFirst):
    """AMAF statistics by player and key, from the nearest node with more than `ref` visits."""

    scope = 'ancestor'

    ref: float = 50.0

    def refers(self, visits: float) -> bool:
        """Return whether a node has enough visits."""
        return visits > self.ref


@frozen
class GRAVE(KeepsAMAF):
    """`(1 - beta) * U + beta * R` with `beta = m / (n + m + b * n * m)`.

    `n` are the move's visits, `U` their mean (with UCB1's bonus if there is a `c`); `m` are the
    move's AMAF playouts and `R` their mean, at the reference: the node itself or else its nearest
    ancestor with more than `ref` visits. Playouts count by the first time that the player plays the
    move, in the tree or in the playout, at the reference or later. A move without visits scores
    `R`; if it has no AMAF playouts, it comes first. Without a reference it is UCB1.
    """

    name = 'grave'
    scores_unvisited = True

    ref: float = field(default=50.0, converter=as_float, validator=finite)
    b: float = field(default=1e-5, converter=as_float, validator=finite)
    c: float = field(default=0.0, converter=as_float, validator=finite)

    @property
    def table(self) -> AtAnAncestor:  # type: ignore[override] # depends on a field
        """The AMAF statistics of the reference."""
        return AtAnAncestor(self.ref)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mixture of both means."""
        n, m = edge.visits, edge.amaf_visits
        # The least divisor is for moves of which nothing is known: their m is 0, and so is beta.
        beta = m / maximum(n + m + self.b * n * m, 1.0)
        return mixed(edge, parent, self.c, beta)
