"""Compiled implementation of `fmcts.search.memory`, in an array of doubles.

For each table, by name, the array has a row for each of its columns. A row has a number for each
key of X's moves, then for each key of O's; in a table of pairs it has a number for each pair of a
move and a reply. The moves of an iteration are stored in an array of integers, the line: first
their number, then the `spot` of each move, which is its key, plus the number of `keys` if the move
is O's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fmcts._compiled.parameters import parameters_of
from fmcts._compiled.statuses import BAD_KEY, BAD_MENU, BAD_WEIGHT, CHOICES
from fmcts._compiled.tree.columns import reader, writer
from fmcts._numba.intrinsics import Verb, get, inlined, int64, put
from fmcts._numba.positions import menus_of
from fmcts._numba.register import register
from fmcts._numba.whole import plain, shaped_as
from fmcts.game import Player
from fmcts.rules import IntegerRules, side_of
from fmcts.search.memory import Remembered, Table, size_of
from fmcts.search.policies import Recalling

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
    as_stored = storing(absent)

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
        put_all(memory, 0, 0, place, as_stored(numbers))

    return Stored(place, read, write)


def storing(absent: tuple[float, ...]) -> Verb:
    """Return `as_stored(numbers)`, which converts to doubles, and to `absent` what equals it.

    (-0.0 equals 0.0.)
    """
    count = range(len(absent))
    numbers = ''.join(f'float(plain(numbers[{place}])), ' for place in count)
    alike = ' and '.join(f'found[{place}] == absent[{place}]' for place in count)
    names: dict[str, Any] = {'plain': plain, 'absent': absent, 'shaped_as': shaped_as}
    source = (
        f'def as_stored(numbers):\n    numbers = shaped_as(numbers, absent)\n'
        f'    found = ({numbers})\n    return absent if {alike} else found'
    )
    exec(source, names)  # noqa: S102 - one for each number of columns
    return inlined(names['as_stored'])


def weighing(
    rules: IntegerRules,
    policy: Recalling,
    formula: Verb,
    places: Mapping[str, int],
    first: int,
    otherwise: Verb,
) -> Verb:
    """Return the verb of a policy with the `weigh` of `formula`, and numbers from `first` on.

    `places` has the start of each table by name. `otherwise` chooses if all moves weigh minus
    infinity.
    """
    side, key, keys = rules.side, rules.key, rules.keys
    register(side, key, formula)
    menus = menus_of(rules)
    count, pick = menus.count, menus.pick
    row, parameters, end = policy.row, parameters_of(policy), first + len(policy.numbers)
    numbers_of = inlined(lambda _memory, _before, _spot: ())
    for table in policy.memories:
        numbers_of = _and(numbers_of, table, places[table.name], keys)

    @inlined
    def choose(position: Any, options: Any, rng: Any, numbers: Any, memory: Any, line: Any) -> Any:
        total = count(options)
        if total < 1 or total > CHOICES:
            return int64(0), rng, int64(BAD_MENU)
        own = parameters(*numbers[first:end])
        before = int64(get(line, int64(get(line, 0))))
        begin = (int64(side(position)) & 1) * keys
        chosen, best, broken = int64(0), -math.inf, False
        for index in range(total):
            move = int64(pick(options, index))
            named = int64(key(position, move))
            if named < 0 or named >= keys:
                return int64(0), rng, int64(BAD_KEY)
            statistics = row(float(named), *numbers_of(memory, before, begin + named))
            weight = float(plain(formula(own, statistics)))
            if weight > best:
                chosen, best = move, weight
            broken |= weight != weight  # noqa: PLR0124 - NaN; a branch would be slower
        if broken:
            return int64(0), rng, int64(BAD_WEIGHT)
        if best == -math.inf:
            return otherwise(position, options, rng, numbers, memory, line)
        return chosen, rng, int64(0)

    return choose


def _and(before_it: Verb, table: Any, first: int, keys: int) -> Verb:
    """Return a function for the numbers of the earlier tables followed by those of `table`."""
    index_of, read, _ = stored(table, first, keys)

    @inlined
    def numbers_of(memory: Any, before: Any, spot: Any) -> Any:
        return before_it(memory, before, spot) + read(memory, index_of(before, spot))

    return numbers_of
