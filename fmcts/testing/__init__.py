"""Help for testing games, the user's own too. It needs hypothesis, which nothing else loads."""

from __future__ import annotations

from fmcts.testing.strategies import positions

__all__ = ['positions']
