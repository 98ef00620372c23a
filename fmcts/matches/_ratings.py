"""Ratings of several bots from the games between them, by maximum likelihood.

The model of Bradley and Terry (1952), used by Elo: the expected points of a game are a logistic
curve of the difference in ratings. A draw is half a win and half a loss. SciPy fits it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from attrs import frozen

from fmcts._arguments import is_number, shown, whole_number
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
    :raises ValueError: no game was played, an encounter is impossible (its indices, games or
        points), the bots form groups that have not met, or a rating is infinite.
    """
    _check(encounters, count, drawn, confidence)
    optimize = loaded('scipy.optimize', 'ratings need', 'fmcts[matches]')
    np = loaded('numpy', 'ratings need', 'fmcts[matches]')
    _check_connected(encounters, count)
    one = np.array([it.first for it in encounters])
    two = np.array([it.second for it in encounters])
    games = np.array([it.games + drawn for it in encounters], float)
    points = np.array([it.points + drawn / 2 for it in encounters], float)
    if not drawn and (np.any(_sums(one, points, count) + _sums(two, games - points, count) == 0)):
        raise ValueError('a bot has no points, so its rating has no bound: give drawn')

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


def _check(encounters: Sequence[Encounter], count: int, drawn: float, confidence: float) -> None:
    whole_number('count', count)
    for name, value, highest in (('drawn', drawn, math.inf), ('confidence', confidence, 1.0)):
        if not (is_number(value) and 0 <= value < highest):
            limit = 'below 1' if highest == 1.0 else 'and finite'
            raise ValueError(f'{name} must be a number of at least 0 {limit}, not {shown(value)}')
    for it in encounters:
        places = it.first, it.second
        whole_number('games', it.games, least=0)
        if not all(type(place) is int and 0 <= place < count for place in places):
            raise ValueError(f'{it} names a bot that is not one of the {count}, from 0')
        if it.first == it.second:
            raise ValueError(f'{it} is between a bot and itself')
        if not (is_number(it.points) and 0 <= it.points <= it.games):
            raise ValueError(f'{it} is impossible: points must be from 0 to the number of games')
    if not any(it.games for it in encounters):
        raise ValueError('no game was played: there is nothing to rate by')


def _sums(places: Any, values: Any, count: int) -> Any:
    np = loaded('numpy', 'ratings need', 'fmcts[matches]')
    return np.bincount(places, values, count)


def _check_connected(encounters: Sequence[Encounter], count: int) -> None:
    met, unseen = {0}, True
    while unseen:
        near = {
            place
            for it in encounters
            if it.games and {it.first, it.second} & met
            for place in (it.first, it.second)
        }
        unseen = bool(near - met)
        met |= near
    if len(met) < count:
        raise ValueError(f'only {len(met)} of {count} bots have met, directly or by others')
