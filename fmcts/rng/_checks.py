"""Checks of the numbers passed to generators."""

from __future__ import annotations

from typing import Any, Final

from attrs import Attribute

from fmcts._arguments import as_whole, shown

WORDS: Final = 1 << 64
MASK64: Final = WORDS - 1
BOUNDS: Final = {MASK64: '2**64 - 1', -(WORDS >> 1): '-2**63'}  # as messages write them


def whole(value: object, name: str) -> int:
    """Return `value` as a plain `int` if it is an integer, of any class; a `bool` is not.

    :raises TypeError: anything else.
    """
    number = as_whole(value)
    if isinstance(number, bool) or not isinstance(number, int):
        raise TypeError(f'{name} must be an integer, not {shown(value)}')
    return number


def within(value: object, name: str, lowest: int, highest: int) -> int:
    """Return `value`, which is called `name`, if it is an integer from `lowest` to `highest`.

    :raises TypeError: it is not an integer.
    :raises ValueError: it is out of range.
    """
    number = whole(value, name)
    if not lowest <= number <= highest:
        low, high = (BOUNDS.get(bound, bound) for bound in (lowest, highest))
        raise ValueError(f'{name} must lie in {low} .. {high}, not {shown(number)}')
    return number


def check_word(_instance: object, attribute: Attribute[Any], value: int) -> None:
    """Validate a 64-bit unsigned integer, for attrs."""
    within(value, attribute.name, 0, MASK64)


def check_seed(seed: int) -> int:
    """Return the seed as 64 unsigned bits.

    :raises ValueError: the seed is outside -2**63 .. 2**64 - 1.
    """
    return within(seed, 'a seed', -(WORDS >> 1), MASK64) % WORDS


def check_index(index: int) -> int:
    """Return the index of a child generator, if it has 64 bits."""
    return within(index, 'the index of a child', 0, MASK64)


def check_count(count: object, highest: int | None = None) -> int:
    """Return the number of things to draw from, checked: from 1 to `highest`, if that is given.

    :raises TypeError: it is not an integer.
    :raises ValueError: it is out of range.
    """
    number = whole(count, 'the count of a draw')
    if number < 1 or (highest is not None and number > highest):
        upper = '' if highest is None else f' and at most {highest}'
        raise ValueError(f'the count of a draw must be at least 1{upper}, not {shown(number)}')
    return number


def span_of(low: object, high: object) -> tuple[int, int]:
    """Return the lower of two bounds, given in either order, and the distance to the other.

    :raises TypeError: a bound is not an integer.
    """
    one, two = whole(low, 'the bound of a range'), whole(high, 'the bound of a range')
    return (one, two - one) if one <= two else (two, one - two)
