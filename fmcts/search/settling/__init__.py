"""Settling: how a search knows of a node that nothing is left to find out there; one file each.

`settling` says what it takes: a column that is kept at each node, and follows from its children's.
"""

from __future__ import annotations

from fmcts.search.settling.closing import CLOSING
from fmcts.search.settling.settling import Settling
from fmcts.search.settling.solver import SOLVER, Proof

__all__ = ['CLOSING', 'SOLVER', 'Proof', 'Settling']
