"""Confidence intervals, Elo points and ratings from games.

A draw is half a point. Elo points follow the logistic curve: 400 more are ten times the odds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, Final

from attrs import frozen

from fmcts._extras import loaded

CONFIDENCE: Final = 0.95


def deviations(confidence: float) -> float:
    """Return how many standard deviations from the mean an interval of this confidence reaches.

    >>> round(deviations(0.95), 4)
    1.96
    """
    return NormalDist().inv_cdf((1.0 + confidence) / 2)


def independent_games(points: Sequence[float]) -> float:
    """Return how many independent games say as much as games that come in pairs.

    Their number is divided by `1 + r`, the design effect of clusters of two (L. Kish, "Survey
    sampling", 1965), where r is the correlation of a pair's games if it is above 0. (Below 0 an
    interval by games is wider than need be.)

    >>> independent_games([1, 0, 1, 0]), independent_games([1, 1, 0, 0])
    (4.0, 2.0)
    """
    pairs = [*zip(points[::2], points[1::2], strict=False)]
    games, total = 2 * len(pairs), sum(map(sum, pairs))
    # The correlation within pairs, by integers and halves alone, which are exact: equal records
    # have equal intervals everywhere.
    together = 2 * games * sum(one * two for one, two in pairs) - total * total
    apart = games * sum(one * one + two * two for one, two in pairs) - total * total
    return len(points) / (1.0 + (together / apart if together > 0.0 else 0.0))


def wilson(points: float, games: float, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return Wilson's interval of the share of points (Journal of the ASA 22, 1927).

    `games` is how many independent games there are (`independent_games`). The ends are the shares
    from which the one that was found is `deviations(confidence)` standard deviations away. With
    draws it is somewhat too wide: a drawn game says more than one that is won or lost.

    :raises ValueError: there is no game.

    >>> [round(end, 4) for end in wilson(15, 25)]
    [0.4074, 0.766]
    """
    if games < 1:
        raise ValueError('an interval needs at least one game, not 0')
    share, square = points / games, deviations(confidence) ** 2 / games
    middle = (share + square / 2) / (1.0 + square)
    half = math.sqrt(square * (share * (1.0 - share) + square / 4)) / (1.0 + square)
    # Exactly, where rounding would leave a little beside it.
    return 0.0 if points == 0 else middle - half, 1.0 if points == games else middle + half


def elo_of_score(score: float) -> float:
    """Return the lead in Elo points of a share of the points; infinite at 0 and 1.

    >>> elo_of_score(0.5), round(elo_of_score(0.64)), elo_of_score(1.0)
    (0.0, 100, inf)
    """
    if score in (0.0, 1.0):
        return math.inf if score else -math.inf
    return 0.0 if score == 0.5 else -400.0 * math.log10(1.0 / score - 1.0)


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
    # Only differences are determined; by agreement the mean is 0.
    found -= found.mean()
    share = 1 / (1 + np.exp(found[two] - found[one]))
    known = games * share * (1 - share)
    information = np.zeros((count, count))
    np.add.at(information, (one, one), known)
    np.add.at(information, (two, two), known)
    np.add.at(information, (one, two), -known)
    np.add.at(information, (two, one), -known)
    # A pseudo-inverse, since a rating for all alike is no information.
    error = deviations(confidence) * np.sqrt(np.diag(np.linalg.pinv(information)))
    return tuple(
        Rating(float(it / POINT), float((it - by) / POINT), float((it + by) / POINT))
        for it, by in zip(found, error, strict=True)
    )


def _sums(places: Any, values: Any, count: int) -> Any:
    np = loaded('numpy', 'ratings need', 'fmcts[matches]')
    return np.bincount(places, values, count)
