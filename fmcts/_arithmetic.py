"""Logarithms, exponentials and random reals that are the same on every machine.

IEEE 754 does not fix `log` and `exp`, and C libraries differ in their last bits. Here both are
computed by + - * / and by exact scaling by powers of two, which it fixes to the bit.

Every operation must round once, to a double, as IEEE 754 requires and all 64-bit builds do. The
floating-point unit that 32-bit x86 code may use, x87, rounds to 64 bits first and then again to 53,
which differs in rare cases (docs/platforms.md): then a search sends a notice.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Final

from fmcts.notices import warning
from fmcts.rng import R


@functools.cache
def rounds_twice() -> bool:
    """Return whether sums are rounded twice, which turns values just above a half into a half.

    The terms are computed at run time, because a compiler might add constants in other arithmetic.
    See S. Boldo and G. Melquiond, "When double rounding is odd", 2005.
    """
    above_half = math.ldexp(1.0, -53) + math.ldexp(1.0, -78)
    return 1.0 + above_half == 1.0


@functools.cache
def notice_double_rounding() -> None:
    """Send a notice, once in a process, if results may differ on this machine."""
    if rounds_twice():
        warning(
            'floating-point arithmetic rounds twice on this machine (x87): results may differ from '
            'those of others in rare cases'
        )


# ---- logarithms of counts ----

# ln 2 rounded to the nearest double.
LN2: Final = 0.6931471805599453


def next_logarithm(n: int, of_half: float, of_previous: float) -> float:
    """Return `ln n` for n >= 2, given `ln(n // 2)` and `ln(n - 1)`.

    IEEE 754 does not fix `log`, and C libraries differ in its last bit, so it is computed by
    additions, multiplications and divisions: ln 2m = ln m + ln 2, and ln n = ln(n - 1) + 2
    artanh(1/(2n - 1)) with artanh x = x (1 + x^2/3 + x^4/5 + ...), with enough terms for a double.
    """
    if n % 2 == 0:
        return of_half + LN2
    x = 1.0 / (2 * n - 1)
    y = x * x
    tail = 0.0
    # From 64 on these terms are below half a unit in the last place.
    if n < 64:
        for odd in range(23, 9, -2):
            tail = (tail + 1.0 / odd) * y
    tail = ((((tail + 1.0 / 9.0) * y + 1.0 / 7.0) * y + 1.0 / 5.0) * y + 1.0 / 3.0) * y
    return of_previous + 2.0 * x * (1.0 + tail)


@functools.lru_cache(maxsize=64)
def _logarithms_below(size: int) -> tuple[float, ...]:
    # A pure function, remembered: what it returns never changes.
    table = list(_logarithms_below(size // 2)) if size > 1024 else [0.0, 0.0]  # 0 is never read
    for n in range(len(table), size):
        table.append(next_logarithm(n, table[n // 2], table[n - 1]))
    return tuple(table)


def logarithms(limit: int) -> Sequence[float]:
    """Return a table of `ln n` for every n up to at least `limit`."""
    return _logarithms_below(max(1024, 1 << (limit + 1).bit_length()))


def logarithm_of(n: int) -> float:
    """Compute ln n for n >= 1, equal to the table's entry to the bit.

    >>> logarithm_of(1000) == logarithms(1000)[1000]
    True
    """
    value, m = 0.0, 1
    for digit in f'{n:b}'[1:]:
        m *= 2
        value = next_logarithm(m, value, 0.0)
        if digit == '1':
            m += 1
            value = next_logarithm(m, 0.0, value)
    return value


# ---- logarithms and exponentials of doubles, correct to 1 unit in the last place ----

# ln 2 in two parts: the first has 21 trailing zeros, so that its product with an exponent is exact.
LN2_HIGH: Final = float.fromhex('0x1.62E42FEE00000p-1')
LN2_LOW: Final = float.fromhex('0x1.A39EF35793C76p-33')
ROOT_OF_HALF: Final = float.fromhex('0x1.6A09E667F3BCDp-1')
TERMS: Final = tuple(1.0 / odd for odd in range(25, 1, -2))
FACTORIALS: Final = tuple(1.0 / math.factorial(n) for n in range(16, 1, -1))


def logarithm(x: float) -> float:
    """Return the natural logarithm of a finite number above 0.

    `ln m = 2 artanh s` with `s = (m - 1) / (m + 1)`, for m from sqrt(1/2) to sqrt(2).

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
    # In this order: the first product and difference are exact.
    r = (x - k * LN2_HIGH) - k * LN2_LOW
    tail = 0.0
    for factor in FACTORIALS:
        tail = (tail + factor) * r
    return math.ldexp(1.0 + (r + tail * r), k)


# ---- draws of real numbers ----


def real(rng: R) -> tuple[float, R]:
    """Draw a number between 0 and 1, neither of them: an odd multiple of 2**-53."""
    number, rng = rng.uniform(0, (1 << 52) - 1)
    # The half keeps out 0, which has no logarithm, and 1.
    return (number + 0.5) * 2.0**-52, rng


def gumbels(rng: R, count: int) -> tuple[tuple[float, ...], R]:
    """Draw `count` numbers of the standard Gumbel distribution."""
    drawn = []
    for _ in range(count):
        u, rng = real(rng)
        drawn.append(-logarithm(-logarithm(u)))
    return tuple(drawn), rng
