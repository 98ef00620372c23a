"""Bayesian UCT: each node has a distribution of its value, instead of a mean of playouts.

G. Tesauro, V. T. Rajan and R. Segal, "Bayesian inference in Monte-Carlo tree search", Uncertainty
in Artificial Intelligence 2010. A node's distribution is the distribution of its highest child,
approximated by a normal one, child by child, by the formulas of C. E. Clark, "The greatest of a
finite set of random variables", Operations Research 9, 1961.

Departs from the article: a leaf is Beta(1 + reward, 2 - reward); the normal distribution function
is right to 1e-7.

The normal distribution is computed of `+ - * / sqrt` alone: its density with a relative error below
1e-9, its distribution function by formula 26.2.17 of M. Abramowitz and I. A. Stegun, "Handbook of
mathematical functions".
"""

from __future__ import annotations

import math
from typing import Final

from attrs import field, frozen

from fmcts._validators import as_float, finite
from fmcts.formulas import maximum, minimum, sqrt, where
from fmcts.search.derived import Derived, Place
from fmcts.search.methods.method import Edge, Method, Parent

__all__ = ['BayesUCT1', 'BayesUCT2', 'Highest', 'density', 'greater', 'share_below']

DENSITY_AT_0: Final = 0.3989422804014327  # 1 / sqrt(2 pi)
COEFFICIENTS: Final = (1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530)


def density(x: float) -> float:
    """Return the density of the standard normal distribution; beyond 9 as at 9, so next to 0."""
    # A 256th of the exponent, for which eight terms of the series are enough; what they give is
    # squared eight times.
    z = minimum(0.5 * x * x, 40.5) * (1.0 / 256.0)
    term = 1.0
    for divisor in (8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0):  # exp(-z) by its series
        term = 1.0 - z * term / divisor
    for _ in range(8):
        term = term * term
    return DENSITY_AT_0 * term


def share_below(x: float, at_x: float) -> float:
    """Return the standard normal distribution function of `x`, where `at_x` is its density."""
    t = 1.0 / (1.0 + 0.2316419 * maximum(x, -x))
    tail = 0.0
    for coefficient in COEFFICIENTS:
        tail = (tail + coefficient) * t
    tail = tail * at_x
    return where(x > 0.0, 1.0 - tail, tail)


def greater(
    mean: float, variance: float, other_mean: float, other_variance: float
) -> tuple[float, float]:
    """Return mean and variance of the greater of two independent normal variables."""
    both = variance + other_variance
    # Without variance the formulas do not hold; what they give then is thrown away below.
    a = sqrt(where(both > 0.0, both, 1.0))
    x = (mean - other_mean) / a
    at_x = density(x)
    below = share_below(x, at_x)
    above = 1.0 - below
    first = mean * below + other_mean * above + a * at_x
    second = (
        (mean * mean + variance) * below
        + (other_mean * other_mean + other_variance) * above
        + (mean + other_mean) * a * at_x
    )
    # Where the two moments nearly cancel, rounding can leave a little less than nothing.
    spread = maximum(second - first * first, 0.0)
    certain = maximum(mean, other_mean)
    return where(both > 0.0, first, certain), where(both > 0.0, spread, 0.0)


@frozen
class Highest(Derived):
    """Mean and variance of a node's value to the player who moved to it.

    A finished node has its result. A leaf has the distribution after one playout from a uniform
    prior: Beta(1 + reward, 2 - reward). A node above has the distribution of the highest of its
    visited children, for the side to move.
    """

    names = ('mean', 'variance')
    first = (-math.inf, 0.0)

    def end(self, reward: float) -> tuple[float, float]:
        """Return the result, with variance 0."""
        return reward, 0.0

    def leaf(self, reward: float) -> tuple[float, float]:
        """Return the distribution after one playout."""
        return (1.0 + reward) / 3.0, (1.0 + reward) * (2.0 - reward) / 36.0

    def fold(self, seen: tuple[float, ...], child: Edge) -> tuple[float, float]:
        """Return the distribution of the greater of `seen` and one more child."""
        highest, spread = seen
        mean, variance = greater(highest, spread, child.mean, child.variance)
        # Of the first child: there is nothing yet that it could be greater than.
        alone = highest == -math.inf
        return where(alone, child.mean, mean), where(alone, child.variance, variance)

    def node(self, seen: tuple[float, ...], node: Place) -> tuple[float, float]:
        """Return the distribution for the player who moved to the node."""
        return where(node.same, seen[0], 1.0 - seen[0]), seen[1]


@frozen
class BayesUCT1(Method):
    """`mean + c * sqrt(ln(1 + N) / visits)`, with the mean of the move's distribution."""

    name = 'bayes-uct1'
    derived = (Highest(),)

    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus the bonus of UCB1."""
        return edge.mean + self.c * sqrt(parent.log_visits / edge.visits)  # type: ignore[no-any-return]


@frozen
class BayesUCT2(BayesUCT1):
    """`mean + c * sqrt(ln(1 + N)) * sqrt(variance)`, both of the move's distribution."""

    name = 'bayes-uct2'

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus a bonus for uncertainty."""
        return edge.mean + self.c * sqrt(parent.log_visits) * sqrt(edge.variance)  # type: ignore[no-any-return]
