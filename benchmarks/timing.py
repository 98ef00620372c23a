"""What the benchmarks share: rates measured in turn in one run, and their ratios."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

Rate = Callable[[int], float]
"""Takes a seed, does its work once, and returns how many pieces of work it did a second."""


def rate_of(
    count: int, work: Callable[[int], object], clock: Callable[[], float] = time.perf_counter
) -> Rate:
    """The rate of `work(seed)`, which does `count` pieces."""

    def rate(seed: int) -> float:
        begin = clock()
        work(seed)
        return count / (clock() - begin)

    return rate


def in_turn(one: Rate, other: Rate, rounds: int) -> tuple[float, float, float]:
    """The median rates of both, and the median of the ratios one / other, measured pair by pair."""
    pairs = [(one(seed), other(seed)) for seed in range(rounds)]
    return (
        statistics.median(rate for rate, _ in pairs),
        statistics.median(rate for _, rate in pairs),
        statistics.median(rate / reference for rate, reference in pairs),
    )
