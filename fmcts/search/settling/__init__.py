"""Settling: how a search knows of a node that nothing is left to find out there; one file each.

`settling` says what it takes: a column that is kept at each node, and follows from its children's.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from fmcts.search.settling.bounds import BOUNDS
from fmcts.search.settling.closing import CLOSING
from fmcts.search.settling.settling import Settling
from fmcts.search.settling.solver import SOLVER, Proven

__all__ = ['BOUNDS', 'CLOSING', 'SETTLINGS', 'SOLVER', 'Proven', 'Settling']

SETTLINGS: Final[Mapping[str, Settling]] = MappingProxyType(
    {each.column: each for each in (SOLVER, BOUNDS, CLOSING)}
)
"""By the columns that they keep."""
