"""The base class of ways to resolve nodes: a number that follows from the ends of games below."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from fmcts.search.derived import Derived


@frozen
class Resolution(Derived):
    """One number for each node: 0 while it is unresolved, else how it is resolved.

    Besides the functions of every derived statistic, there are functions of nodes' numbers.
    """

    @property
    def column(self) -> str:
        """The name of the number."""
        return self.names[0]

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
