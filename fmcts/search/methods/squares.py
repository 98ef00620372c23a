"""The sum of squared rewards, for methods that use the variance of a move's rewards."""

from __future__ import annotations

from attrs import frozen

from fmcts.search.methods.method import Edge, Method


@frozen
class KeepsSquares(Method):
    """A method with the column `squares` of children."""

    columns = ('squares',)

    def update(self, edge: Edge, reward: float) -> tuple[float]:
        """Return the new sum of squared rewards."""
        return (edge.squares + reward * reward,)
