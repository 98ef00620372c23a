"""Call users' code and return its result, or the error that it raised, as a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from fmcts.testing._laws.law import raised


@frozen
class Raised:
    """An error that replaces a result: a text with its type and message."""

    text: str


def asked(function: Callable[..., Any], *given: Any) -> Any:
    """Return the result of `function(*given)`, or `Raised` if it raises an error or exits.

    >>> asked(int, '7'), asked(int, 'seven')
    (7, Raised(text="raised ValueError: invalid literal for int() with base 10: 'seven'"))
    """
    try:
        return function(*given)
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a user's function raises
        return Raised(raised(error))
