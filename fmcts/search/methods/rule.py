"""A function of one's own as a method: `Search(selection=my_rule)`."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from fmcts.search.methods.method import Edge, Method, Parent

__all__ = ['Rule']


@frozen
class Rule(Method):
    """The method that `function(edge, parent)` states; see `Method.score`.

    It has no parameters: numbers that the function names are compiled in. A frozen class with
    fields, a `Method` of one's own, is compiled once for all their values.
    """

    function: Callable[[Edge, Parent], float]

    def score(self, edge: Edge, parent: Parent) -> float:
        """What the function gives."""
        return self.function(edge, parent)
