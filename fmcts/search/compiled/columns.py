"""A method's columns in memory: rows of doubles that follow the others in a block.

Row k of a block for `total` children lies behind the four rows of integers (see `layout`), two
integers a number; first the children's own columns, then those of the moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from fmcts.search.compiled.layout import HEADER
from fmcts.rules import IntegerRules
from fmcts.search.compiled.machine import inlined, int64, put_real
from fmcts.search.compiled.teach import teach
from fmcts.search.methods import Method

__all__ = ['ROWS', 'beginning', 'column', 'first_numbers', 'size_with']

Verb: TypeAlias = Callable[..., Any]

ROWS = 4  # of integers, before those of doubles


@inlined
def column(block: Any, total: Any, row: Any, index: Any) -> Any:
    """Where the number of child `index` in a `row` of doubles lies."""
    return block + HEADER + (ROWS + 2 * row) * total + 2 * index


@inlined
def size_with(total: Any, rows: Any) -> Any:
    """How many integers a block for `total` children takes, with so many rows of doubles."""
    return HEADER + (ROWS + 2 * rows) * total


def beginning(rules: IntegerRules, method: Method) -> Verb:
    """`begin(words, block, total, position, options)`: write the columns of a new block."""
    own = len(method.columns)

    @inlined
    def begin(words: Any, block: Any, total: Any, position: Any, options: Any) -> None:
        for row in range(own):
            for index in range(total):
                put_real(words, column(block, total, row, index), 0.0)

    for number, first in enumerate(first_numbers(method)):
        begin = _and_row(begin, own + number, first, rules.pick)
    return begin


def _and_row(before: Verb, row: int, first: Verb, pick: Verb) -> Verb:
    """The same as `before`, and then one row of the moves."""

    @inlined
    def begin(words: Any, block: Any, total: Any, position: Any, options: Any) -> None:
        before(words, block, total, position, options)
        for index in range(total):
            number = first(position, int64(pick(options, index)), total)
            put_real(words, column(block, total, row, index), number)

    return begin


def first_numbers(method: Method) -> tuple[Verb, ...]:
    """The functions that give the first numbers of the moves' columns, known to numba."""
    functions = method.first_numbers()
    teach(*functions)
    return functions
