"""Gumbel MuZero's selection below the root: visits in proportion to an improved policy.

I. Danihelka, A. Guez, J. Schrittwieser and D. Silver, "Policy improvement by planning with Gumbel",
International Conference on Learning Representations, 2022; sections 4 and 5 and appendix D. The
root is the business of the schedule `fmcts.search.schedules.GumbelHalving`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import field, frozen

from fmcts.formulas import where
from fmcts.search._checks import as_float, finite, switch
from fmcts.search._exact import exponential
from fmcts.search.methods.given import Given, GivenNumbers, of_moves
from fmcts.search.methods.method import Edge, Own, Parent

__all__ = ['Gumbel']

LEAST: Final = 1e-8
"""The least difference of values by which `rescale` divides."""

TINY: Final = 2.0**-100
"""The weight of a prior of 0 in the mean of the values of visited moves."""


@frozen
class Gumbel(GivenNumbers):
    """`policy - visits / (1 + N)`, where N is the visits of all moves of the node.

    `policy` is the softmax of `log(prior) + sigma(value)`. `sigma(value)` is
    `(c_visit + most) * c_scale * value`, where `most` is the visits of the move that has most. A
    move without visits has the mixed value: the mean of the node's own first value, which counts
    once, and the values of the visited moves weighted by their priors, which count N times.
    `rescale`: values are first mapped to [0, 1], from the lowest of the node to the highest; the
    library mctx does so, with `c_scale=0.1`.

    `prior`: as in `PUCT`. A search with this method has no machine code: scores depend on all
    moves of a node together.
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
        total = sum(visits)  # of whole numbers, so exact
        raw = None
        if parent.visits > total:  # all nodes have a visit of their own, but for a new root
            raw = node.edge.first if node.same else 1.0 - node.edge.first
        values = [edge.value for edge in edges]
        policy = self.policy([edge.prior for edge in edges], visits, values, raw)
        return [share - count / (1.0 + total) for share, count in zip(policy, visits, strict=True)]

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
        sigmas = self.sigmas(priors, visits, values, raw)
        if not any(priors):
            priors = [1.0] * len(priors)
        most = max(sigma for prior, sigma in zip(priors, sigmas, strict=True) if prior)
        weights = [
            prior * exponential(sigma - most) if prior else 0.0
            for prior, sigma in zip(priors, sigmas, strict=True)
        ]
        total = 0.0
        for weight in weights:
            total += weight
        return [weight / total for weight in weights]

    def sigmas(
        self,
        priors: Sequence[float],
        visits: Sequence[float],
        values: Sequence[float],
        raw: float | None,
    ) -> list[float]:
        """Return `sigma(value)` of each move; the arguments are those of `policy`."""
        mixed = _mixed(priors, visits, values, raw)
        completed = [value if count else mixed for count, value in zip(visits, values, strict=True)]
        if self.rescale:
            low = min(completed)
            width = max(max(completed) - low, LEAST)
            completed = [(value - low) / width for value in completed]
        scale = (self.c_visit + max(visits)) * self.c_scale
        return [scale * value for value in completed]

    def update(self, edge: Edge, reward: float) -> tuple[float]:
        """Return the value at the first visit."""
        return (where(edge.visits > 0.0, edge.first, reward),)


def _mixed(
    priors: Sequence[float],
    visits: Sequence[float],
    values: Sequence[float],
    raw: float | None,
) -> float:
    """Return the value of moves without visits (appendix D); 1/2 if nothing is known."""
    total = sum(visits)
    if not total:
        return 0.5 if raw is None else raw
    weight = weighted = 0.0
    for prior, count, value in zip(priors, visits, values, strict=True):
        if count:
            weight += max(prior, TINY)
            weighted += max(prior, TINY) * value
    mean = weighted / weight
    return mean if raw is None else (raw + total * mean) / (1.0 + total)
