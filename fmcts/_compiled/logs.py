"""The table of logarithms, filled by machine code compiled from the function all engines use."""

from __future__ import annotations

import functools
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from attrs import define

from fmcts._numba.cache.jit import jit
from fmcts._numba.locks import filling
from fmcts._numba.register import register
from fmcts.search._scoring import logarithm

FILLED_AT_ONCE: Final = 1 << 18  # entries: a few milliseconds


@define
class Table:
    """The longest table so far, of which the first entries are filled."""

    values: npt.NDArray[np.float64]
    filled: int


_table: Final = Table(np.zeros(1 << 10), 2)


@functools.cache
def _filler() -> Any:
    register(logarithm)

    def fill_logarithms(table: Any, begin: Any, end: Any) -> None:  # compiled
        for n in range(begin, end):
            table[n] = logarithm(n, table[n // 2], table[n - 1])

    return jit(fill_logarithms, 'logarithms')


def logarithms(limit: int) -> npt.NDArray[np.float64]:
    """Return an array whose entry n is `ln n`, for n from 1 to `limit` at least; it is read-only.

    The values equal `fmcts.search._scoring.logarithms` to the bit, and are kept. Extend it in small
    steps: ten million entries take a fifth of a second.
    """
    with filling:
        values = _table.values
        if limit >= len(values):
            values = np.empty(max(limit + 1, 2 * len(values)))
            values[: _table.filled] = _table.values[: _table.filled]
            _table.values = values
        if limit >= _table.filled:
            end = min(max(limit + 1, _table.filled + FILLED_AT_ONCE), len(values))
            _filler()(values, _table.filled, end)
            _table.filled = end
        return values
