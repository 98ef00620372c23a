"""What an engine tells while it works, for progress bars."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

Watch: TypeAlias = Callable[[int], None]
"""Told now and then how many iterations are done; what it returns is not looked at."""

BATCH: Final = 100
"""Iterations that an interpreted engine makes between two tellings."""


def ignore(_done: int) -> None:
    """Watch nothing."""
