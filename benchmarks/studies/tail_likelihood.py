"""How well games lost here agree with games lost there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import evolve, frozen
from scipy.special import xlogy

__all__ = ['Cell', 'chance', 'deviance']

DRAWS = 2000


@frozen
class Cell:
    """Games lost of those played, by the hypothesis and in the course."""

    name: str
    lost: int
    games: int
    theirs: int
    of: int


def deviance(cells: Sequence[Cell]) -> float:
    """Twice the logarithm of how much likelier the course's counts are by the best shares of loss.

    About the number of cells, give or take the root of twice that, where the hypothesis is true.
    Half a game is added to each outcome here, so that a share is never 0.
    """
    total = 0.0
    for cell in cells:
        ours = (cell.lost + 0.5) / (cell.games + 1)
        best = cell.theirs / cell.of
        rest = cell.of - cell.theirs
        total += 2 * (xlogy(cell.theirs, best) + xlogy(rest, 1 - best))
        total -= 2 * (xlogy(cell.theirs, ours) + xlogy(rest, 1 - ours))
    return float(total)


def chance(cells: Sequence[Cell], draws: int = DRAWS) -> float:
    """The share of drawn pairs of runs, both of the hypothesis, that agree no better than these.

    Both runs are drawn with the shares lost here (parametric bootstrap).
    """
    rng = np.random.default_rng(1)
    found = deviance(cells)
    worse = 0
    for _ in range(draws):
        drawn = []
        for cell in cells:
            share = (cell.lost + 0.5) / (cell.games + 1)
            ours = int(rng.binomial(cell.games, share))
            drawn.append(evolve(cell, lost=ours, theirs=int(rng.binomial(cell.of, share))))
        worse += deviance(drawn) >= found
    return worse / draws
