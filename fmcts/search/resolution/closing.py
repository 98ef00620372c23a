"""Closing: branches that are explored to their ends are left out of selection.

It is the first improvement in the second part of the French series ("Exploration de possibilités",
section "Fermeture de branches"): a finished node is closed, a node is closed when each of its moves
has a child and all are closed, selection leaves closed children out, and the search ends when the
root is closed. Values are ignored: the best child is chosen, closed or not.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen

from fmcts.formulas import where
from fmcts.search.derived import Place
from fmcts.search.resolution.resolution import Resolution

__all__ = ['CLOSING']


@frozen
class Closing(Resolution):
    """The column `closed`: 1 when the node is closed."""

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
