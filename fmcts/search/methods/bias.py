"""Progressive bias: a heuristic value of a move, whose weight decreases with its visits.

G. M. J. B. Chaslot, M. H. M. Winands, H. J. van den Herik, J. W. H. M. Uiterwijk and B. Bouzy,
"Progressive strategies for Monte-Carlo tree search", New Mathematics and Natural Computation 4,
2008, section 4.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from attrs import field, frozen

from fmcts.formulas import sqrt
from fmcts.search._checks import as_float, finite
from fmcts.search.methods.given import Given, number_of_a_move, numbers_of, of_moves
from fmcts.search.methods.method import Edge, Method, Parent

__all__ = ['ProgressiveBias']


@frozen
class ProgressiveBias(Method):
    """`value + c * sqrt(ln(1 + N) / visits) + weight * heuristic / (1 + visits)`.

    `heuristic` is given like the prior of `PUCT`; by default, it is 1 over the number of moves.
    With `weight` 0 it is UCB1.
    """

    move_columns = ('heuristic',)

    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)
    weight: float = field(default=1.0, converter=as_float, validator=finite)
    heuristic: Given = field(default=None, validator=of_moves)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus both bonuses."""
        bonus = self.c * sqrt(parent.log_visits / edge.visits)
        bias = self.weight * edge.heuristic / (1.0 + edge.visits)
        return edge.value + bonus + bias  # type: ignore[no-any-return]

    def first_rows(self, state: Any, moves: Sequence[Any]) -> tuple[Sequence[float], ...]:
        """Return the heuristic's numbers."""
        return (numbers_of(self.heuristic, state, moves),)

    def first_numbers(self) -> tuple[Callable[..., float], ...]:
        """Return the heuristic, if it is a function of positions.

        :raises MethodError: it is a function of states.
        """
        return (number_of_a_move('heuristic', self.heuristic),)
