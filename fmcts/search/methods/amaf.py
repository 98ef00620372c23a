"""Alpha-AMAF: the mean, mixed with the mean of all iterations that played the move then or later.

D. P. Helmbold and A. Parker-Wood, "All-moves-as-first heuristics in Monte-Carlo Go", Proceedings of
the International Conference on Artificial Intelligence, 2009.

Departs from the article: a move counts once per iteration.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from attrs import field, frozen

from fmcts._validators import as_float, finite, share
from fmcts.formulas import maximum, sqrt
from fmcts.search.memory import Scope, Table
from fmcts.search.methods.method import Edge, Method, Parent, Scale


@frozen
class AllMovesAsFirst(Table):
    """The columns `amaf_visits` and `amaf_reward` of moves.

    They count the iterations in which the side to move played the move at the node or later, in the
    tree or in the playout, each iteration once, and sum the rewards for that side.
    """

    name = 'amaf'
    columns = ('amaf_visits', 'amaf_reward')
    absent = (0.0, 0.0)
    scope: ClassVar[Scope] = 'node'

    def update(self, row: Any, reward: float) -> tuple[float, float]:
        """Return the counts after one more iteration in which the move was played."""
        return row.amaf_visits + 1.0, row.amaf_reward + reward


@frozen
class KeepsAMAF(Method):
    """A method with the table of all moves as first."""

    def scaled(self, edge: Any, scale: Scale) -> Any:
        """Return the edge with the rewards of AMAF on this scale."""
        return edge._replace(amaf_reward=scale.sum(edge.amaf_reward, edge.amaf_visits))


@frozen
class AMAF(KeepsAMAF):
    """`alpha * amaf + (1 - alpha) * (value + c * sqrt(ln(1 + N) / visits))`.

    `amaf` is the mean reward of the iterations in which the side to move played this move at the
    node or later, in the tree or in the playout ("all moves as first"). With `alpha` 0 it is UCB1.
    """

    name = 'amaf'
    table = AllMovesAsFirst()

    alpha: float = field(default=0.5, converter=as_float, validator=share)
    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mixture of both means, plus the bonus."""
        amaf = edge.amaf_reward / maximum(edge.amaf_visits, 1.0)
        bonus = self.c * sqrt(parent.log_visits / edge.visits)
        return self.alpha * amaf + (1.0 - self.alpha) * (edge.value + bonus)  # type: ignore[no-any-return]
