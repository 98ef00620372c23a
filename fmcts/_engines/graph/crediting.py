"""The two rules of backup: what an iteration changes of the states above where it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from fmcts._engines.graph.entry import Edge, Entry, Rows, credited, recomputed
from fmcts._engines.graph.verbs import Open, Path

__all__ = ['CREDITING', 'naive', 'sound', 'ways_up']


def sound(graph: Open, path: Path, number: int, for_x: float) -> None:
    """Each edge of the path is chosen once more; the states on it are computed anew, from below.

    States beside the path, which may lead to one on it too, are computed when they are passed.
    """
    entries = graph.entries
    entry = entries[number]
    entries[number] = recomputed(entry._replace(own=entry.own + 1, worth=for_x), entries)
    for above, place in reversed(path):
        entries[above] = recomputed(chosen_again(entries[above], place), entries)


def naive(graph: Open, path: Path, number: int, for_x: float) -> None:
    """The score goes up from each parent: every state gets it once for each way up to it."""
    entries = graph.entries
    for above, place in path:
        entries[above] = chosen_again(entries[above], place)
    entry = entries[number]
    entries[number] = entry._replace(own=entry.own + 1, worth=for_x)
    for above, ways in ways_up(entries, number).items():
        entry = entries[above]
        entries[above] = credited(entry, entry.visits + ways, entry.total + ways * for_x)


def chosen_again(entry: Entry, place: int) -> Entry:
    """The entry with one visit more of its edge at that place."""
    edges = entry.edges
    move, to, visits = edges[place]
    new = Edge(move, to, visits + 1)
    return entry._replace(edges=(*edges[:place], new, *edges[place + 1 :]))


def ways_up(entries: Rows, number: int) -> Mapping[int, int]:
    """By how many ways the parents lead up from a state to each above it; 1 to itself."""
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
"""By the names that `Search.transpositions` takes."""
