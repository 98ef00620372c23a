"""Detecting resolved nodes: fully explored (`resolution`) or proven (`solver`).

Each way has a column stored at each node, computed from its children.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from fmcts.search.resolution.resolution import CLOSING, Resolution
from fmcts.search.resolution.solver import BOUNDS, EXACT, SOLVER, Proven

__all__ = ['BOUNDS', 'CLOSING', 'EXACT', 'RESOLUTIONS', 'SOLVER', 'Proven', 'Resolution']

RESOLUTIONS: Final[Mapping[str, Resolution]] = MappingProxyType(
    {each.column: each for each in (SOLVER, BOUNDS, EXACT, CLOSING)}
)
"""The ways to resolve nodes, by their columns."""
