"""Gumbel MuZero's selection below the root: visits in proportion to an improved policy.

I. Danihelka, A. Guez, J. Schrittwieser and D. Silver, "Policy improvement by planning with Gumbel",
International Conference on Learning Representations, 2022; sections 4 and 5 and appendix D. At the
root the schedule `fmcts.search.gumbel_halving.GumbelHalving` chooses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from attrs import field, frozen

from fmcts._arithmetic import exponential
from fmcts._validators import as_float, finite, switch
from fmcts.formulas import where
from fmcts.search.methods.method import Edge, Own, Parent
from fmcts.search.methods.priors import Given, GivenNumbers, of_moves

__all__ = ['Gumbel']

LEAST: Final = 1e-8
"""The least difference of values by which `rescale` divides."""

TINY: Final = 2.0**-100
"""The weight of a prior of 0 in the mean of the values of visited moves."""

UNKNOWN: Final = -1.0
"""In place of a value from 0 to 1."""


@frozen
class Gumbel(GivenNumbers):
    """`policy - visits / (1 + N)`, where N is the visits of all moves of the node.

    `policy` is the softmax of `log(prior) + sigma(value)`. `sigma(value)` is
    `(c_visit + most) * c_scale * value`, where `most` is the visits of the move that has most. A
    move without visits has the mixed value: the mean of the node's own first value, which counts
    once, and the values of the visited moves weighted by their priors, which count N times.
    `rescale`: values are first mapped to [0, 1], from the lowest of the node to the highest; the
    library mctx does so, with `c_scale=0.1`. In a game with rewards the node's own first value is
    left out: it is for the player who moved there.

    `prior`: as in `PUCT`.
    """

    columns = ('first',)
    move_columns = ('prior',)
    scores_unvisited = True

    c_visit: float = field(default=50.0, converter=as_float, validator=finite)
    c_scale: float = field(default=1.0, converter=as_float, validator=finite)
    rescale: bool = field(default=False, validator=switch)
    prior: Given = field(default=None, validator=of_moves)

    def scores(self, edges: Sequence[Edge], parent: Parent, node: Own) -> list[float]:
        """Return by how much the share of each move in the policy exceeds that in the visits."""
        visits = [edge.visits for edge in edges]
        values = [edge.value for edge in edges]
        total = 0.0
        for count in visits:
            total += count
        raw = UNKNOWN
        # All nodes have a visit of their own, but for a new root.
        if parent.visits > total and not node.alone:
            raw = node.edge.first if node.same else 1.0 - node.edge.first
        shares = improved(self, [edge.prior for edge in edges], visits, values, raw)
        return [share - visits[index] / (1.0 + total) for index, share in enumerate(shares)]

    def policy(
        self,
        priors: Sequence[float],
        visits: Sequence[float],
        values: Sequence[float],
        raw: float | None,
    ) -> list[float]:
        """Return the improved policy of a node: a share for each move; they add up to 1.

        The arguments have a number for each move (values of moves without visits are ignored), and
        `raw` is what the network says that the node is worth to the side to move; `None`: unknown.
        """
        return improved(self, priors, visits, values, UNKNOWN if raw is None else raw)

    def sigmas(
        self,
        priors: Sequence[float],
        visits: Sequence[float],
        values: Sequence[float],
        raw: float | None,
    ) -> list[float]:
        """Return `sigma(value)` of each move; the arguments are as in `policy`."""
        return completed(self, priors, visits, values, UNKNOWN if raw is None else raw)

    def update(self, edge: Edge, reward: float) -> tuple[float]:
        """Return the value at the first visit."""
        return (where(edge.visits > 0.0, edge.first, reward),)


# These are compiled too, so they use what numba knows. `numbers` has the fields of the method.


def improved(
    numbers: Any,
    priors: Sequence[float],
    visits: Sequence[float],
    values: Sequence[float],
    raw: float,
) -> list[float]:
    """Return `Gumbel.policy`; `raw` is `UNKNOWN` if nothing is known."""
    sigmas = completed(numbers, priors, visits, values, raw)
    none, most = True, -math.inf
    for prior in priors:
        # If all priors are 0, all moves are equally likely; else a move with 0 never has a share.
        none = none and prior == 0.0
    shares = [1.0 if none else prior for prior in priors]
    for index, share in enumerate(shares):
        if share != 0.0:
            most = max(most, sigmas[index])
    total = 0.0
    for index, share in enumerate(shares):
        if share != 0.0:
            # The prior as a factor, in place of its logarithm in the exponent: that of 0 does not
            # exist.
            shares[index] = share * exponential(sigmas[index] - most)
        total += shares[index]
    return [share / total for share in shares]


def completed(
    numbers: Any,
    priors: Sequence[float],
    visits: Sequence[float],
    values: Sequence[float],
    raw: float,
) -> list[float]:
    """Return `Gumbel.sigmas`; `raw` is `UNKNOWN` if nothing is known."""
    mean = mixed(priors, visits, values, raw)
    found = [value if visits[index] > 0.0 else mean for index, value in enumerate(values)]
    low, high, most = math.inf, -math.inf, 0.0
    for index, value in enumerate(found):
        low, high, most = min(low, value), max(high, value), max(most, visits[index])
    scale = (numbers.c_visit + most) * numbers.c_scale
    if numbers.rescale > 0:
        width = max(high - low, LEAST)
        return [scale * ((value - low) / width) for value in found]
    return [scale * value for value in found]


def mixed(
    priors: Sequence[float],
    visits: Sequence[float],
    values: Sequence[float],
    raw: float,
) -> float:
    """Return the value of moves without visits (appendix D); 1/2 if nothing is known."""
    total = weight = weighted = 0.0
    for index, count in enumerate(visits):
        total += count
        if count > 0.0:
            # So that the weights of the mean do not add up to 0 where only moves with a prior of 0
            # were visited.
            prior = max(priors[index], TINY)
            weight += prior
            weighted += prior * values[index]
    if total == 0.0:
        return 0.5 if raw < 0.0 else raw
    mean = weighted / weight
    return mean if raw < 0.0 else (raw + total * mean) / (1.0 + total)
