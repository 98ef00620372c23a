"""A method's columns in memory: rows of doubles at the end of a block.

In a block for `total` children they follow the four rows of integers (see `layout`); each number
takes two integers. `fmcts._compiled.structure` defines the rows.
"""

from __future__ import annotations

from typing import Any, Final

from fmcts._compiled.chance import weighing_outcomes
from fmcts._compiled.structure import Structure
from fmcts._compiled.tree.layout import HALVES, cell, column, entry
from fmcts._numba.intrinsics import (
    Verb,
    get,
    get_real,
    inlined,
    int64,
    nothing,
    prefetch,
    put,
    put_real,
)
from fmcts._numba.marks import put_reals
from fmcts._numba.positions import menus_of
from fmcts._numba.register import entering, register
from fmcts._numba.simd import first_reals_at, reals_at
from fmcts._numba.whole import plain, shaped_as
from fmcts.formulas import where
from fmcts.rules import IntegerRules

# `real_at(words, place, count)` reads the number of a child, or of several children, of which the
# row has `count` more. Numbers past its end may be subnormal and are kept out of arithmetic.
real_at: Final = inlined(lambda words, place, _count: get_real(words, place))
first_reals: Final = inlined(lambda words, place, count: first_reals_at(words, place, count))
any_reals: Final = inlined(lambda words, place, _count: reals_at(words, place))


def beginning(rules: IntegerRules, structure: Structure) -> Verb:
    """Return `begin(words, block, total, position, options)`, for a new block's rows of doubles."""
    begin_move: Verb = nothing
    looked_up = (
        range(structure.schema.table_row, structure.schema.key_row) if structure.refers else ()
    )
    zero = (
        *range(structure.schema.own),
        *looked_up,
        *((structure.schema.reward_row,) if structure.real else ()),
    )
    for row in zero:
        begin_move = _and_row(begin_move, row, _zero)
    for number, first in enumerate(first_numbers(structure, rules)):
        begin_move = _and_row(begin_move, structure.schema.own + number, first)
    if structure.traces:
        key = rules.key
        register(key)
        begin_move = _and_row(
            begin_move,
            structure.schema.key_row,
            inlined(lambda here, move, _count: key(here, move)),
        )
    if begin_move is nothing:
        return nothing
    pick = menus_of(rules).pick
    rows, numbers = structure.schema.rows, structure.schema.tail // structure.schema.width
    width, put_number = structure.schema.width, table_numbers(structure)[1]

    @inlined
    def begin(words: Any, block: Any, total: Any, position: Any, options: Any) -> None:
        for index in range(total):
            begin_move(words, block, total, position, pick(options, index), index)
        for place in range(numbers):
            put_number(words, entry(block, total, rows, width * place), 0.0)

    return begin


def reward_at(structure: Structure) -> Verb:
    """Return `reward(words, block, total, index)`: a child's summed reward as a double."""
    row = structure.schema.reward_row
    if structure.real:
        return inlined(
            lambda words, block, total, index: get_real(words, column(block, total, row, index))
        )
    return inlined(
        lambda words, block, total, index: 0.5 * get(words, cell(block, total, HALVES, index))
    )


def table_numbers(structure: Structure) -> tuple[Verb, Verb]:
    """Return `get(words, place, count)` and `put(words, place, number)` for numbers of a table.

    `count` is ignored; with it, `get` can be the `real_at` of `reader`.
    """
    if not structure.schema.in_halves:
        return real_at, put_real
    return _half_at, _put_half


_half_at: Final = inlined(lambda words, place, _count: 0.5 * get(words, place))
_put_half: Final = inlined(lambda words, place, number: put(words, place, int64(2.0 * number)))


def fetching(structure: Structure) -> Verb:
    """Return `fetch(words, block)`, which prefetches the memory of a block."""
    rows = structure.traces or structure.real

    @inlined
    def fetch(words: Any, block: Any) -> None:
        prefetch(words, block + 16)
        prefetch(words, block + 32)
        if rows:
            prefetch(words, block + 48)
            prefetch(words, block + 64)

    return fetch


@inlined
def _zero(_position: Any, _move: Any, _count: Any) -> Any:
    return 0.0


def _and_row(before: Verb, row: int, first: Verb) -> Verb:
    """Return `begin_move(words, block, total, position, move, index)`: `before` plus one row."""

    @inlined
    def begin_move(
        words: Any, block: Any, total: Any, position: Any, move: Any, index: Any
    ) -> None:
        before(words, block, total, position, move, index)
        number = first(position, move, total)
        put_real(words, column(block, total, row, index), float(number))

    return begin_move


def first_numbers(structure: Structure, rules: IntegerRules) -> tuple[Verb, ...]:
    """Return the functions of the first numbers of the moves' columns, registered with numba.

    Where chance moves, the outcomes have zeros.
    """
    found = tuple(map(_as_reals, structure.functions.first))
    return found if rules.chances is None else tuple(_of_players(it, rules) for it in found)


def _of_players(number: Verb, rules: IntegerRules) -> Verb:
    weights_at = weighing_outcomes(rules)

    @inlined
    def first(position: Any, move: Any, count: Any) -> Any:
        return number(position, move, count) if weights_at(position) == 0 else 0.0

    return first


def _as_reals(function: Verb) -> Verb:
    given = entering(function)
    return inlined(lambda position, move, count: float(plain(given(position, move, count))))


# One source for each number of rows, as numba must know the length of a tuple.


def reader(
    first: int, rows: int, *, real_at: Verb = real_at, index_of: Verb = column, apart: int = 1
) -> Verb:
    """Return `read(words, block, total, index)`: the numbers of `rows` rows as a tuple.

    `real_at` reads them for one child or for several. `index_of(block, total, row, index)` is the
    index of a number; consecutive rows are `apart` from each other.
    """
    names: dict[str, Any] = {'index_of': index_of, 'real_at': real_at}
    numbers = ''.join(
        f'real_at(words, index_of(block, total, {(first + row) * apart}, index), total - index), '
        for row in range(rows)
    )
    exec(f'def read(words, block, total, index):\n    return ({numbers})', names)  # noqa: S102
    return inlined(names['read'])


def writer(
    first: int,
    rows: int,
    *,
    lanes: bool = False,
    put: Verb = put_real,
    index_of: Verb = column,
    apart: int = 1,
) -> Verb:
    """Return `write(words, block, total, index, numbers)`, which writes what `reader` reads.

    With `lanes` it also takes `wanted` and `old`: of several children only those wanted change; the
    others are written back unchanged.
    """
    arguments, number = 'numbers', 'float(plain(numbers[{row}]))'
    if lanes:
        arguments, number, put = (
            'numbers, wanted, old',
            'where(wanted, plain(numbers[{row}]), old[{row}])',
            put_reals,
        )
    names: dict[str, Any] = {
        'column': index_of, 'put': put, 'where': where, 'plain': plain, 'shaped_as': shaped_as,
        'like': (0.0,) * rows,
    }  # fmt: skip
    lines = '    numbers = shaped_as(numbers, like)\n' + ''.join(
        f'    put(words, column(block, total, {(first + row) * apart}, index), '
        f'{number.format(row=row)})\n'
        for row in range(rows)
    )
    exec(f'def write(words, block, total, index, {arguments}):\n{lines}', names)  # noqa: S102
    return inlined(names['write'])
