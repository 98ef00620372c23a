"""Asking what a user wrote: an answer, or what it raised, as a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from attrs import frozen

from fmcts.arguments import cut
from fmcts.testing.laws.law import Law

__all__ = ['Raised', 'asked', 'broken', 'told']

Case = TypeVar('Case')

LONGEST = 200
"""How many characters of an error are told."""


@frozen
class Raised:
    """An error that stands where an answer would: its type and its text, on one line."""

    text: str


def told(error: BaseException) -> str:
    """An error on one line.

    >>> told(ValueError('no such' + chr(10) + 'move')), told(KeyError())
    ('ValueError: no such move', 'KeyError')
    """
    try:
        text = cut(str(error), LONGEST)
    except Exception:  # noqa: BLE001 - of any type, as errors may be anybody's
        text = ''
    return f'{type(error).__name__}: {text}' if text else type(error).__name__


def asked(function: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """What the function gives, or `Raised` where it raises, leaves or is left half done."""
    try:
        return function(*given, **named)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a user's function raises
        return Raised(told(error))


def broken(law: Law[Case], case: Case) -> str | None:
    """What breaks the law in this case, also by raising an error where it is looked at."""
    found = asked(law.found, case)
    return f'raised {found.text}' if isinstance(found, Raised) else found
