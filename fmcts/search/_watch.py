"""The function that watches a search, and the value with which it ends the search."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Final, TypeAlias


class Ending(enum.Enum):
    """The type of `STOP`."""

    STOP = 'stop'

    def __repr__(self) -> str:
        return self.name


STOP: Final = Ending.STOP
"""The value that a watch returns to end the search; any other value is ignored."""

Watch: TypeAlias = Callable[[int], object]
"""A function that receives the number of iterations done: first 0, then about fifty times a second,
and at the end. If it returns `STOP`, the search ends, though not before its first iteration.
"""


def ignore(_done: int) -> None:
    """Ignore the progress."""
