"""Implicit minimax: the mean, mixed with what evaluations further down come to by minimax.

M. Lanctot, M. H. M. Winands, T. Pepels and N. R. Sturtevant, "Monte Carlo tree search with
heuristic evaluations using implicit minimax backups", IEEE Conference on Computational Intelligence
and Games, 2014.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from attrs import field, frozen
from attrs.validators import is_callable, optional

from fmcts.formulas import sqrt
from fmcts.rules import OnPositions
from fmcts.search.checks import as_float, finite, share
from fmcts.search.methods.method import Edge, Method, Parent

__all__ = ['ImplicitMinimax']


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

    minimax = True

    alpha: float = field(default=0.25, converter=as_float, validator=share)
    heuristic: OnPositions | Callable[[Any], float] | None = field(
        default=None, validator=optional(is_callable())
    )
    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """The mean, minimax, and the bonus."""
        known = (1.0 - self.alpha) * edge.value + self.alpha * edge.minimax
        return known + self.c * sqrt(parent.log_visits / edge.visits)  # type: ignore[no-any-return]
