"""Selection methods: how a search chooses among moves, and its statistics; one file each.

`method` defines the base class. CONTRIBUTING.md lists the steps to add a method.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from fmcts.search.methods.amaf import AMAF
from fmcts.search.methods.baeldung import Baeldung
from fmcts.search.methods.bayes import BayesUCT1, BayesUCT2
from fmcts.search.methods.bias import ProgressiveBias
from fmcts.search.methods.first_play import FirstPlay
from fmcts.search.methods.grave import GRAVE
from fmcts.search.methods.gumbel import Gumbel
from fmcts.search.methods.implicit_minimax import ImplicitMinimax
from fmcts.search.methods.method import Edge, Method, Own, Parent, ParentNumbers
from fmcts.search.methods.power_mean import PowerMean
from fmcts.search.methods.puct import PUCT
from fmcts.search.methods.puct_reduced import ReducedPUCT
from fmcts.search.methods.rave import RAVE
from fmcts.search.methods.rave_silver import RaveSilver
from fmcts.search.methods.rule import Rule
from fmcts.search.methods.tuned import UCB1Tuned
from fmcts.search.methods.ucb1 import UCB1
from fmcts.search.methods.ucbv import UCBV
from fmcts.search.methods.uct import UCT
from fmcts.search.methods.widening import Widening

__all__ = [
    'AMAF',
    'GRAVE',
    'METHODS',
    'PUCT',
    'RAVE',
    'UCB1',
    'UCBV',
    'UCT',
    'Baeldung',
    'BayesUCT1',
    'BayesUCT2',
    'Edge',
    'FirstPlay',
    'Gumbel',
    'ImplicitMinimax',
    'Method',
    'Own',
    'Parent',
    'ParentNumbers',
    'PowerMean',
    'ProgressiveBias',
    'RaveSilver',
    'ReducedPUCT',
    'Rule',
    'UCB1Tuned',
    'Widening',
]

METHODS: Final[Mapping[str, type[Method]]] = MappingProxyType(
    {
        'ucb1': UCB1,
        'ucb1-tuned': UCB1Tuned,
        'ucb-v': UCBV,
        'ucb1-fpu': FirstPlay,
        'puct': PUCT,
        'puct-reduced': ReducedPUCT,
        'progressive-bias': ProgressiveBias,
        'widening': Widening,
        'amaf': AMAF,
        'rave': RAVE,
        'rave-silver': RaveSilver,
        'grave': GRAVE,
        'implicit-minimax': ImplicitMinimax,
        'power-mean': PowerMean,
        'bayes-uct1': BayesUCT1,
        'bayes-uct2': BayesUCT2,
        'uct': UCT,
        'baeldung': Baeldung,
    }
)
"""The methods by the names that `Search.selection` accepts; `Gumbel` is given as a value."""
