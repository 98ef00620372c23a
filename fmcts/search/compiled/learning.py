"""How tables change after an iteration, as machine code; see the module `memory`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from fmcts.search.compiled.memory import stored
from fmcts.search.compiled.numba_support.intrinsics import get, inlined, int64, nothing, put
from fmcts.search.compiled.numba_support.register import register
from fmcts.search.compiled.parameters import parameters_of
from fmcts.search.compiled.simulation import gained
from fmcts.search.compiled.structure import Structure
from fmcts.search.memory import Table, size_of

__all__ = ['learning']

Verb: TypeAlias = Callable[..., Any]


def learning(structure: Structure, keys: int) -> Verb:
    """`learn(memory, line, stamps, stamp, worth, numbers)`: after an iteration with these moves.

    `numbers` are the policy's, and then those of the tables. Behind the `stamps` of a method's
    moves, of which there are twice as many as `keys`, are others.
    """
    learn = nothing
    first, number = 0, 1 + len(structure.policy.numbers)
    for table, update in zip(structure.policy.memories, structure.updates, strict=True):
        learn = _both(learn, _learning(structure, table, update, first, keys, number))
        first += size_of(table, keys)
        number += len(table.parameters)
    return learn


def _both(before: Verb, verb: Verb) -> Verb:
    if before is nothing:
        return verb

    @inlined
    def learn(memory: Any, line: Any, stamps: Any, stamp: Any, worth: Any, numbers: Any) -> None:
        before(memory, line, stamps, stamp, worth, numbers)
        verb(memory, line, stamps, stamp, worth, numbers)

    return learn


def _learning(
    structure: Structure, table: Table, formula: Any, first: int, keys: int, number: int
) -> Verb:
    gain, share = gained(structure), 1.0 if structure.real else 0.5
    verbs, row, once = stored(table, first, keys), table.row, table.index == 'moves'
    place_of, read, write = verbs
    parameters, end = parameters_of(table), number + len(table.parameters)
    register(formula)

    @inlined
    def learn(memory: Any, line: Any, stamps: Any, stamp: Any, worth: Any, numbers: Any) -> None:
        for_x, for_o = share * gain(worth, 0), share * gain(worth, 1)
        own = parameters(*numbers[number:end])
        before = int64(-1)
        for at in range(1, int64(get(line, 0)) + 1):
            spot = int64(get(line, at))
            place = place_of(before, spot) if at > 1 or once else int64(-1)
            before = spot
            if once:
                if get(stamps, 2 * keys + spot) == stamp:
                    continue
                put(stamps, 2 * keys + spot, stamp)
            if place >= 0:
                by_x = spot < keys
                told = row(float(spot if by_x else spot - keys), *read(memory, place))
                write(memory, place, formula(own, told, for_x if by_x else for_o))

    return learn
