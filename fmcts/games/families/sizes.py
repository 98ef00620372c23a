"""What all families need of sizes: whether they are good, and positions made for them."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from typing import Any, Final

from fmcts.arguments import shown

__all__ = ['between', 'integers']

MAKE: Final[Any] = collections.namedtuple  # noqa: PYI024 - mypy wants fields written out


def integers(name: str, *fields: Sequence[str]) -> Any:
    """The class `name` of named tuples with these fields, so many of each as its sequence names.

    >>> integers('Position', ('x0', 'x1'), ['turn'])(1, 2, turn=0)
    Position(x0=1, x1=2, turn=0)
    """
    return MAKE(name, [field for several in fields for field in several])


def between(what: str, given: object, least: int, most: int) -> None:
    """Nothing, when `given` is a whole number from `least` to `most`.

    :raises ValueError: it is something else.
    """
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise ValueError(f'{what}: expected {least} to {most}, not {shown(given)}')
