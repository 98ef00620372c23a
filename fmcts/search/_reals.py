"""Draws of real numbers from generators of whole numbers, the same on every machine."""

from __future__ import annotations

from fmcts.rng._protocol import R
from fmcts.search._exact import logarithm


def real(rng: R) -> tuple[float, R]:
    """Draw a number between 0 and 1, neither of them: an odd multiple of 2**-53."""
    number, rng = rng.uniform(0, (1 << 52) - 1)
    return (number + 0.5) * 2.0**-52, rng


def gumbels(rng: R, count: int) -> tuple[tuple[float, ...], R]:
    """Draw `count` numbers of the standard Gumbel distribution."""
    drawn = []
    for _ in range(count):
        u, rng = real(rng)
        drawn.append(-logarithm(-logarithm(u)))
    return tuple(drawn), rng
