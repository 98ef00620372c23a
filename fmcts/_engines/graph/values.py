"""The graph as a value, and the order in which its states are met from the root."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from fmcts._engines.graph.entry import Entry
from fmcts.errors import GameError
from fmcts.game import Player, check_comparable
from fmcts.search._description import Transpositions
from fmcts.search._tree import Node

ROOT: Final = 0
"""The number of the root's state."""


@frozen(eq=False, repr=False)
class Graph:
    """A graph under search: a value in every engine, so that an old one never changes.

    `entries` has the statistics of each state, by its number; `numbers` has the number of each.
    Their type depends on the engine: persistent tables, or lists that nobody writes to any more.
    `iterations` is the number of iterations in the graph. `move` led to the root, and `mover`
    played it, as in `MutableNode`.
    """

    rule: Transpositions
    entries: Sequence[Entry]
    numbers: Mapping[Any, int]
    iterations: int
    move: Any
    mover: Player


def planted(root: Node, rule: Transpositions) -> Graph:
    """Return the graph of a root that was not searched: one state.

    :raises GameError: its state cannot be looked up, as it has no hash or cannot be compared.
    """
    state = root.state
    check_comparable(state, state, 'a search with transpositions finds them by it')
    try:
        numbers = {state: ROOT}
    except TypeError as error:
        raise GameError(
            f'the game {type(state).__name__} has states without a hash ({error}): '
            'a search with transpositions finds them by it'
        ) from None
    entry = Entry(state, root.moves, root.columns, 0)
    return Graph(rule, (entry,), numbers, 0, root.move, root.mover)


def below(entries: Sequence[Entry], number: int) -> Iterator[int]:
    """Yield the numbers of the states at and below that one, each once.

    They are in preorder, moves in canonical order: on a tree it is its preorder.
    """
    met: set[int] = set()
    stack = [number]
    while stack:
        number = stack.pop()
        if number not in met:
            met.add(number)
            yield number
            stack.extend(edge.to for edge in reversed(entries[number].edges))


def cut_out(graph: Graph, number: int, move: Any, mover: Player) -> Graph:
    """Return the graph at and below a state, which `move` of `mover` led to.

    All other states are left out, so that later results follow from what the digest names.
    """
    entries = graph.entries
    new_of = {old: new for new, old in enumerate(below(entries, number))}
    renumbered = tuple(
        entry._replace(
            edges=tuple(edge._replace(to=new_of[edge.to]) for edge in entry.edges),
            parents=tuple(new_of[parent] for parent in entry.parents if parent in new_of),
        )
        for entry in map(entries.__getitem__, new_of)
    )
    numbers = {entry.state: new for new, entry in enumerate(renumbered)}
    return Graph(graph.rule, renumbered, numbers, renumbered[ROOT].visits, move, mover)
