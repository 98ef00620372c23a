"""Searches with a network: descents are collected until a batch is full, and judged by one call.

A descent leaves a virtual loss on its way, a visit without reward for who moved to each node, so
that the next descent takes another (G. Chaslot, M. Winands and J. van den Herik, "Parallel
Monte-Carlo tree search", 2008). A batch ends when it has `Search.batch` descents, when the visits
of the root become a multiple of that number, or when a descent meets a node that is waiting for the
network already; that descent is dropped. Then the losses are taken back, the network is called
once, and the descents are backed up in their order. With a batch of 1 it is the search with
`prior` and `evaluate`.

In reading order: `waiting` (the nodes that wait, and the network's answers), `persistent`,
`monadic` and `inplace` (the engines, which differ in how a loss is written and taken back).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fmcts._engines.driver import Session
    from fmcts.search._description import Search
    from fmcts.search._tree import Node


def begin(engine: str, root: Node, rng: Any, search: Search) -> Session:
    """Return the search of that root by the engine of that name, before its first iteration."""
    module = importlib.import_module(f'{__name__}.{engine}')
    return module.begin(root, rng, search)  # type: ignore[no-any-return]
