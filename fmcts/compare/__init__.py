"""Comparisons of designs: whether they agree to the bit on one search, and what each costs."""

from fmcts.compare._designs import (
    Comparison,
    Design,
    Difference,
    Engine,
    Refusal,
    compare_designs,
    find_engines as find_engines,
)
from fmcts.compare._difference import Parting, parting

__all__ = [
    'Comparison',
    'Design',
    'Difference',
    'Engine',
    'Parting',
    'Refusal',
    'compare_designs',
    'parting',
]
