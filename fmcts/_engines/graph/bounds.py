"""Values that are constant during a search in a graph, for every design."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from fmcts._engines.expansion import LIMITLESS
from fmcts._engines.graph.verbs import chooser
from fmcts._engines.plan import Plan, fresh_of, plan_of
from fmcts._engines.selection import chooser_of
from fmcts.search._columns import Columns
from fmcts.search._description import Search
from fmcts.search._tree import Node


@frozen
class Bounds:
    """The values that are constant during a search."""

    plan: Plan
    fresh: Callable[[Any, Sequence[Any]], Columns] | None
    limit: float


def bounds_of(root: Node, search: Search) -> Bounds:
    """Return the values that are constant during this search."""
    limit = LIMITLESS if search.max_nodes is None else search.max_nodes
    choose = chooser(chooser_of(search.method, search.resolution))
    return Bounds(plan_of(search, root.state, choose=choose), fresh_of(search), limit)
