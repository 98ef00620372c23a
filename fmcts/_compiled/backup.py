"""The verb `backup`: add a visit and its reward along the path, and update a method's columns.

The verb `record` writes a row of the trail for an iteration (`fmcts._compiled.trail`).

`path` has a level for each child: the index of its visits, one number with the count of siblings
and the side that chose it, and, if blocks have rows of doubles, its index among the siblings.
"""

from __future__ import annotations

from typing import Any, Final

from fmcts._compiled.chance import seat_bits
from fmcts._compiled.deriving import deriving
from fmcts._compiled.marking import marking
from fmcts._compiled.memory import stored
from fmcts._compiled.parameters import parameters_of
from fmcts._compiled.selection import statistics_of, takes_lanes
from fmcts._compiled.simulation import gained
from fmcts._compiled.structure import Structure
from fmcts._compiled.tables import table_tracing
from fmcts._compiled.tree.columns import any_reals, first_reals, reader, writer
from fmcts._compiled.tree.layout import BELOW, HALVES, HEADER, ROOT, VISITS, cell, column
from fmcts._numba.intrinsics import Verb, get, get_real, inlined, int64, nothing, put, put_real
from fmcts._numba.register import known_to_numba, register
from fmcts._numba.simd import WIDTH
from fmcts.search.memory import Table, size_of


def noting(structure: Structure) -> Verb:
    """Return `note(path, depth, place, total, mover, index)`, which writes a level of the path.

    The child is number `index` among `total`, its visits are at `place`, and `mover` chose it.
    """
    stride, indexed = structure.schema.stride, structure.schema.rows > 0
    bits = seat_bits(structure)

    @inlined
    def note(path: Any, depth: Any, place: Any, total: Any, mover: Any, index: Any) -> None:
        put(path, stride * depth, place)
        put(path, stride * depth + 1, total << bits | mover)
        if indexed:
            put(path, stride * depth + 2, index)

    return note


def backup_of(structure: Structure, keys: int) -> Verb:
    """`backup(words, path, depth, worth, parameters, ...)`: from the leaf to the root.

    `of_table` are the parameters of the method's table, `leaf_side` and `root_side` are the sides
    to move there, `root_mover` who moved to the root. The last is for derived statistics (see
    `deriving`).
    """
    stride, traces, real = structure.schema.stride, structure.traces, structure.real
    rows, reward_row = structure.schema.rows > 0, structure.schema.reward_row
    key_row, mark = structure.schema.key_row, marking(keys).mark
    derive, bits = deriving(structure), seat_bits(structure)
    its_seat = (1 << bits) - 1
    gain, update, update_moves = gained(structure), updating(structure), tracing(structure, keys)

    @inlined
    def credit(
        words: Any, block: Any, total: Any, index: Any, mover: Any, worth: Any, parameters: Any
    ) -> None:
        """Add one visit and its reward to a child that `mover` chose."""
        mine = gain(worth, mover)
        if rows:
            update(words, block, total, index, mine if real else 0.5 * mine, parameters)
        place = cell(block, total, VISITS, index)
        put(words, place, get(words, place) + 1)
        if real:
            place = column(block, total, reward_row, index)
            put_real(words, place, get_real(words, place) + mine)
        else:
            place += (HALVES - VISITS) * total
            put(words, place, get(words, place) + mine)

    @inlined
    def backup(  # noqa: PLR0913, PLR0917 - it is a piece of the loop
        words: Any,
        path: Any,
        depth: Any,
        worth: Any,
        parameters: Any,
        of_table: Any,
        root_mover: Any,
        leaf_side: Any,
        root_side: Any,
        stamps: Any,
        stamp: Any,
        iteration: Any,
    ) -> None:
        side, chooser, known = leaf_side, int64(-1), 0
        for level in range(depth - 1, -1, -1):
            place = int64(get(path, stride * level))
            shape = int64(get(path, stride * level + 1))
            total, mover = shape >> bits, shape & its_seat
            if rows:
                index = int64(get(path, stride * level + 2))
                block = place - index - HEADER
            else:  # then neither is looked at but for where they lead
                index, block = int64(0), place - HEADER
            if traces:
                below = int64(get(words, cell(block, total, BELOW, index)))
                if below > 0:
                    update_moves(words, below, side, worth, of_table, stamps, stamp)
                key = int64(get_real(words, column(block, total, key_row, index)))
                mark(stamps, mover, key, stamp)
                side = mover
            credit(words, block, total, index, mover, worth, parameters)
            known = derive(words, block, total, index, mover, chooser, known, iteration)
            chooser = mover
        if traces:
            first = int64(get(words, cell(ROOT, 1, BELOW, 0)))
            update_moves(words, first, root_side, worth, of_table, stamps, stamp)
        credit(words, ROOT, 1, 0, root_mover, worth, parameters)
        derive(words, ROOT, 1, 0, root_mover, chooser, known, iteration)

    return backup


def updating_above_ends(structure: Structure) -> Verb:
    """Return `above_end(words, path, depth, worth, parameters, root_side)`.

    If the game is over at the leaf, it is called before `backup` and updates the columns of the
    leaf's parent.
    """
    if not structure.updates_above_ends:
        return nothing
    stride, gain, real = structure.schema.stride, gained(structure), structure.real
    update = updating(structure, 'update_above_end')

    @inlined
    def above_end(
        words: Any, path: Any, depth: Any, worth: Any, parameters: Any, root_side: Any
    ) -> None:
        mine = gain(worth, root_side)
        mine = mine if real else 0.5 * mine
        if depth == 1:
            update(words, ROOT, 1, 0, mine, parameters)
        else:
            level = stride * (depth - 2)
            index = int64(get(path, level + 2))
            block = int64(get(path, level)) - index - HEADER
            update(words, block, int64(get(path, level + 1)) >> 1, index, mine, parameters)

    return above_end


def updating(structure: Structure, name: str = 'update') -> Verb:
    """Return `update(words, block, total, index, reward, parameters)`.

    It updates a child's own columns by the method's function called `name`.
    """
    rows = structure.updated
    if not rows:
        return nothing
    formula = known_to_numba(getattr(structure.functions, name))
    edge, write = statistics_of(structure), writer(0, rows)

    @inlined
    def update(
        words: Any, block: Any, total: Any, index: Any, reward: Any, parameters: Any
    ) -> None:
        numbers = formula(parameters, edge(words, block, total, index, 0), reward)
        write(words, block, total, index, numbers)

    return update


def tracing(structure: Structure, keys: int) -> Verb:
    """Return `update_moves(words, block, side, worth, parameters, stamps, stamp)`.

    It updates the columns of the moves that were played. `side` is to move at the node whose
    children are at `block`.
    """
    table = structure.method.table
    if table is None:
        return nothing
    if structure.refers:
        return table_tracing(structure)
    gain, share = gained(structure), 1.0 if structure.real else 0.5
    has, have = marking(keys).has, marking(keys).have
    given, row, key_row = structure.functions.update_table, table.row, structure.schema.key_row
    formula = known_to_numba(given)
    first, rows = structure.schema.table_row, structure.schema.table_columns
    read, write = reader(first, rows), writer(first, rows)
    read_lanes, read_all = (
        reader(first, rows, real_at=reals) for reals in (first_reals, any_reals)
    )
    write_lanes = writer(first, rows, lanes=True)

    @inlined
    def update_lanes(  # noqa: PLR0913, PLR0917 - it is a piece of the loop
        words: Any,
        block: Any,
        total: Any,
        low: Any,
        side: Any,
        reward: Any,
        parameters: Any,
        stamps: Any,
        stamp: Any,
    ) -> None:
        """Update several moves; entries past the end of a row are written back unchanged."""
        its_keys = any_reals(words, column(block, total, key_row, low), total - low)
        played = have(stamps, side, its_keys, total - low, stamp)
        old = read_all(words, block, total, low)
        statistics = row(*read_lanes(words, block, total, low))
        write_lanes(words, block, total, low, formula(parameters, statistics, reward), played, old)

    def by_lanes(
        words: Any, block: Any, side: Any, worth: Any, parameters: Any, stamps: Any, stamp: Any
    ) -> None:
        total = int64(get(words, block))
        reward = share * gain(worth, side)
        update_lanes(words, block, total, 0, side, reward, parameters, stamps, stamp)
        low = WIDTH
        while low < total:
            update_lanes(words, block, total, low, side, reward, parameters, stamps, stamp)
            low += WIDTH

    def one_by_one(
        words: Any, block: Any, side: Any, worth: Any, parameters: Any, stamps: Any, stamp: Any
    ) -> None:
        total = int64(get(words, block))
        reward = share * gain(worth, side)
        for index in range(total):
            key = int64(get_real(words, column(block, total, key_row, index)))
            if has(stamps, side, key, stamp):
                statistics = row(*read(words, block, total, index))
                write(words, block, total, index, formula(parameters, statistics, reward))

    return inlined(by_lanes if takes_lanes(given) else one_by_one)


ROW: Final = 6  # integers; the last two are a double


def recording(structure: Structure) -> Verb:
    """Return `record(trail, row, path, depth, index, moves, worth)`, which records an iteration.

    `path` has `depth` levels and ends with the leaf, which is number `index` among its siblings
    and has `moves` moves.
    """
    stride, gain, share = structure.schema.stride, gained(structure), 1.0 if structure.real else 0.5

    @inlined
    def record(
        trail: Any, row: Any, path: Any, depth: Any, index: Any, moves: Any, worth: Any
    ) -> None:
        at, level = ROW * row, stride * (depth - 1)
        above = get(path, level - stride) if depth > 1 else cell(ROOT, 1, VISITS, 0)
        put(trail, at, get(path, level))
        put(trail, at + 1, above)
        put(trail, at + 2, index << 1 | get(path, level + 1) & 1)
        put(trail, at + 3, moves)
        put_real(trail, at + 4, share * gain(worth, 0))

    return record


def learning(structure: Structure, keys: int) -> Verb:
    """Return `learn(memory, line, stamps, stamp, worth, numbers)`.

    It updates the tables by the moves of an iteration, which are in the `line`. `numbers` are the
    policy's, then the tables'. The first 2 * `keys` stamps are for the method; it uses those after
    them.
    """
    policy = structure.policy
    if not policy.memories:
        return nothing
    change = nothing
    first, number = 0, 1 + len(policy.numbers)
    for table, update in zip(policy.memories, structure.updates, strict=True):
        change = _both(change, _changing(table, update, first, keys, number))
        first += size_of(table, keys)
        number += len(table.parameters)
    gain, share = gained(structure), 1.0 if structure.real else 0.5

    @inlined
    def learn(memory: Any, line: Any, stamps: Any, stamp: Any, worth: Any, numbers: Any) -> None:
        for_x, for_o = share * gain(worth, 0), share * gain(worth, 1)
        before = int64(get(line, 1))  # the first move has no previous one: it is paired with itself
        for at in range(1, int64(get(line, 0)) + 1):
            spot = int64(get(line, at))
            again = get(stamps, 2 * keys + spot) == stamp
            put(stamps, 2 * keys + spot, stamp)
            change(memory, before, spot, again, for_x if spot < keys else for_o, numbers)
            before = spot

    return learn


def _both(first: Verb, second: Verb) -> Verb:
    if first is nothing:
        return second

    @inlined
    def change(*given: Any) -> None:
        first(*given)
        second(*given)

    return change


def _changing(table: Table, formula: Any, first: int, keys: int, number: int) -> Verb:
    """Return `change(memory, before, spot, again, reward, numbers)`.

    It updates a table by one move of an iteration; `again`: whether the move was played earlier in
    the iteration. The table starts at `first`, and its parameters at index `number`.
    """
    index_of, read, write = stored(table, first, keys)
    parameters, end = parameters_of(table), number + len(table.parameters)
    row, once = table.row, table.index == 'moves'
    register(formula)

    @inlined
    def change(memory: Any, before: Any, spot: Any, again: Any, reward: Any, numbers: Any) -> None:
        place = index_of(before, spot)
        if place >= 0 and not (once and again):
            own = parameters(*numbers[number:end])
            statistics = row(float(spot % keys), *read(memory, place))
            write(memory, place, formula(own, statistics, reward))

    return change
