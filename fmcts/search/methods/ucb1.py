"""UCB1: the mean, and a bonus for moves that were tried less than others.

P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit problem",
Machine Learning 47, 2002; in trees: L. Kocsis and C. Szepesvari, "Bandit based Monte-Carlo
planning", 2006.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from attrs import field, frozen

from fmcts.formulas import sqrt
from fmcts.search.checks import as_float, finite
from fmcts.search.methods.method import Edge, Method, Parent

__all__ = ['UCB1']

_sqrt = math.sqrt


class Visited(Protocol):
    """What is read of a child, however an engine stores it."""

    @property
    def visits(self) -> int:
        """Playouts through the child."""

    @property
    def value(self) -> float:
        """Their mean reward for the player who chooses among the children."""


@frozen
class UCB1(Method):
    """`value + c * sqrt(ln(1 + N) / visits)`, N being the parent's visits.

    `c` is the exploration constant for rewards on [0, 1]; sqrt(2) is that of the article.
    """

    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """The mean and the bonus."""
        return edge.value + self.c * sqrt(parent.log_visits / edge.visits)  # type: ignore[no-any-return]

    def chooser(self) -> Callable[[Any, Sequence[Visited], float], int]:
        """The choice among the children of a node by this score, written out for Python's speed.

        A child without visits comes before all that have some, the first in move order.
        """
        c, sqrt = self.c, _sqrt

        def choose(_node: Any, children: Sequence[Visited], log_visits: float) -> int:
            best, chosen = -1.0, 0
            position = 0
            try:
                for child in children:
                    value = child.value + c * sqrt(log_visits / child.visits)
                    if value > best:
                        best = value
                        chosen = position
                    position += 1  # cheaper than enumerate, which makes pairs
            except ZeroDivisionError:
                return position
            return chosen

        return choose
