"""The complaints about numbers that generators cannot be made of."""

from __future__ import annotations

from typing import Any

from attrs import Attribute

WORDS = 1 << 64


def whole(value: object, name: str) -> int:
    """`value` when it is an integer (bool is not).

    :raises TypeError: anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f'{name} must be an integer, not {value!r}')
    return value


def check_word(_instance: object, attribute: Attribute[Any], value: int) -> None:
    """An attrs validator: a 64-bit unsigned integer.

    :raises ValueError: an integer outside 0 .. 2**64 - 1.
    """
    if not 0 <= whole(value, attribute.name) < WORDS:
        raise ValueError(f'{attribute.name} must lie in 0 .. 2**64 - 1, not {value}')


def check_seed(seed: int) -> int:
    """The seed as 64 unsigned bits.

    :raises ValueError: a seed outside -2**63 .. 2**64 - 1.
    """
    if not -(WORDS >> 1) <= whole(seed, 'a seed') < WORDS:
        raise ValueError(f'a seed must lie in -2**63 .. 2**64 - 1, not {seed}')
    return seed % WORDS


def check_index(index: int) -> int:
    """The index of a child generator.

    :raises ValueError: an index outside 0 .. 2**64 - 1.
    """
    if not 0 <= whole(index, 'the index of a child') < WORDS:
        raise ValueError(f'the index of a child must lie in 0 .. 2**64 - 1, not {index}')
    return index
