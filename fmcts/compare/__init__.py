"""Comparisons of designs: whether they agree to the bit on one search, and what each costs.

In reading order: `difference` (where two designs differ: pure functions of trees), `measure` (time,
memory and objects: the effects), `designs` (both together).
"""

from fmcts.compare._designs import Comparison, Design, Refusal, compare_designs
from fmcts.compare._difference import Difference, Engine, Parting, parting

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
