"""Implicit minimax: the mean, mixed with what evaluations further down come to by minimax.

M. Lanctot, M. H. M. Winands, T. Pepels and N. R. Sturtevant, "Monte Carlo tree search with
heuristic evaluations using implicit minimax backups", IEEE Conference on Computational Intelligence
and Games, 2014.
"""

from __future__ import annotations

import math

from attrs import field, frozen
from attrs.validators import is_callable, optional

from fmcts.formulas import maximum, sqrt, where
from fmcts.search._checks import as_float, finite, share
from fmcts.search.derived import Derived, Place, Worth
from fmcts.search.methods.method import Edge, Method, Parent

__all__ = ['ImplicitMinimax', 'Minimax']


@frozen
class Minimax(Derived):
    """What a node is worth by minimax over the evaluations of its leaves."""

    names = ('minimax',)
    first = (-math.inf,)

    def end(self, reward: float) -> tuple[float]:
        """The result."""
        return (reward,)

    def leaf(self, reward: float) -> tuple[float]:
        """The evaluation."""
        return (reward,)

    def fold(self, seen: tuple[float, ...], child: Edge) -> tuple[float]:
        """The highest so far."""
        return (maximum(seen[0], child.minimax),)

    def node(self, seen: tuple[float, ...], node: Place) -> tuple[float]:
        """The highest, for who moved to the node."""
        return (where(node.same, seen[0], 1.0 - seen[0]),)


@frozen
class Blind(Minimax):
    """The same without evaluations: only ends tell anything."""

    def leaf(self, reward: float) -> tuple[float]:  # noqa: ARG002 - none is known
        """As good for the one side as for the other."""
        return (0.5,)


@frozen
class ImplicitMinimax(Method):
    """`(1 - alpha) * value + alpha * minimax + c * sqrt(ln(1 + N) / visits)`.

    `minimax` is kept at each node, for who moved to it: when the node is visited first, what
    `heuristic` says of its position, or its result where the game is over; after each iteration
    below it the highest number of its visited children, for the side to move there. `heuristic`
    is a function of a state, to what that is worth to X, from 0 to 1, or `OnPositions` of one; left
    out, it is 1/2 for all, and only ends tell anything.

    The article's code brings numbers of any size to [0, 1] among siblings; these lie there already.
    With `alpha` 0 it is UCB1.
    """

    alpha: float = field(default=0.25, converter=as_float, validator=share)
    heuristic: Worth = field(default=None, validator=optional(is_callable()))
    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)

    @property
    def derived(self) -> tuple[Derived, ...]:
        """Minimax."""
        return (Minimax(heuristic=self.heuristic) if self.heuristic else Blind(),)

    def score(self, edge: Edge, parent: Parent) -> float:
        """The mean, minimax, and the bonus."""
        known = (1.0 - self.alpha) * edge.value + self.alpha * edge.minimax
        return known + self.c * sqrt(parent.log_visits / edge.visits)  # type: ignore[no-any-return]
