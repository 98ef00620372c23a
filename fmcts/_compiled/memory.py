"""Compiled implementation of `fmcts.search.memory`, in an array of doubles.

For each table, by name, the array has a row for each of its columns. A row has a number for each
key of X's moves, then for each key of O's; in a table of pairs it has a number for each pair of a
move and a reply. The moves of an iteration are stored in an array of integers, the line: first
their number, then the `spot` of each move, which is its key, plus the number of `keys` if the move
is O's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fmcts._compiled.tree.columns import reader, writer
from fmcts._numba.intrinsics import Verb, get, inlined, put
from fmcts._numba.whole import plain
from fmcts.game import Player
from fmcts.rules import side_of
from fmcts.search.memory import Remembered, Table, size_of

Array: TypeAlias = npt.NDArray[np.float64]

NO_TABLE: Final = np.empty(0)


def as_array(tables: Sequence[Table], kept: Sequence[Remembered], keys: int) -> Array | None:
    """Return a root's numbers in the form for machine code; `None` if a key is not the game's."""
    if not tables:
        return NO_TABLE
    arrays = []
    found = {each.name: each.entries for each in kept}
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


class Stored(NamedTuple):
    """The functions with which machine code accesses the numbers of a table.

    - `place(before, spot)`: return the index in a row of a move's numbers, or -1; `before` is the
      spot of the previous move.
    - `read(memory, place)`: return the numbers as a tuple; for place -1, the absent numbers.
    - `write(memory, place, numbers)`: store the numbers.
    """

    place: Verb
    read: Verb
    write: Verb


def stored(table: Table, first: int, keys: int) -> Stored:
    """Return the functions for a table whose numbers start at `first` in the array."""
    columns, absent, index = len(table.columns), table.absent, table.index
    always = index == 'moves'
    apart = size_of(table, keys) // columns
    index_of = inlined(lambda _memory, _total, row, place: first + row + place)
    number_at = inlined(lambda memory, place, _count: get(memory, place))
    there = reader(0, columns, real_at=number_at, index_of=index_of, apart=apart)
    put_all = writer(0, columns, put=put, index_of=index_of, apart=apart)
    as_kept = kept(absent)

    if index == 'moves':
        place = inlined(lambda _before, spot: spot)
    elif index == 'replies':
        place = inlined(lambda before, spot: before if (before < keys) != (spot < keys) else -1)
    else:

        @inlined
        def place(before: Any, spot: Any) -> Any:
            return before * keys + spot % keys if (before < keys) != (spot < keys) else -1

    @inlined
    def read(memory: Any, place: Any) -> Any:
        if always:
            return there(memory, 0, 0, place)
        return there(memory, 0, 0, place) if place >= 0 else absent

    @inlined
    def write(memory: Any, place: Any, numbers: Any) -> None:
        put_all(memory, 0, 0, place, as_kept(numbers))

    return Stored(place, read, write)


def kept(absent: tuple[float, ...]) -> Verb:
    """Return `as_kept(numbers)`, which converts to doubles; if equal to `absent`, to exactly that.

    (-0.0 equals 0.0.)
    """
    count = range(len(absent))
    numbers = ''.join(f'float(plain(numbers[{place}])), ' for place in count)
    alike = ' and '.join(f'found[{place}] == absent[{place}]' for place in count)
    names: dict[str, Any] = {'plain': plain, 'absent': absent}
    source = (
        f'def as_kept(numbers):\n    found = ({numbers})\n    return absent if {alike} else found'
    )
    exec(source, names)  # noqa: S102 - one for each number of columns
    return inlined(names['as_kept'])
