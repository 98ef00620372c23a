"""Running a search: the choice of the engine, limits of time, and the caller's result.

`entry_points` has `analyse`, `trees` and `playouts`, `timed` has `analyse_for`, `registry` has the
engines, `automatic` says when machine code pays, `rounds` and `merging` join parallel searches.
Other rooms use the names below.
"""

from fmcts._linked import by_machine_code
from fmcts._running.automatic import Automatic, prepare, warn_of_rules
from fmcts._running.entry_points import (
    agreement,
    analyse,
    check_call,
    check_unscheduled,
    found_by,
    moves_by_seeds,
    playouts,
    root_to_search,
    trees,
)
from fmcts._running.merging import merged
from fmcts._running.registry import ENGINES, check_engine, find_engine, known_engine, look_at
from fmcts._running.rounds import Each, grow_in_rounds, lacks_rounds
from fmcts._running.timed import analyse_for, check_seconds

__all__ = [
    'ENGINES',
    'Automatic',
    'Each',
    'agreement',
    'analyse',
    'analyse_for',
    'by_machine_code',
    'check_call',
    'check_engine',
    'check_seconds',
    'check_unscheduled',
    'find_engine',
    'found_by',
    'grow_in_rounds',
    'known_engine',
    'lacks_rounds',
    'look_at',
    'merged',
    'moves_by_seeds',
    'playouts',
    'prepare',
    'root_to_search',
    'trees',
    'warn_of_rules',
]
