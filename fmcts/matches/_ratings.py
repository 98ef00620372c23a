"""Ratings of several bots from the games between them, by maximum likelihood.

The model of Bradley and Terry (1952), used by Elo: the expected points of a game are a logistic
curve of the difference in ratings. A draw is half a win and half a loss. SciPy fits it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from attrs import frozen

from fmcts._extras import loaded
from fmcts.matches._statistics import CONFIDENCE, deviations

POINT: Final = math.log(10) / 400  # an Elo point in natural units


@frozen
class Encounter:
    """The result of the games between two bots, given by index.

    :param points: the first bot's points.
    :param games: the number of games.
    """

    first: int
    second: int
    points: float
    games: int


@frozen
class Rating:
    """A rating in Elo points, relative to the mean of all, with its interval."""

    elo: float
    low: float
    high: float


def ratings(
    encounters: Sequence[Encounter],
    count: int,
    *,
    drawn: float = 1.0,
    confidence: float = CONFIDENCE,
) -> tuple[Rating, ...]:
    """Return the ratings of `count` bots.

    :param drawn: the number of drawn games added to each encounter. Without them, a bot that won or
        lost all its games would have an infinite rating.
    :param confidence: the confidence of the intervals, by the normal approximation.
    """
    optimize = loaded('scipy.optimize', 'ratings need', 'fmcts[matches]')
    np = loaded('numpy', 'ratings need', 'fmcts[matches]')
    one = np.array([it.first for it in encounters])
    two = np.array([it.second for it in encounters])
    games = np.array([it.games + drawn for it in encounters], float)
    points = np.array([it.points + drawn / 2 for it in encounters], float)

    def loss(natural: Any) -> tuple[float, Any]:
        """Return minus the log-likelihood, and its gradient."""
        ahead = natural[one] - natural[two]
        expected = games / (1 + np.exp(-ahead))
        worth = games * np.logaddexp(0, ahead) - points * ahead
        rest = expected - points
        return worth.sum(), _sums(one, rest, count) - _sums(two, rest, count)

    found = optimize.minimize(loss, np.zeros(count), jac=True, method='BFGS', tol=1e-10).x
    found -= found.mean()
    share = 1 / (1 + np.exp(found[two] - found[one]))
    known = games * share * (1 - share)
    information = np.zeros((count, count))
    np.add.at(information, (one, one), known)
    np.add.at(information, (two, two), known)
    np.add.at(information, (one, two), -known)
    np.add.at(information, (two, one), -known)
    error = deviations(confidence) * np.sqrt(np.diag(np.linalg.pinv(information)))
    return tuple(
        Rating(float(it / POINT), float((it - by) / POINT), float((it + by) / POINT))
        for it, by in zip(found, error, strict=True)
    )


def _sums(places: Any, values: Any, count: int) -> Any:
    np = loaded('numpy', 'ratings need', 'fmcts[matches]')
    return np.bincount(places, values, count)
