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


def must_be(accepted: str, accepts: Callable[[Any], bool]) -> Validator:
    """Return a validator of what a function `accepts`; errors say what is `accepted`.

    :raises ValueError: (the validator) anything else.
    """

    def validate(_instance: object, attribute: Attribute[Any], value: object) -> None:
        if not accepts(value):
            raise ValueError(f'{attribute.name} must be {accepted}, not {shown(value)}')

    return validate


a_function: Final = must_be('a function', callable)
switch: Final = must_be('True or False', lambda value: isinstance(value, bool))
share: Final = must_be(
    'a number from 0 to 1', lambda value: isinstance(value, float) and 0 <= value <= 1
)
positive_share: Final = must_be(
    'a number above 0, up to 1', lambda value: isinstance(value, float) and 0 < value <= 1
)


def one_of(
    *accepted: str, more: str = '', accepts: Callable[[Any], bool] | None = None
) -> Validator:
    """Return a validator of these words, and of what a function `accepts`, which `more` says.

    :raises ValueError: (the validator) anything else.
    """

    def validate(_instance: object, attribute: Attribute[Any], value: object) -> None:
        if value in accepted if isinstance(value, str) else accepts and accepts(value):
            return
        raise ValueError(
            f'{attribute.name} must be one of {", ".join(accepted)}{more}, '
            f'not {shown(value)}{did_you_mean(value, accepted)}'
        )

    return validate
