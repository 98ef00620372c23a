"""Tables of doubles that `search.c` reads: logarithms of counts, and the tables of playouts.

The array of the playouts' tables (`fmcts.search.memory`) has, for each table by name, a row for
each of its columns. A row has a number for each key of X's moves, then for each key of O's; in a
table of pairs for each pair of a move and a reply.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fmcts._arithmetic import LN2, logarithms as tuple_of_logarithms
from fmcts.game import Player
from fmcts.rules import side_of
from fmcts.search.memory import Numbers, Remembered, Table, size_of

Array: TypeAlias = npt.NDArray[np.float64]

NO_TABLE: Final = np.empty(0)
WORD: Final = (1 << 64) - 1

_logarithms: Array = np.array(tuple_of_logarithms(1))  # the longest table so far


def logarithms(limit: int) -> Array:
    """Return an array whose entry n is `ln n`, for n from 1 to `limit` at least; it is read-only.

    The values equal those of `fmcts._arithmetic.logarithms` to the bit.
    """
    global _logarithms  # noqa: PLW0603 - a pure function, remembered
    values = _logarithms
    while (known := len(values)) <= limit:  # as `next_logarithm`, for many at once
        values = np.concatenate((values, np.empty(known)))
        values[known::2] = values[known // 2 : known] + LN2
        x = 1.0 / (2 * np.arange(known + 1, 2 * known, 2) - 1)
        y = x * x
        tail = (((1.0 / 9.0 * y + 1.0 / 7.0) * y + 1.0 / 5.0) * y + 1.0 / 3.0) * y
        values[known + 1 :: 2] = values[known::2] + 2.0 * x * (1.0 + tail)
    _logarithms = values
    return values


def words_of(numbers: Iterable[int]) -> npt.NDArray[np.int64]:
    """Return integers of at most 64 bits as signed ones with the same bits."""
    return np.array([number & WORD for number in numbers], np.uint64).view(np.int64)


def as_array(tables: Sequence[Table], remembered: Sequence[Remembered], keys: int) -> Array | None:
    """Return a root's numbers in the form for machine code; `None` if a key is not the game's."""
    found = {each.name: each.entries for each in remembered}
    arrays = [rows_of(table, found.get(table.name, {}), keys) for table in tables]
    return None if any(each is None for each in arrays) else np.concatenate([NO_TABLE, *arrays])


def rows_of(table: Table, entries: Mapping[Any, Numbers], keys: int) -> Any:
    """Return the rows of one table; `None` if a key is not the game's."""
    array = np.empty((len(table.columns), *_shape(table, keys)))
    array.T[:] = table.absent
    for (player, *its_keys), numbers in entries.items():
        if not all(0 <= key < keys for key in its_keys):
            return None
        array[:, side_of(player), *its_keys] = numbers
    return array.reshape(-1)


def as_values(tables: Sequence[Table], array: Array, keys: int) -> tuple[Remembered, ...]:
    """Return the array in the form that a root stores."""
    first, values = 0, []
    for table in tables:
        end = first + size_of(table, keys)
        numbers = array[first:end].reshape(len(table.columns), *_shape(table, keys)).T
        entries = {}
        for *its_keys, side in np.argwhere((numbers != table.absent).any(axis=-1)).tolist():
            place = (Player.O if side else Player.X, *reversed(its_keys))
            entries[place] = tuple(numbers[*its_keys, side].tolist())
        values.append(Remembered(table.name, entries, table.layout))
        first = end
    return tuple(values)


def _shape(table: Table, keys: int) -> tuple[int, ...]:
    return (2, keys, keys) if table.index == 'pairs' else (2, keys)
