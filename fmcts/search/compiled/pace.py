"""How much compiled code does before Python looks around again."""

from __future__ import annotations

from typing import Final

from attrs import define

__all__ = ['Pace']

CHUNK: Final = 0.02  # seconds: no delay that a person would notice, at no cost


@define
class Pace:
    """The size of the next chunk, found by the clock; what is found in it does not depend on it."""

    size: int = 100

    def after(self, seconds: float) -> None:
        """Adapt to how long the last chunk took; not by leaps, as clocks are coarse."""
        wanted = self.size * CHUNK / max(seconds, 1e-6)
        self.size = int(min(max(wanted, self.size / 8, 1), self.size * 8))
