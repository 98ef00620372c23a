"""Tables of moves by key, read from a reference node, in machine code (see `Table.refers`)."""

from __future__ import annotations

from typing import Any

from fmcts._compiled.marking import marking
from fmcts._compiled.simulation import gained
from fmcts._compiled.structure import Structure
from fmcts._compiled.tree.columns import reader, table_numbers, writer
from fmcts._compiled.tree.layout import column, entry
from fmcts._numba.intrinsics import (
    Verb,
    get,
    get_real,
    inlined,
    int64,
    nothing,
    put_real,
    trailing_zeros,
)
from fmcts._numba.register import known_to_numba
from fmcts._numba.whole import truth_itself


def is_reference(structure: Structure) -> Verb:
    """Return `refers(parameters, visits)`: whether a node with these visits is a reference."""
    if not structure.refers:
        return nothing
    formula = known_to_numba(structure.functions.refers)
    return inlined(lambda parameters, visits: truth_itself(formula(parameters, visits)))


def referring(structure: Structure) -> Verb:
    """Return `refer(words, block, total, side, visits, parameters, known, total_known)`.

    Call it before a child is chosen at the node with `visits` visits whose children are at `block`;
    `side` is to move there. It returns the block and number of children of the node's reference:
    the node itself, or else the reference of its parent, `known` with `total_known`. It copies the
    numbers of the reference's table to the rows of the moves, or 0 if there is no reference.
    """
    if not structure.refers:
        return nothing
    first, columns, key_row = (
        structure.schema.table_row,
        structure.schema.table_columns,
        structure.schema.key_row,
    )
    rows, entries, keys = structure.schema.rows, structure.schema.entries, structure.keys
    width, number_at = structure.schema.width, table_numbers(structure)[0]
    is_known = is_reference(structure)

    @inlined
    def refer(  # noqa: PLR0913, PLR0917 - it is a piece of the loop
        words: Any,
        block: Any,
        total: Any,
        side: Any,
        visits: Any,
        parameters: Any,
        known: Any,
        total_known: Any,
    ) -> Any:
        if is_known(parameters, float(visits)):
            known, total_known = block, total
        for index in range(total):
            key = int64(get_real(words, column(block, total, key_row, index)))
            for row in range(columns):
                number = 0.0
                if known > 0:
                    place = width * (row * entries + side * keys + key)
                    number = number_at(words, entry(known, total_known, rows, place), 0)
                put_real(words, column(block, total, first + row, index), number)
        return known, total_known

    return refer


def table_tracing(structure: Structure) -> Verb:
    """Return the verb of `backup.tracing` for tables, which covers the moves of both sides."""
    table: Any = structure.method.table
    row, rows, keys = table.row, structure.schema.rows, structure.keys
    formula = known_to_numba(structure.functions.update_table)
    gain, share = gained(structure), 1.0 if structure.real else 0.5
    has, bits = marking(keys).has, marking(keys).bits or nothing
    # The columns follow each other, with a number for each move.
    apart, columns, width = (
        structure.schema.entries,
        structure.schema.table_columns,
        structure.schema.width,
    )
    index_of = inlined(
        lambda block, total, number, at: entry(block, total, rows, width * (number + at))
    )
    number_at, put = table_numbers(structure)
    read = reader(0, columns, real_at=number_at, index_of=index_of, apart=apart)
    write = writer(0, columns, put=put, index_of=index_of, apart=apart)

    @inlined
    def update_one(
        words: Any, block: Any, total: Any, at: Any, reward: Any, parameters: Any
    ) -> None:
        statistics = row(*read(words, block, total, at))
        write(words, block, total, at, formula(parameters, statistics, reward))

    @inlined
    def by_bits(
        words: Any, block: Any, side: Any, worth: Any, parameters: Any, stamps: Any, stamp: Any
    ) -> None:
        total = int64(get(words, block))
        for who in range(2):
            reward = share * gain(worth, who)
            left = bits(stamps, who)
            while left != 0:
                at = who * keys + trailing_zeros(left)
                update_one(words, block, total, at, reward, parameters)
                left &= left - 1

    @inlined
    def by_stamps(
        words: Any, block: Any, side: Any, worth: Any, parameters: Any, stamps: Any, stamp: Any
    ) -> None:
        total = int64(get(words, block))
        for who in range(2):
            reward = share * gain(worth, who)
            for key in range(keys):
                if has(stamps, who, key, stamp):
                    update_one(words, block, total, who * keys + key, reward, parameters)

    return by_stamps if bits is nothing else by_bits
