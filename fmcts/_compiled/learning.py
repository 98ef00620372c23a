"""Update the playouts' tables after an iteration, in machine code; see the module `memory`."""

from __future__ import annotations

from typing import Any

from fmcts._compiled.memory import stored
from fmcts._compiled.parameters import parameters_of
from fmcts._compiled.simulation import gained
from fmcts._compiled.structure import Structure
from fmcts._numba.intrinsics import Verb, get, inlined, int64, nothing, put
from fmcts._numba.register import register
from fmcts.search.memory import Table, size_of


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
    def change(memory: Any, before: Any, spot: Any, again: Any, reward: Any, numbers: Any) -> None:
        first(memory, before, spot, again, reward, numbers)
        second(memory, before, spot, again, reward, numbers)

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
