"""A user's function as a method: `Search(selection=my_rule)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from fmcts._expressions import Formula, symbols, trace
from fmcts.formulas import with_sqrt
from fmcts.search.methods.method import Edge, Method, Parent, ParentNumbers


@frozen
class Rule(Method):
    """The method with the score `function(edge, parent)`; see `Method.score`.

    A function that can be traced (see `fmcts._expressions`) is compiled once for all values of its
    numbers; one that branches is recompiled when a number that it names has changed.
    """

    function: Callable[[Edge, Parent], float]

    @property
    def formula(self) -> Formula | None:
        """The formula of the function now; `None` if it cannot be traced."""
        edge: Any = symbols(f'edge.{name}' for name in self.edge._fields)
        parent: Any = symbols(f'parent.{name}' for name in ParentNumbers._fields)
        arguments = self.edge(*edge), ParentNumbers(*parent)
        return trace(self.function, *arguments) or trace(with_sqrt(self.function), *arguments)

    @property
    def parameters(self) -> dict[str, float]:
        """The numbers of the formula."""
        formula = self.formula
        return {f'k{place}': it for place, it in enumerate(formula.numbers)} if formula else {}

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the function's value."""
        return self.function(edge, parent)
