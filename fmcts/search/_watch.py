"""What a search tells while it works, and how it is told to end."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Final, TypeAlias

__all__ = ['STOP', 'Watch', 'ignore']


class Ending(enum.Enum):
    """The one answer to a search that means something; `STOP` is it."""

    STOP = 'stop'

    def __repr__(self) -> str:
        return self.name


STOP: Final = Ending.STOP
"""What a watch returns to end the search; anything else that it returns is not looked at."""

Watch: TypeAlias = Callable[[int], object]
"""Told how many iterations are done: first 0, then some fifty times a second, and at the end. When
it returns `STOP`, the search ends with what was done, though not before its first iteration."""


def ignore(_done: int) -> None:
    """Watch nothing."""
