"""Power-UCT: a node has the power mean of its children, between the mean and the highest.

T. Dam, P. Klink, C. D'Eramo, J. Peters and J. Pajarinen, "Generalized mean estimation in
Monte-Carlo tree search", arXiv:1911.00384, 2019, and IJCAI 2020.

Departs from the article: `p` is 1, 2, 4, 8 or 16, which products and roots compute exactly.
"""

from __future__ import annotations

import math
from typing import Any, Final

from attrs import field, frozen

from fmcts._validators import as_float, finite, must_be
from fmcts.formulas import sqrt, where
from fmcts.search.derived import Derived, Place
from fmcts.search.methods.method import Edge, Method, Parent, Scale

__all__ = ['POWERS', 'PowerMean']

POWERS: Final = (1.0, 2.0, 4.0, 8.0, 16.0)
"""The exponents for which products and square roots give the same bits everywhere."""

_power: Final = must_be(
    f'one of {", ".join(f"{power:g}" for power in POWERS)}',
    lambda value: isinstance(value, float) and value in POWERS,
)


@frozen
class Power(Derived):
    """The power mean: `(sum(visits * x**p) / sum(visits)) ** (1 / p)` over the children's `x`.

    A leaf has its playout's reward, a finished node its result.
    """

    names = ('power_mean',)
    first = (0.0, 0.0)  # sum of weighted powers, sum of weights
    averaged = True

    p: float

    def end(self, reward: float) -> tuple[float]:
        """Return the result."""
        return (reward,)

    def leaf(self, reward: float) -> tuple[float]:
        """Return the playout's reward."""
        return (reward,)

    def fold(self, seen: tuple[float, ...], child: Edge) -> tuple[float, float]:
        """Return the sums after one more child, weighted by its visits."""
        # Squared once for each doubling up to p: products round alike on every machine, powers do
        # not.
        power = child.power_mean
        for exponent in POWERS[1:]:
            power = where(self.p >= exponent, power * power, power)
        return seen[0] + child.visits * power, seen[1] + child.visits

    def node(self, seen: tuple[float, ...], node: Place) -> tuple[float]:
        """Return the root of the mean, for the player who moved to the node."""
        mean = seen[0] / seen[1]
        for exponent in POWERS[1:]:
            mean = where(self.p >= exponent, sqrt(mean), mean)
        return (where(node.same, mean, 1.0 - mean),)


@frozen
class PowerMean(Method):
    """`power_mean + c * sqrt(ln(1 + N) / visits)`.

    `power_mean` is stored at each node, for the player who moved to it: the power mean of its
    visited children, for the side to move there, weighted by their visits. `p` is 1 for the mean,
    up to 16 towards the highest.
    """

    name = 'power-mean'

    p: float = field(default=2.0, converter=as_float, validator=_power)
    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)

    @property
    def derived(self) -> tuple[Derived, ...]:  # type: ignore[override] # depends on a field
        """The power mean."""
        return (Power(self.p),)

    def scaled(self, edge: Any, scale: Scale) -> Any:
        """Return the edge with the power mean on this scale."""
        return edge._replace(power_mean=scale.value(edge.power_mean))

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the power mean plus the bonus of UCB1."""
        return edge.power_mean + self.c * sqrt(parent.log_visits / edge.visits)  # type: ignore[no-any-return]
