"""Implicit minimax: the mean, mixed with the minimax value of evaluations below.

M. Lanctot, M. H. M. Winands, T. Pepels and N. R. Sturtevant, "Monte Carlo tree search with
heuristic evaluations using implicit minimax backups", IEEE Conference on Computational Intelligence
and Games, 2014.

Departs from the article: evaluations lie on [0, 1], to which the article's code scales
numbers of any size among siblings.
"""

from __future__ import annotations

import math
from typing import Any

from attrs import field, frozen
from attrs.validators import optional

from fmcts._validators import a_function, as_float, finite, share
from fmcts.formulas import maximum, sqrt, where
from fmcts.search.derived import Derived, Place, Worth
from fmcts.search.methods.method import Edge, Method, Parent, Scale

__all__ = ['ImplicitMinimax', 'Minimax']


@frozen
class Minimax(Derived):
    """The minimax value of a node, from the evaluations of its leaves.

    Where chance moves it is the mean by weight of the outcomes visited.
    """

    names = ('minimax',)
    first = (-math.inf,)
    averaged = any_scale = True

    def end(self, reward: float) -> tuple[float]:
        """Return the result."""
        return (reward,)

    def leaf(self, reward: float) -> tuple[float]:
        """Return the evaluation."""
        return (reward,)

    def fold(self, seen: tuple[float, ...], child: Edge) -> tuple[float]:
        """Return the highest so far."""
        return (maximum(seen[0], child.minimax),)

    def node(self, seen: tuple[float, ...], node: Place) -> tuple[float]:
        """Return the highest, for the player who moved to the node."""
        return (where(node.same, seen[0], 1.0 - seen[0]),)


@frozen
class Blind(Minimax):
    """Minimax without evaluations: only results count."""

    any_scale = False

    def leaf(self, reward: float) -> tuple[float]:  # noqa: ARG002 - none is known
        """Return 1/2: nothing is known."""
        return (0.5,)


@frozen
class ImplicitMinimax(Method):
    """`(1 - alpha) * value + alpha * minimax + c * sqrt(ln(1 + N) / visits)`.

    `minimax` is stored at each node, for the player who moved to it: at the first visit, the
    `heuristic` of its position, or its result if the game is over; after each iteration below it,
    the highest number of its visited children, for the side to move there. `heuristic` is a
    function from a state to its value to X, from 0 to 1, or `OnPositions` of one; by default it is
    1/2, so that only results count. For one player with rewards it is what is still to come, a
    number of any size if there are rewards on the way. With `alpha` 0 it is UCB1.
    """

    name = 'implicit-minimax'

    alpha: float = field(default=0.25, converter=as_float, validator=share)
    heuristic: Worth = field(default=None, validator=optional(a_function))
    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)

    @property
    def derived(self) -> tuple[Derived, ...]:  # type: ignore[override] # depends on a field
        """The minimax statistic."""
        return (Minimax(heuristic=self.heuristic) if self.heuristic else Blind(),)

    def scaled(self, edge: Any, scale: Scale) -> Any:
        """Return the edge with the minimax value on this scale."""
        return edge._replace(minimax=scale.value(edge.minimax))

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mixture of mean and minimax, plus the bonus."""
        known = (1.0 - self.alpha) * edge.value + self.alpha * edge.minimax
        return known + self.c * sqrt(parent.log_visits / edge.visits)  # type: ignore[no-any-return]
