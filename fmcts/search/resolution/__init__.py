"""Detecting resolved nodes (proven or fully explored); one file for each way.

`resolution` defines the base class: a column stored at each node, computed from its children.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from fmcts.search.resolution.bounds import BOUNDS
from fmcts.search.resolution.closing import CLOSING
from fmcts.search.resolution.exact import EXACT
from fmcts.search.resolution.resolution import Resolution
from fmcts.search.resolution.solver import SOLVER, Proven

__all__ = ['BOUNDS', 'CLOSING', 'EXACT', 'RESOLUTIONS', 'SOLVER', 'Proven', 'Resolution']

RESOLUTIONS: Final[Mapping[str, Resolution]] = MappingProxyType(
    {each.column: each for each in (SOLVER, BOUNDS, EXACT, CLOSING)}
)
"""The ways to resolve nodes, by their columns."""
