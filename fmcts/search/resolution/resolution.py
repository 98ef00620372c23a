"""The base class of ways to resolve nodes, and the simplest: closing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import frozen

from fmcts.formulas import where
from fmcts.search.derived import Derived, Place


@frozen
class Resolution(Derived):
    """One number for each node: 0 while it is unresolved, else how it is resolved.

    It follows from the ends of games below. Besides the functions of every derived statistic, there
    are functions of nodes' numbers.
    """

    @property
    def column(self) -> str:
        """The name of the number."""
        return self.names[0]

    def of(self, node: Any) -> float:
        """Return the number of a node, in a tree of a search with this resolution."""
        return node.columns.of(self.column)  # type: ignore[no-any-return]

    @staticmethod
    def ends(number: float) -> bool:
        """Return whether a search ends whose root has this number."""
        return number != 0.0

    @staticmethod
    def leaves_out(number: float) -> bool:
        """Return whether selection leaves such a child out; of several children at once, too."""
        return number != 0.0

    @staticmethod
    def preferred(numbers: Sequence[float], values: Sequence[float]) -> list[int]:  # noqa: ARG004
        """Return the indices of those among visited children to choose from at the end.

        `values` are their means.
        """
        return list(range(len(numbers)))


@frozen
class Closing(Resolution):
    """The column `closed`: 1 at a node whose branch is explored to its ends.

    It is the first improvement in the second part of the French series ("Exploration de
    possibilités", section "Fermeture de branches"): a finished node is closed, a node is closed
    when each of its moves has a child and all are closed, selection leaves closed children out, and
    the search ends when the root is closed. Values are ignored: the best child is chosen, closed or
    not.
    """

    names = ('closed',)
    first = (0.0,)

    def end(self, reward: float) -> tuple[float]:  # noqa: ARG002 - every end is one
        """Return 1: a finished node is closed."""
        return (1.0,)

    def fold(self, seen: tuple[float, ...], child: Any) -> tuple[float]:
        """Return the number of closed children."""
        return (seen[0] + child.closed,)

    def node(self, seen: tuple[float, ...], node: Place) -> tuple[float]:  # noqa: ARG002 - no need
        """Return 1 if every move has a closed child."""
        return (where(node.complete, 1.0, 0.0),)


CLOSING: Final = Closing()
