"""A test that ends a match early: Wald's sequential probability ratio test.

The version for games with draws, using the mean and the variance of the pairs' points, is by M. Van
den Bergh ("A practical introduction to the GSPRT") and common in testing chess engines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import reduce
from typing import Final

from attrs import field, frozen

from fmcts._arguments import is_number, shown
from fmcts._validators import must_be

# A few pairs with equal results would appear to prove much, so their variance is computed as if
# this many pairs had come before, without draws, each game as likely won as lost. Without these
# pairs errors were up to three times as frequent as allowed, with them at most 6 in 100 where 5 are
# allowed (benchmarks/sprt.py).
BEFORE: Final = 10
VARIANCE: Final = 1 / 8

LARGEST: Final = 4000
"""The largest lead in Elo points; for leads far beyond it expected scores are 0 and 1."""


def score_of_elo(elo: float) -> float:
    """Return the expected points of a game for a bot that is `elo` points ahead.

    >>> score_of_elo(0), round(score_of_elo(100), 3)
    (0.5, 0.64)
    """
    return float(1.0 / (1.0 + 10.0 ** (-elo / 400.0)))


_rate: Final = must_be(
    'a number between 0 and 0.5', lambda value: is_number(value) and 0.0 < value < 0.5
)
_lead: Final = must_be(
    f'a number from -{LARGEST} to {LARGEST}',
    lambda value: is_number(value) and -LARGEST <= value <= LARGEST,
)


@frozen
class Evidence:
    """The statistics that the test needs of the games; each pair is added once.

    Points are halves, whose sums are exact: nothing depends on the order of the pairs.

    :param pairs: how many there were.
    :param points: the sum of the first bot's points in each, from 0 to 2.
    :param squares: the sum of their squares.

    >>> Evidence.of([2, 1, 0.5]) == Evidence.of([1, 2]).also(0.5) == Evidence(3, 3.5, 5.25)
    True
    """

    pairs: int = 0
    points: float = 0.0
    squares: float = 0.0

    def also(self, points: float) -> Evidence:
        """Return the evidence after one more pair, in which the first bot got `points`."""
        return Evidence(self.pairs + 1, self.points + points, self.squares + points * points)

    @classmethod
    def of(cls, pairs: Iterable[float]) -> Evidence:
        """Return the evidence of these pairs, each given by the first bot's points."""
        return reduce(Evidence.also, pairs, cls())


@frozen
class Sprt:
    """A test that ends a match when one of two hypotheses about the first bot's lead is accepted.

    :param elo0: its lead by the first hypothesis, in Elo points.
    :param elo1: its lead by the second, which is larger.
    :param alpha: the rate at which the second may be accepted though the first is true.
    :param beta: the rate at which the first may be accepted though the second is true.
    :raises ValueError: `elo1` is not above `elo0`, one of them is not a number from -4000 to 4000,
        or a rate is not between 0 and 0.5.
    """

    elo0: float = field(default=0.0, validator=_lead)
    elo1: float = field(default=10.0, validator=_lead)
    alpha: float = field(default=0.05, validator=_rate)
    beta: float = field(default=0.05, validator=_rate)

    def __attrs_post_init__(self) -> None:
        """Raise ValueError unless `elo1` is above `elo0`."""
        if not self.elo0 < self.elo1:
            raise ValueError(
                f'elo1 must be above elo0: {shown(self.elo1)} is not above {shown(self.elo0)}'
            )

    def ratio(self, pairs: Evidence | Iterable[float]) -> float:
        """Return the logarithm of the likelihood ratio of the second hypothesis to the first.

        :param pairs: the first bot's points in each pair, from 0 to 2; or their `Evidence`.
        """
        seen = pairs if isinstance(pairs, Evidence) else Evidence.of(pairs)
        count = seen.pairs
        if not count:
            return 0.0
        mean = seen.points / (2 * count)
        spread = (count * seen.squares - seen.points * seen.points) / (4 * count)
        variance = (spread + BEFORE * VARIANCE) / (count + BEFORE)
        low, high = score_of_elo(self.elo0), score_of_elo(self.elo1)
        return count * (high - low) * (2 * mean - low - high) / (2 * variance)

    def accepted(self, pairs: Evidence | Iterable[float]) -> str | None:
        """Return `elo1` or `elo0` if these pairs suffice to accept it, else `None`."""
        ratio = self.ratio(pairs)
        if ratio >= math.log((1 - self.beta) / self.alpha):
            return 'elo1'
        return 'elo0' if ratio <= math.log(self.beta / (1 - self.alpha)) else None
