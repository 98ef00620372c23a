"""The names of the rules by which a graph is backed up."""

from __future__ import annotations

from typing import Literal, TypeAlias

__all__ = ['Transpositions']

Transpositions: TypeAlias = Literal['sound', 'naive']
"""See `fmcts._engines.graph`."""
