"""The engines in Python, each in one file to compare with the others (see `docs/engines.md`).

`persistent` copies paths, `monadic` does so in `State`, `inplace` mutates behind a pure interface;
`graph` has all three for searches in which equal states are one node, and `batched` for those with
a network. `driver` runs any of them. Other rooms use the names below, and the engines themselves.
"""

from fmcts._engines.chance import check_supported
from fmcts._engines.driver import Session, drive, is_decided
from fmcts._engines.expansion import room_left
from fmcts._engines.final import PREFERENCES, choose, preferred
from fmcts._engines.outcomes import Found, check_policy, valued
from fmcts._engines.plan import Plan, fitted, plan_of
from fmcts._engines.selection import (
    all_excluded,
    edges_of,
    judges,
    name_of,
    not_a_number,
    parent_of,
    reference_among,
    scores_together,
)
from fmcts._engines.steps import facts_of, steps_of, with_draws

__all__ = [
    'PREFERENCES',
    'Found',
    'Plan',
    'Session',
    'all_excluded',
    'check_policy',
    'check_supported',
    'choose',
    'drive',
    'edges_of',
    'facts_of',
    'fitted',
    'is_decided',
    'judges',
    'name_of',
    'not_a_number',
    'parent_of',
    'plan_of',
    'preferred',
    'reference_among',
    'room_left',
    'scores_together',
    'steps_of',
    'valued',
    'with_draws',
]
