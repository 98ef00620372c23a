"""Tables with a number for each count of visits: its logarithm, and `Method.by_visits`."""

from __future__ import annotations

import functools
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from attrs import define

from fmcts._compiled.structure import Structure
from fmcts._numba import locks
from fmcts._numba.cache.jit import jit
from fmcts._numba.intrinsics import Verb, get, inlined, int64, nothing, put
from fmcts._numba.register import known_to_numba, register
from fmcts._numba.whole import plain
from fmcts.search._arithmetic import next_logarithm

Array: TypeAlias = npt.NDArray[np.float64]

FILLED_AT_ONCE: Final = 1 << 18  # entries: a few milliseconds


@define
class Table:
    """The longest table so far, of which the first entries are filled."""

    values: Array
    filled: int


_table: Final = Table(np.zeros(1 << 10), 2)


@functools.cache
def _filler() -> Any:
    register(next_logarithm)

    def fill_logarithms(table: Any, begin: Any, end: Any) -> None:  # compiled
        for n in range(begin, end):
            table[n] = next_logarithm(n, table[n // 2], table[n - 1])

    return jit(fill_logarithms, 'logarithms')


def logarithms(limit: int) -> Array:
    """Return an array whose entry n is `ln n`, for n from 1 to `limit` at least; it is read-only.

    It is filled by machine code of the function that all engines use, so the values equal
    `fmcts.search._arithmetic.logarithms` to the bit. Extend it in small steps: ten million entries
    take a fifth of a second.
    """
    with locks.filling:
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


# ---- `Method.by_visits`: the last entry is the number of entries that are filled ----

LEAST: Final = 1024


def table_for(structure: Structure, visits: int, table: Array) -> Array:
    """Return the table itself, or an empty larger one if it has no room for `visits`."""
    if not structure.method.counts or visits + 2 <= len(table):
        return table
    return np.zeros(max(LEAST, visits + 2, 2 * len(table)))


def filling(structure: Structure) -> Verb:
    """Return `fill(table, length, visits, parameters)`, which computes the numbers up to `visits`.

    The table has room for `length` numbers.
    """
    if not structure.method.counts:
        return nothing
    formula = known_to_numba(structure.functions.by_visits)

    @inlined
    def fill(table: Any, length: Any, visits: Any, parameters: Any) -> None:
        known = int64(get(table, length - 1))
        for count in range(known, visits + 1):
            put(table, count, float(plain(formula(parameters, float(count)))))
        put(table, length - 1, max(known, visits + 1))

    return fill
