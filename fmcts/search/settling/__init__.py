"""Detecting resolved nodes (proven or fully explored); one file for each way.

`settling` defines the base class: a column stored at each node, computed from its children.
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
"""The ways to resolve nodes, by their columns."""
