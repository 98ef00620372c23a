"""Playout policies: how a playout chooses its moves.

`policy` defines the base class. CONTRIBUTING.md lists the steps to add a policy.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from fmcts._declared import named
from fmcts.rules import OnPositions

# `POLICIES` lists those with a name in this order, and then those in other files of this folder.
# isort: off
from fmcts.search.policies.policy import ByBot as ByBot, Policy as Policy, Uniform as Uniform
from fmcts.search.policies.decisive import Decisive as Decisive, AntiDecisive as AntiDecisive
from fmcts.search.policies.decisive import Patient as Patient, Preferring as Preferring
from fmcts.search.policies.means import MAST as MAST, NST as NST, HighestMean as HighestMean
from fmcts.search.policies.replies import LastGoodReply as LastGoodReply
from fmcts.search.policies.mixture import Mixture as Mixture, epsilon as epsilon
from fmcts.search.policies.narrowing import Narrowing as Narrowing
from fmcts.search.policies.recalling import Recalling as Recalling

POLICIES: Final[Mapping[str, Policy]] = MappingProxyType(
    {name: kind() for name, kind in named(globals(), Policy).items()}
)
"""The policies by the names that `Search.playout` accepts."""


def policy_of(given: Any) -> Policy:
    """Return the policy for a name or a user's function; a policy itself unchanged."""
    if isinstance(given, Policy):
        return given
    if isinstance(given, str):
        return POLICIES[given]
    if isinstance(given, OnPositions) or callable(given):
        return Narrowing(given)
    raise TypeError(f'{given!r} is not a playout policy')
