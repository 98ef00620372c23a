"""The table of logarithms of counts, for machine code."""

from __future__ import annotations

import ctypes
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fmcts._linked.tree import code

Array: TypeAlias = npt.NDArray[np.float64]

FILLED_AT_ONCE: Final = 1 << 18  # entries: a few milliseconds

_table: tuple[Array, int] = np.zeros(1 << 10), 2  # the longest so far, and how many are filled


def logarithms(limit: int, machine_code: Any) -> Array:
    """Return an array whose entry n is `ln n`, for n from 1 to `limit` at least; it is read-only.

    `machine_code` has the function `fill_logarithms` of `tree.c`, so that the values equal those of
    `fmcts.search._arithmetic.logarithms` to the bit. Extend it in small steps: ten million entries
    take a fifth of a second. (Threads may fill it at the same time, as all write
    the same numbers.)
    """
    global _table  # noqa: PLW0603 - a pure function, remembered
    values, filled = _table
    if limit >= len(values):
        longer = np.empty(max(limit + 1, 2 * len(values)))
        longer[:filled] = values[:filled]
        values = longer
    if limit >= filled:
        end = min(max(limit + 1, filled + FILLED_AT_ONCE), len(values))
        given = code.Logarithms(values.ctypes.data, filled, end)
        machine_code.functions['fill_logarithms'](ctypes.byref(given))
        _table = values, end
    return values
