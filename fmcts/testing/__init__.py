"""Help for testing games, the user's own too. It needs hypothesis, which nothing else loads."""

from __future__ import annotations

from fmcts.testing.strategies import generators, positions, searches, words

__all__ = ['generators', 'positions', 'searches', 'words']
