"""Two versions of a tree: the path between them, and the nodes that only the later one has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from fmcts.search._tree import Node

Line = tuple[Any, ...]
"""The moves from the root to a node."""


def descent(before: Node, after: Node) -> Iterator[tuple[Node | None, Node]]:
    """Yield the nodes that one iteration visited, from the root down, as they were and as they are.

    A node that the iteration made was `None`.
    """
    was: Node | None = before
    while True:
        yield was, after
        for old, child in _pairs(was, after):
            if child is not old and child.visits > (old.visits if old else 0):
                was, after = old, child
                break
        else:
            return


def _pairs(was: Node | None, node: Node) -> Iterable[tuple[Node | None, Node]]:
    """Return the children of a node as they were and as they are."""
    if was and len(was.children) == len(node.children):  # those of the same moves
        return zip(was.children, node.children, strict=True)
    known = {child.move: child for child in was.children} if was else {}
    return [(known.get(child.move), child) for child in node.children]


def new_nodes(before: Node | None, after: Node) -> Iterator[tuple[Line, Node]]:
    """Yield the nodes that only the later version has, in preorder.

    Each comes with the moves that lead to it. Shared parts are skipped.
    """
    waiting: list[tuple[Line, Node | None, Node]] = [((), before, after)]
    while waiting:
        line, was, node = waiting.pop()
        if was is node:
            continue
        if was is None:
            yield line, node
        known = {child.move: child for child in was.children} if was else {}
        waiting.extend(
            ((*line, child.move), known.get(child.move), child) for child in node.children[::-1]
        )
