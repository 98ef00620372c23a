"""`Analysis`: what a search found out."""

from __future__ import annotations

from functools import cached_property
from typing import Generic, TypeVar

from attrs import field, frozen

from fmcts.search.digest import digest
from fmcts.search.tree import Node, principal_variation

M = TypeVar('M')


@frozen
class MoveStats(Generic[M]):
    """One legal move of the root: its playouts and their mean reward for the side to move.

    `value` is on [0, 1]; `None` for a move that was never tried.
    """

    move: M
    visits: int
    value: float | None


@frozen
class Analysis(Generic[M]):
    """The outcome of a search.

    `move`: the choice; `iterations`: how many were made; `tree`: the root of the frozen tree.
    Analyses are equal when their moves, iterations and trees are.
    """

    move: M
    iterations: int
    tree: Node = field(repr=False)

    @cached_property
    def stats(self) -> tuple[MoveStats[M], ...]:
        """Visits and value of every legal move, in canonical order."""
        return tuple(
            MoveStats(move, child.visits, child.value)
            if child and child.visits
            else MoveStats(move, 0, None)
            for move, child in ((move, self.tree.child(move)) for move in self.tree.moves)
        )

    @cached_property
    def digest(self) -> str:
        """64 hexadecimal digits that name the whole tree; see `fmcts.search.digest`."""
        return digest(self.tree)

    @property
    def principal_variation(self) -> tuple[M, ...]:
        """The most visited line from the root."""
        return principal_variation(self.tree)
