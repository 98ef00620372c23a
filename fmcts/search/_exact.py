"""Logarithm and exponential of doubles, and draws of real numbers, the same on every machine.

C libraries differ in the last bits of `log` and `exp`. Here both are computed by + - * / and by
exact scaling by powers of two, which IEEE 754 fixes to the bit. They are within 1 unit in the last
place of the true value.
"""

from __future__ import annotations

import math
from typing import Final

from fmcts.rng._protocol import R

# ln 2 in two parts: the first has 21 trailing zeros, so that its product with an exponent is exact.
LN2_HIGH: Final = float.fromhex('0x1.62E42FEE00000p-1')
LN2_LOW: Final = float.fromhex('0x1.A39EF35793C76p-33')
ROOT_OF_HALF: Final = float.fromhex('0x1.6A09E667F3BCDp-1')
TERMS: Final = tuple(1.0 / odd for odd in range(25, 1, -2))
FACTORIALS: Final = tuple(1.0 / math.factorial(n) for n in range(16, 1, -1))


def logarithm(x: float) -> float:
    """Return the natural logarithm of a finite number above 0.

    `ln m = 2 artanh s` with `s = (m - 1) / (m + 1)`, for m from the root of 1/2 to that of 2.

    >>> logarithm(1.0), logarithm(2.0) == 0.6931471805599453
    (0.0, True)
    """
    m, exponent = math.frexp(x)
    if m < ROOT_OF_HALF:
        m, exponent = m * 2.0, exponent - 1
    f = m - 1.0
    s = f / (2.0 + f)
    square = s * s
    tail = 0.0
    for term in TERMS:
        tail = (tail + term) * square
    # 2 s = f - s f, of which the first is exact.
    return exponent * LN2_HIGH + (f - (s * (f - 2.0 * tail) - exponent * LN2_LOW))


def exponential(x: float) -> float:
    """Return e to the power of a number; 0 where that is too small for a double.

    :raises OverflowError: it is too large for a double.

    >>> exponential(0.0), round(exponential(1.0), 12), exponential(-800.0)
    (1.0, 2.718281828459, 0.0)
    """
    if x < -750.0:
        return 0.0
    k = math.floor(x / (LN2_HIGH + LN2_LOW) + 0.5)
    r = (x - k * LN2_HIGH) - k * LN2_LOW
    tail = 0.0
    for factor in FACTORIALS:
        tail = (tail + factor) * r
    return math.ldexp(1.0 + (r + tail * r), k)


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
