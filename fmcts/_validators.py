"""Validators of attrs fields: one line that names the field, the value and what is accepted."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, SupportsIndex, TypeAlias

from attrs import Attribute

from fmcts._arguments import as_number, as_whole, did_you_mean, shown, whole_number

LARGEST: Final = 1e300

Validator: TypeAlias = Callable[[Any, 'Attribute[Any]', Any], None]


def positive_count(_instance: object, attribute: Attribute[Any], value: object) -> None:
    """Accept a whole number of at least 1.

    :raises ValueError: anything else.
    """
    whole_number(attribute.name, value)


def count_from_zero(_instance: object, attribute: Attribute[Any], value: object) -> None:
    """Accept a whole number of at least 0.

    :raises ValueError: anything else.
    """
    whole_number(attribute.name, value, least=0)


def as_count(value: SupportsIndex | None) -> object:
    """Convert whole numbers to integers; leave anything else for a validator."""
    return as_whole(value)


def as_float(value: object) -> object:
    """Convert numbers to floats; leave anything else for a validator."""
    number = as_number(value)
    if not isinstance(number, int) or isinstance(number, bool):
        return number
    if abs(number) <= LARGEST:
        return float(number)
    return math.inf if number > 0 else -math.inf


def finite(_instance: object, attribute: Attribute[Any], value: object) -> None:
    """Accept a finite float of at least 0, small enough that no score becomes infinite.

    :raises ValueError: anything else.
    """
    if not isinstance(value, float) or not math.isfinite(value) or value < 0:
        raise ValueError(
            f'{attribute.name} must be a finite number of at least 0, not {shown(value)}'
        )
    if value > LARGEST:
        raise ValueError(f'{attribute.name} must be at most {LARGEST:g}, not {shown(value)}')


def a_function(_instance: object, attribute: Attribute[Any], value: object) -> None:
    """Accept what can be called.

    :raises ValueError: anything else.
    """
    if not callable(value):
        raise ValueError(f'{attribute.name} must be a function, not {shown(value)}')  # noqa: TRY004 - as every other option


def switch(_instance: object, attribute: Attribute[Any], value: object) -> None:
    """Accept `True` and `False`.

    :raises ValueError: anything else.
    """
    if not isinstance(value, bool):
        raise ValueError(  # noqa: TRY004 - as every other option
            f'{attribute.name} must be True or False, not {shown(value)}'
        )


def share(_instance: object, attribute: Attribute[Any], value: object) -> None:
    """Accept a float from 0 to 1.

    :raises ValueError: anything else.
    """
    if not isinstance(value, float) or not 0 <= value <= 1:
        raise ValueError(f'{attribute.name} must be a number from 0 to 1, not {shown(value)}')


def positive_share(_instance: object, attribute: Attribute[Any], value: object) -> None:
    """Accept a float above 0, up to 1.

    :raises ValueError: anything else.
    """
    if not isinstance(value, float) or not 0 < value <= 1:
        raise ValueError(f'{attribute.name} must be a number above 0, up to 1, not {shown(value)}')


def one_of(*accepted: str) -> Validator:
    """Return a validator that accepts these words.

    :raises ValueError: (the validator) anything else.
    """

    def validate(_instance: object, attribute: Attribute[Any], value: object) -> None:
        if not isinstance(value, str) or value not in accepted:
            raise ValueError(
                f'{attribute.name} must be one of {", ".join(accepted)}, '
                f'not {shown(value)}{did_you_mean(value, accepted)}'
            )

    return validate
