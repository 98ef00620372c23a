"""Two versions of a tree: the path between them, and the nodes that only the later one has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fmcts.search._tree import Node, pairs

Moves = tuple[Any, ...]
"""The moves from the root to a node."""


def descent(before: Node | None, after: Node) -> Iterator[tuple[Node | None, Node]]:
    """Yield the nodes that one iteration visited, from the root down, as they were and as they are.

    A node that the iteration made was `None`.
    """
    was = before
    while True:
        yield was, after
        for old, child in pairs(was, after):
            if child is not old and child.visits > (old.visits if old else 0):
                was, after = old, child
                break
        else:
            return


def new_nodes(before: Node | None, after: Node) -> Iterator[tuple[Moves, Node]]:
    """Yield the nodes that only the later version has, in preorder.

    Each comes with the moves that lead to it. Shared parts are skipped.
    """
    waiting: list[tuple[Moves, Node | None, Node]] = [((), before, after)]
    while waiting:
        line, was, node = waiting.pop()
        if was is node:
            continue
        if was is None:
            yield line, node
        both = [((*line, child.move), old, child) for old, child in pairs(was, node)]
        waiting.extend(both[::-1])
