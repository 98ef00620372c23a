"""Descriptions of searches and trees, as values; nothing here runs a search.

`_description` has `Search`; `methods` choose moves, `policies` play out, `resolution` proves nodes
or closes them, `schedules` divide iterations among the moves of the root. `_columns`, `derived` and
`memory` are the statistics that a search keeps: of each child, computed from children, and by move.
`_tree` has the frozen nodes, `_analysis` the result, `_digest` its name. The engines are in
`fmcts._engines` and `fmcts._linked`; `fmcts._running` chooses among them. What is imported here
`as` itself is for other rooms of the library.
"""

from fmcts.search import _digest
from fmcts.search._analysis import (
    Analysis,
    MoveStats,
    stats_along as stats_along,
    stats_of as stats_of,
)
from fmcts.search._as_json import SCHEMA
from fmcts.search._columns import (
    NO_COLUMNS as NO_COLUMNS,
    ColumnNames as ColumnNames,
    Columns as Columns,
)
from fmcts.search._combinations import COMBINATIONS
from fmcts.search._description import (
    Expansion as Expansion,
    FinalChoice as FinalChoice,
    Search,
    Selection as Selection,
    Transpositions as Transpositions,
    check_search as check_search,
)
from fmcts.search._digest import digest as digest
from fmcts.search._functions import checked_numbers as checked_numbers, numbers_of as numbers_of
from fmcts.search._tree import (
    HasTree as HasTree,
    MutableNode as MutableNode,
    Node,
    OnDemandDraft as OnDemandDraft,
    OnDemandNode as OnDemandNode,
    candidates as candidates,
    freeze_in_place as freeze_in_place,
    on_demand_node as on_demand_node,
    paired_children as paired_children,
    plant,
    principal_variation,
    reroot,
    root_of as root_of,
    tree_of_rows as tree_of_rows,
    walk,
)
from fmcts.search._watch import (
    STOP,
    ChunkSize as ChunkSize,
    Watch,
    adapted as adapted,
    chunks as chunks,
    chunks_by_count as chunks_by_count,
    ignore as ignore,
)

digests = _digest
"""The serialisation that a digest hashes, for those who write it row by row."""

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
