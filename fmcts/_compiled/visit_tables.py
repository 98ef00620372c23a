"""Tables with a number for each count of visits: `Method.by_visits`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from fmcts._compiled.structure import Structure
from fmcts._linked.logarithms import Array
from fmcts._numba.intrinsics import Verb, get, inlined, int64, nothing, put
from fmcts._numba.register import known_to_numba
from fmcts._numba.whole import plain

# The last entry is the number of entries that are filled.

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
