"""The sum of squared rewards, for methods that use the variance of a move's rewards."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from fmcts.formulas import maximum
from fmcts.search.methods.method import Edge, Method, Scale


@frozen
class KeepsSquares(Method):
    """A method with the column `squares` of children."""

    columns = ('squares',)

    def scaled(self, edge: Any, scale: Scale) -> Any:
        """Return the edge with squares that have the variance on this scale."""
        mean = edge.squares / maximum(edge.visits, 1.0)
        # Rounding may make a variance of 0 negative, and a short scale would lengthen it.
        variance = scale.variance(maximum(mean - edge.value * edge.value, 0.0))
        value = scale.value(edge.value)
        return edge._replace(squares=edge.visits * (variance + value * value))

    def update(self, edge: Edge, reward: float) -> tuple[float]:
        """Return the new sum of squared rewards."""
        return (edge.squares + reward * reward,)
