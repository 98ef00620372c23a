"""Logarithms of counts that are the same on every machine."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final

# ln 2 rounded to the nearest double.
LN2: Final = 0.6931471805599453


def logarithm(n: int, of_half: float, of_previous: float) -> float:
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
        table.append(logarithm(n, table[n // 2], table[n - 1]))
    return tuple(table)


def logarithms(limit: int) -> Sequence[float]:
    """Return a table of `ln n` for every n up to at least `limit`."""
    return _logarithms_below(max(1024, 1 << (limit + 1).bit_length()))


def logarithm_of(n: int) -> float:
    """Return `ln n` for n >= 1 as in the table, without the table: one binary digit of n at a time.

    >>> logarithm_of(1000) == logarithms(1000)[1000]
    True
    """
    value, m = 0.0, 1
    for digit in f'{n:b}'[1:]:
        m *= 2
        value = logarithm(m, value, 0.0)
        if digit == '1':
            m += 1
            value = logarithm(m, 0.0, value)
    return value
