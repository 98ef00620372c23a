"""Checks of the numbers passed to generators."""

from __future__ import annotations

from typing import Any

from attrs import Attribute

from fmcts._arguments import as_whole, shown

WORDS = 1 << 64


def whole(value: object, name: str) -> int:
    """Return `value` as a plain `int` if it is an integer; a `bool` is not.

    :raises TypeError: anything else.
    """
    number = plain(value)
    if isinstance(number, bool) or not isinstance(number, int):
        raise TypeError(f'{name} must be an integer, not {shown(value)}')
    return number


def plain(value: object) -> object:
    """Convert integers of a subclass or of another library to plain `int`; leave anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return int.__int__(value)
    return as_whole(value)


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


def check_word(_instance: object, attribute: Attribute[Any], value: int) -> None:
    """Validate a 64-bit unsigned integer, for attrs.

    :raises ValueError: the integer is outside 0 .. 2**64 - 1.
    """
    if not 0 <= whole(value, attribute.name) < WORDS:
        raise ValueError(f'{attribute.name} must lie in 0 .. 2**64 - 1, not {shown(value)}')


def check_seed(seed: int) -> int:
    """Return the seed as 64 unsigned bits.

    :raises ValueError: the seed is outside -2**63 .. 2**64 - 1.
    """
    seed = whole(seed, 'a seed')
    if not -(WORDS >> 1) <= seed < WORDS:
        raise ValueError(f'a seed must lie in -2**63 .. 2**64 - 1, not {shown(seed)}')
    return seed % WORDS


def check_index(index: int) -> int:
    """Return the index of a child generator, checked.

    :raises ValueError: the index is outside 0 .. 2**64 - 1.
    """
    index = whole(index, 'the index of a child')
    if not 0 <= index < WORDS:
        raise ValueError(f'the index of a child must lie in 0 .. 2**64 - 1, not {shown(index)}')
    return index
