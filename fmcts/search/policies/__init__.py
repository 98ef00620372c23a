"""Playout policies: how a playout chooses its moves; one file each.

`policy` defines the base class. A policy without parameters has a line in `POLICIES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from fmcts.rules import OnPositions
from fmcts.search.policies.by_bot import ByBot
from fmcts.search.policies.decisive import AntiDecisive, Decisive, Patient, Preferring
from fmcts.search.policies.mast import MAST, HighestMean
from fmcts.search.policies.mixture import Mixture, epsilon
from fmcts.search.policies.narrowing import Narrowing
from fmcts.search.policies.nst import NST
from fmcts.search.policies.policy import Policy, Uniform
from fmcts.search.policies.recalling import Recalling
from fmcts.search.policies.replies import LastGoodReply

__all__ = [
    'MAST',
    'NST',
    'POLICIES',
    'AntiDecisive',
    'ByBot',
    'Decisive',
    'HighestMean',
    'LastGoodReply',
    'Mixture',
    'Narrowing',
    'Patient',
    'Policy',
    'Preferring',
    'Recalling',
    'Uniform',
    'epsilon',
    'policy_of',
]

POLICIES: Final[Mapping[str, Policy]] = MappingProxyType(
    {
        'uniform': Uniform(),
        'decisive': Decisive(),
        'anti-decisive': AntiDecisive(),
        'patient': Patient(),
        'mast': MAST(),
        'nst': NST(),
        'last-good-reply': LastGoodReply(),
    }
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
