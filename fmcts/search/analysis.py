"""`Analysis`: what a search found out."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from attrs import field, frozen

from fmcts.search import digest as digests
from fmcts.search.tree import Node, principal_variation, walk

M = TypeVar('M')


class Grown(Protocol):
    """A tree as an engine leaves it: it may make the frozen nodes on demand only."""

    def top(self) -> Node:
        """The root with its children; what lies below them need not be there."""

    def tree(self) -> Node:
        """The root of the whole frozen tree."""

    def digest(self) -> str:
        """The digest of the whole tree; see `fmcts.search.digest`."""

    def count(self) -> int:
        """The number of nodes, the root included."""


@frozen
class GrownNodes:
    """A tree that consists of frozen nodes already."""

    root: Node

    def top(self) -> Node:
        """The root."""
        return self.root

    def tree(self) -> Node:
        """The root."""
        return self.root

    def digest(self) -> str:
        """The digest of the whole tree."""
        return digests.digest(self.root)

    def count(self) -> int:
        """The number of nodes, the root included."""
        return sum(1 for _ in walk(self.root))


@frozen
class MoveStats(Generic[M]):
    """One move of the root: its playouts and their mean reward for the side to move.

    `value` is on [0, 1]; `None` for a move that was never tried.
    """

    move: M
    visits: int
    value: float | None


@frozen(eq=False)
class Analysis(Generic[M]):
    """The outcome of a search: the chosen `move`, and how many `iterations` were made.

    Analyses are equal when root state, move, iterations and digest are.
    """

    move: M
    iterations: int
    _grown: Grown = field(repr=False)

    @cached_property
    def stats(self) -> tuple[MoveStats[M], ...]:
        """Visits and value of every move there was to choose among, in canonical order."""
        top = self._grown.top()
        visited = ((move, top.child(move)) for move in top.moves)
        return tuple(
            MoveStats(move, child.visits, child.value)
            if child and child.visits
            else MoveStats(move, 0, None)
            for move, child in visited
        )

    @cached_property
    def digest(self) -> str:
        """64 hexadecimal digits that name the whole tree; see `fmcts.search.digest`."""
        return self._grown.digest()

    @cached_property
    def tree(self) -> Node:
        """The root of the frozen tree."""
        return self._grown.tree()

    @cached_property
    def nodes(self) -> int:
        """How many nodes the tree has, the root included."""
        return self._grown.count()

    @property
    def principal_variation(self) -> tuple[M, ...]:
        """The most visited line from the root."""
        return principal_variation(self.tree)

    def _key(self) -> tuple[Any, ...]:
        return self._grown.top().state, self.move, self.iterations, self.digest

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Analysis):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())
