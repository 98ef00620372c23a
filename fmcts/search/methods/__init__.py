"""Selection methods: how a search chooses among moves, and its statistics; a file for each family.

`method` defines the base class. CONTRIBUTING.md lists the steps to add a method.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from fmcts._declared import named

# `METHODS` lists those with a name in this order, and then those in other files of this folder.
# isort: off
from fmcts.search.methods.method import Edge as Edge, Method as Method, Own as Own, Rule as Rule
from fmcts.search.methods.method import Parent as Parent
from fmcts.search.methods.gumbel import Gumbel as Gumbel
from fmcts.search.methods.ucb1 import UCB1 as UCB1, UCB1Tuned as UCB1Tuned, UCBV as UCBV
from fmcts.search.methods.ucb1 import FirstPlay as FirstPlay
from fmcts.search.methods.priors import PUCT as PUCT, ReducedPUCT as ReducedPUCT
from fmcts.search.methods.priors import ProgressiveBias as ProgressiveBias, Widening as Widening
from fmcts.search.methods.amaf import AMAF as AMAF, RAVE as RAVE, RaveSilver as RaveSilver
from fmcts.search.methods.amaf import GRAVE as GRAVE
from fmcts.search.methods.implicit_minimax import ImplicitMinimax as ImplicitMinimax
from fmcts.search.methods.power_mean import PowerMean as PowerMean
from fmcts.search.methods.bayes import BayesUCT1 as BayesUCT1, BayesUCT2 as BayesUCT2
from fmcts.search.methods.ucb1 import UCT as UCT
from fmcts.search.methods.baeldung import Baeldung as Baeldung

METHODS: Final[Mapping[str, type[Method]]] = MappingProxyType(named(globals(), Method))
"""The methods by the names that `Search.selection` accepts; `Gumbel` is given as a value."""
