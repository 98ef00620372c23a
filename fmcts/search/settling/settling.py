"""What settles a node: a derived statistic whose number follows from the ends of games below it."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from fmcts.search.derived import Derived

__all__ = ['Settling']


@frozen
class Settling(Derived):
    """One number of each node: 0 while nothing is known of it, else how it is settled.

    Beside what every derived statistic states, there are functions of nodes' numbers.
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
    def preferred(numbers: Sequence[float]) -> list[int]:
        """Return the indices of those among visited children to choose from at the end."""
        return list(range(len(numbers)))
