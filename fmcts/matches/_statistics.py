"""Confidence intervals and Elo points from games, by statsmodels and SciPy (extra `matches`).

A draw is half a point. Elo points follow the logistic curve: 400 more are ten times the odds.
"""

from __future__ import annotations

import math
from typing import Final

from fmcts._extras import loaded

__all__ = ['CONFIDENCE', 'elo_of_score', 'wilson']

CONFIDENCE: Final = 0.95


def wilson(points: float, games: int, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return Wilson's interval of the share of points (1927).

    With draws it is somewhat too wide: a drawn game tells more than one that is won or lost.

    :raises ImportError: statsmodels is not installed.
    :raises ValueError: there is no game.

    >>> [round(end, 4) for end in wilson(15, 25)]
    [0.4074, 0.766]
    """
    module = loaded('statsmodels.stats.proportion', 'intervals need', 'fmcts[matches]')
    if games < 1:
        raise ValueError('an interval needs at least one game, not 0')
    low, high = module.proportion_confint(points, games, alpha=1.0 - confidence, method='wilson')
    return 0.0 if points == 0 else float(low), 1.0 if points == games else float(high)


def elo_of_score(score: float) -> float:
    """Return the lead in Elo points of a share of the points; infinite at 0 and 1.

    >>> elo_of_score(0.5), round(elo_of_score(0.64)), elo_of_score(1.0)
    (0.0, 100, inf)
    """
    if score in (0.0, 1.0):
        return math.inf if score else -math.inf
    return 0.0 if score == 0.5 else -400.0 * math.log10(1.0 / score - 1.0)
