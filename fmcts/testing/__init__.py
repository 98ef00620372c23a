"""Help for testing games and searches, the user's own too.

It needs hypothesis, which nothing else loads.
"""

from __future__ import annotations

from fmcts.testing.grammar import Formula
from fmcts.testing.strategies import formulas, generators, positions, searches, words

__all__ = ['Formula', 'formulas', 'generators', 'positions', 'searches', 'words']
