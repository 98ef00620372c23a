"""The engines in Python, each in one file to compare with the others (see `docs/engines.md`).

`persistent` copies paths, `monadic` does so in `State`, `inplace` mutates behind a pure interface;
`graph` has all three for searches in which equal states are one node, and `windows` runs those
with a network. `driver` runs any of them. Other rooms use the names below.
"""

from fmcts._engines import (
    batched as batched,
    graph as graph,
    inplace as inplace,
    monadic as monadic,
    persistent as persistent,
    windows as windows,
)
from fmcts._engines.batched import (
    Credited as Credited,
    answers as answers,
    batches_of as batches_of,
    credit as credit,
)
from fmcts._engines.chance import check_supported as check_supported
from fmcts._engines.driver import (
    Session as Session,
    drive as drive,
    facts_of as facts_of,
    is_decided as is_decided,
    steps_of as steps_of,
    with_draws as with_draws,
)
from fmcts._engines.expansion import room_left as room_left
from fmcts._engines.final import (
    PREFERENCES as PREFERENCES,
    choose as choose,
    preferred as preferred,
)
from fmcts._engines.inplace import freeze as freeze, thaw as thaw
from fmcts._engines.outcomes import (
    Found as Found,
    check_policy as check_policy,
    judge_of as judge_of,
    valued as valued,
)
from fmcts._engines.plan import Plan as Plan, fitted as fitted, plan_of as plan_of
from fmcts._engines.proposing import due_at as due_at, with_move as with_move
from fmcts._engines.returns import returns_of as returns_of
from fmcts._engines.selection import (
    all_excluded as all_excluded,
    compared as compared,
    judges as judges,
    name_of as name_of,
    not_a_number as not_a_number,
    reference_among as reference_among,
)
