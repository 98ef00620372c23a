"""The engines in Python, each in one file to compare with the others (see `docs/engines.md`).

`persistent` copies paths, `monadic` does so in `State`, `inplace` mutates behind a pure interface;
`graph` has all three for searches in which equal states are one node, and `windows` runs those
with a network. `driver` runs any of them. Other rooms use the names below.
"""

from fmcts._engines import batched, chance, graph, inplace, monadic, persistent, windows
from fmcts._engines.batched import Credited, answers, batches_of, credit
from fmcts._engines.chance import check_supported
from fmcts._engines.driver import Session, drive, facts_of, is_decided, steps_of, with_draws
from fmcts._engines.expansion import room_left
from fmcts._engines.final import PREFERENCES, choose, preferred
from fmcts._engines.inplace import freeze, thaw
from fmcts._engines.outcomes import Found, check_policy, judge_of, valued
from fmcts._engines.plan import Plan, fitted, plan_of
from fmcts._engines.proposing import due_at, with_move
from fmcts._engines.returns import returns_of
from fmcts._engines.selection import (
    all_excluded,
    compared,
    judges,
    name_of,
    not_a_number,
    reference_among,
)

__all__ = [
    'PREFERENCES',
    'Credited',
    'Found',
    'Plan',
    'Session',
    'all_excluded',
    'answers',
    'batched',
    'batches_of',
    'chance',
    'check_policy',
    'check_supported',
    'choose',
    'compared',
    'credit',
    'drive',
    'due_at',
    'facts_of',
    'fitted',
    'freeze',
    'graph',
    'inplace',
    'is_decided',
    'judge_of',
    'judges',
    'monadic',
    'name_of',
    'not_a_number',
    'persistent',
    'plan_of',
    'preferred',
    'reference_among',
    'returns_of',
    'room_left',
    'steps_of',
    'thaw',
    'valued',
    'windows',
    'with_draws',
    'with_move',
]
