"""A method's columns in memory: rows of doubles that follow the others in a block.

Row k of a block for `total` children lies behind the four rows of integers (see `layout`), two
integers a number; `fmcts.search.compiled.structure` says which rows there are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from fmcts.rules import IntegerRules
from fmcts.search.compiled.numba_support.intrinsics import inlined, nothing, put_real
from fmcts.search.compiled.numba_support.menus import menus_of
from fmcts.search.compiled.numba_support.register import register
from fmcts.search.compiled.structure import Structure
from fmcts.search.compiled.tree.layout import column
from fmcts.search.methods import Method

__all__ = ['beginning', 'first_numbers']

Verb: TypeAlias = Callable[..., Any]


def beginning(rules: IntegerRules, structure: Structure) -> Verb:
    """`begin(words, block, total, position, options)`: write the rows of doubles of a new block."""
    begin_move: Verb = nothing
    zero = (*range(structure.own), *((structure.reward_row,) if structure.real else ()))
    for row in zero:
        begin_move = _and_row(begin_move, row, _zero)
    for number, first in enumerate(first_numbers(structure.method)):
        begin_move = _and_row(begin_move, structure.own + number, first)
    if structure.traces:
        key = rules.key
        register(key)
        begin_move = _and_row(
            begin_move, structure.key_row, inlined(lambda here, move, _count: key(here, move))
        )
    if begin_move is nothing:
        return nothing
    pick = menus_of(rules).pick

    @inlined
    def begin(words: Any, block: Any, total: Any, position: Any, options: Any) -> None:
        for index in range(total):
            begin_move(words, block, total, position, pick(options, index), index)

    return begin


@inlined
def _zero(_position: Any, _move: Any, _count: Any) -> Any:
    return 0.0


def _and_row(before: Verb, row: int, first: Verb) -> Verb:
    """`begin_move(words, block, total, position, move, index)`: as `before`, and one row more."""

    @inlined
    def begin_move(
        words: Any, block: Any, total: Any, position: Any, move: Any, index: Any
    ) -> None:
        before(words, block, total, position, move, index)
        number = first(position, move, total)
        put_real(words, column(block, total, row, index), float(number))

    return begin_move


def first_numbers(method: Method) -> tuple[Verb, ...]:
    """The functions that give the first numbers of the moves' columns, known to numba."""
    functions = method.first_numbers()
    register(*functions)
    return functions
