"""The two rules of backup: how an iteration changes the states above its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from fmcts._engines.graph.entry import Edge, Entry, Rows, credited, recomputed
from fmcts._engines.graph.verbs import Open, Path


def sound(graph: Open, path: Path, number: int, for_x: float) -> None:
    """Count each edge of the path once more, and recompute the states on it, from below.

    States beside the path, which may lead to one on it too, are recomputed when they are passed.
    """
    entries = graph.entries
    entry = entries[number]
    entries[number] = recomputed(entry._replace(own=entry.own + 1, worth=for_x), entries)
    for above, place in reversed(path):
        entries[above] = recomputed(chosen_again(entries[above], place), entries)


def naive(graph: Open, path: Path, number: int, for_x: float) -> None:
    """Add the score upwards from each parent: every state gets it once for each way up to it."""
    entries = graph.entries
    for above, place in path:
        entries[above] = chosen_again(entries[above], place)
    entry = entries[number]
    entries[number] = entry._replace(own=entry.own + 1, worth=for_x)
    for above, ways in ways_up(entries, number).items():
        entry = entries[above]
        entries[above] = credited(entry, entry.visits + ways, entry.total + ways * for_x)


def chosen_again(entry: Entry, place: int) -> Entry:
    """Return the entry with one more visit of its edge at that index."""
    edges = entry.edges
    move, to, visits = edges[place]
    new = Edge(move, to, visits + 1)
    return entry._replace(edges=(*edges[:place], new, *edges[place + 1 :]))


def ways_up(entries: Rows, number: int) -> Mapping[int, int]:
    """Return by how many ways the parents lead from a state to each one above it; 1 to itself."""
    above = {number: 0}
    stack = [number]
    while stack:
        for parent in entries[stack.pop()].parents:
            if parent not in above:
                above[parent] = 0
                stack.append(parent)
    above[number] = 1
    for lower in sorted(above, key=lambda one: entries[one].level, reverse=True):
        for parent in entries[lower].parents:
            above[parent] += above[lower]
    return above


CREDITING: Final[Mapping[str, Callable[[Open, Path, int, float], None]]] = MappingProxyType(
    {'sound': sound, 'naive': naive}
)
"""The rules by the names that `Search.transpositions` accepts."""
