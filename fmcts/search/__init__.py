"""Descriptions of searches and trees, as values; nothing here runs a search.

`_description` has `Search`; `methods` choose moves, `policies` play out, `resolution` proves nodes
or closes them, `schedules` divide iterations among the moves of the root. `_columns`, `derived` and
`memory` are the statistics that a search keeps: of each child, computed from children, and by move.
`_tree` has the frozen nodes, `_analysis` the result, `_digest` its name. The engines are in
`fmcts._engines` and `fmcts._linked`; `fmcts._running` chooses among them.
"""

from fmcts.search._analysis import Analysis, MoveStats
from fmcts.search._as_json import SCHEMA
from fmcts.search._combinations import COMBINATIONS
from fmcts.search._description import Search
from fmcts.search._tree import Node, plant, principal_variation, reroot, walk
from fmcts.search._watch import STOP, Watch

__all__ = [
    'COMBINATIONS',
    'SCHEMA',
    'STOP',
    'Analysis',
    'MoveStats',
    'Node',
    'Search',
    'Watch',
    'plant',
    'principal_variation',
    'reroot',
    'walk',
]
