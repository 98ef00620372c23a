"""Help for testing games and searches, the user's own too.

It needs hypothesis, which nothing else loads.
"""

from __future__ import annotations

from fmcts.testing.grammar import Formula
from fmcts.testing.laws import Breach, Law, Passed, check_bot
from fmcts.testing.strategies import formulas, generators, positions, searches, words

__all__ = [
    'Breach',
    'Formula',
    'Law',
    'Passed',
    'check_bot',
    'formulas',
    'generators',
    'positions',
    'searches',
    'words',
]
