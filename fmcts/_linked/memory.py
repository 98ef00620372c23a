"""The tables of playouts (`fmcts.search.memory`) as one array of doubles, for `search.c`.

For each table, by name, the array has a row for each of its columns. A row has a number for each
key of X's moves, then for each key of O's; in a table of pairs for each pair of a move and a reply.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fmcts.game import Player
from fmcts.rules import side_of
from fmcts.search.memory import Remembered, Table, size_of

Array: TypeAlias = npt.NDArray[np.float64]

NO_TABLE: Final = np.empty(0)


def as_array(tables: Sequence[Table], remembered: Sequence[Remembered], keys: int) -> Array | None:
    """Return a root's numbers in the form for machine code; `None` if a key is not the game's."""
    if not tables:
        return NO_TABLE
    arrays = []
    found = {each.name: each.entries for each in remembered}
    for table in tables:
        array = np.empty((len(table.columns), *_shape(table, keys)))
        array.T[:] = table.absent
        for (player, *its_keys), numbers in found.get(table.name, {}).items():
            if not all(0 <= key < keys for key in its_keys):
                return None
            array[:, side_of(player), *its_keys] = numbers
        arrays.append(array.reshape(-1))
    return np.concatenate(arrays)


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
