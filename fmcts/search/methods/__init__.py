"""Methods: how a search chooses among moves, and what it remembers for that; one file each.

`method` says what a method is; adding one touches its own file, its line in `METHODS` and its test.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from fmcts.search.methods.amaf import AMAF
from fmcts.search.methods.baeldung import Baeldung
from fmcts.search.methods.method import Edge, Method, Parent
from fmcts.search.methods.puct import PUCT
from fmcts.search.methods.rule import Rule
from fmcts.search.methods.tuned import UCB1Tuned
from fmcts.search.methods.ucb1 import UCB1
from fmcts.search.methods.uct import UCT

__all__ = [
    'AMAF',
    'METHODS',
    'PUCT',
    'UCB1',
    'UCT',
    'Baeldung',
    'Edge',
    'Method',
    'Parent',
    'Rule',
    'UCB1Tuned',
]

METHODS: Final[Mapping[str, type[Method]]] = MappingProxyType(
    {
        'ucb1': UCB1,
        'ucb1-tuned': UCB1Tuned,
        'puct': PUCT,
        'amaf': AMAF,
        'uct': UCT,
        'baeldung': Baeldung,
    }
)
"""By the names that `Search.selection` takes."""
