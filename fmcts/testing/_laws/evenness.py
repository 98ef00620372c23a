"""Tests of whether numbers are drawn evenly, by bounds that a correct generator never exceeds.

Of `DRAWS` draws, each with the chance p of some event, the count of it differs from `DRAWS * p` by
`SLACK` or more with a probability of at most 2 exp(-2 SLACK² / DRAWS) (W. Hoeffding, "Probability
inequalities for sums of bounded random variables", 1963), which here is 2 exp(-40), less than one
in 10**17. Fewer than 500 counts are checked, so a correct generator fails at most once in 10**14
times. The counts and the bounds are exact: nothing is rounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeVar

Cell = TypeVar('Cell')

DRAWS: Final = 2000
SLACK: Final = 200

SERVED: Final = 1 << 31
"""The largest size of a range that must be supported; a generator may refuse larger ones."""

FEW: Final = (2, 5, 7, 10, 16)
"""Sizes of ranges in which every number is counted."""

BITS: Final = range(63)
"""Ranges of 3 * 2**bits numbers, whose thirds are counted.

A generator that takes a word of `bits + 2` bits modulo the range draws from the first third half of
the time.
"""


def _off(counts: Counter[Cell], cells: Sequence[Cell]) -> tuple[Cell, int] | None:
    """Return a cell whose count is outside the bounds, with the count; all are equally likely."""
    for cell in cells:
        if abs(counts[cell] * len(cells) - DRAWS) >= SLACK * len(cells):
            return cell, counts[cell]
    return None


def _stream(generator: Any, count: int) -> Iterator[int]:
    """Yield numbers from 0 to below `count`."""
    while True:
        number, generator = generator.uniform(0, count - 1)
        yield number


def _drawn(generator: Any, count: int) -> list[int]:
    numbers, last = [], count - 1
    for _ in range(DRAWS):
        number, generator = generator.uniform(0, last)
        numbers.append(number)
    return numbers


def uneven_numbers(generator: Any) -> str | None:
    """Return which numbers of small or wide ranges are too frequent or too rare, in words."""
    for count in FEW:
        off = _off(Counter(_drawn(generator, count)), range(count))
        if off is not None:
            return f'{_share(off)} of {DRAWS} draws of uniform(0, {count - 1}) are {off[0]}'
    for bits in BITS:
        count = 3 << bits
        try:
            numbers = _drawn(generator, count)
        except ValueError:
            if count <= SERVED:
                raise
            return None
        off = _off(Counter(number >> bits for number in numbers), range(3))
        if off is not None:
            third = ('lowest', 'middle', 'highest')[off[0]]
            return (
                f'{_share(off)} of {DRAWS} draws of uniform(0, {count - 1}) lie in the {third} '
                'third'
            )
    return None


def _share(off: tuple[object, int]) -> str:
    return str(off[1]) if off[1] else 'none'


def uneven_pairs(generator: Any) -> str | None:
    """Return which pairs of consecutive draws are too frequent or too rare, in words."""
    for count in (2, 3):
        stream = _stream(generator, count)
        pairs = [(next(stream), next(stream)) for _ in range(DRAWS)]
        cells = [(one, two) for one in range(count) for two in range(count)]
        off = _off(Counter(pairs), cells)
        if off is not None:
            return (
                f'{_share(off)} of {DRAWS} pairs of draws of uniform(0, {count - 1}) are {off[0]}'
            )
    return None


def uneven_children(generator: Any) -> str | None:
    """Return the first draw that is too frequent or too rare among children, in words."""
    counts = Counter(generator.child(index).uniform(0, 2)[0] for index in range(DRAWS))
    off = _off(counts, range(3))
    if off is None:
        return None
    return f'the first draw of uniform(0, 2) is {off[0]} for {_share(off)} of {DRAWS} children'
