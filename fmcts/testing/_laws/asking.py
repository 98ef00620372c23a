"""Asking what a user wrote: an answer, or what it raised, as a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from fmcts.testing._laws.law import raised

__all__ = ['Raised', 'asked']


@frozen
class Raised:
    """An error that stands where an answer would, in words: its type and its text."""

    text: str


def asked(function: Callable[..., Any], *given: Any) -> Any:
    """What the function gives, or `Raised` where it raises an error or leaves.

    >>> asked(int, '7'), asked(int, 'seven')
    (7, Raised(text="raised ValueError: invalid literal for int() with base 10: 'seven'"))
    """
    try:
        return function(*given)
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a user's function raises
        return Raised(raised(error))
