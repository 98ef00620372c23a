"""All moves as first (AMAF): a move learns from iterations that played it then or later.

The methods differ in how much the mean of those iterations counts beside that of the move.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from attrs import field, frozen

from fmcts._validators import as_float, finite, share
from fmcts.formulas import maximum, sqrt, where
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


def mixed(edge: Edge, parent: Parent, c: float, beta: float) -> float:
    """Return the mixture of UCB1's score and the AMAF mean, which has the weight `beta`."""
    own = edge.value + c * sqrt(parent.log_visits / maximum(edge.visits, 1.0))
    mean = edge.amaf_reward / maximum(edge.amaf_visits, 1.0)
    untried = where(edge.amaf_visits > 0.0, mean, math.inf)
    return where(edge.visits > 0.0, (1.0 - beta) * own + beta * mean, untried)


@frozen
class AMAF(KeepsAMAF):
    """Alpha-AMAF: the mean, mixed with that of all iterations that played the move then or later.

    D. P. Helmbold and A. Parker-Wood, "All-moves-as-first heuristics in Monte-Carlo Go",
    Proceedings of the International Conference on Artificial Intelligence, 2009.

    `alpha * amaf + (1 - alpha) * (value + c * sqrt(ln(1 + N) / visits))`. `amaf` is the mean reward
    of the iterations in which the side to move played this move at the node or later, in the tree
    or in the playout ("all moves as first"). With `alpha` 0 it is UCB1.

    Departs from the article: a move counts once per iteration.
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


@frozen
class RAVE(KeepsAMAF):
    """RAVE (rapid action value estimation): first the AMAF mean, then more and more the move's own.

    S. Gelly and D. Silver, "Combining online and offline knowledge in UCT", International
    Conference on Machine Learning, 2007; also in the C text (see `UCT`).

    `(1 - beta) * U + beta * R` with `beta = sqrt(k / (3 * visits + k))`. `U` is the score of UCB1,
    `value + c * sqrt(ln(1 + N) / visits)`, and `R` the mean of AMAF. `k` is the number of visits at
    which both count alike. A move without visits has `beta` 1 and so scores `R`; without AMAF
    playouts it comes first. With `k` 0 it is UCB1.

    Departs from both: `visits` are the move's, where the paper and the C text have the node's; `c`
    is 0.2, as AMAF explores by itself, and large bonuses of tried moves would keep out the others.
    """

    name = 'rave'
    table = AllMovesAsFirst()
    scores_unvisited = True

    c: float = field(default=0.2, converter=as_float, validator=finite)
    k: float = field(default=1000.0, converter=as_float, validator=finite)

    def by_visits(self, visits: float) -> float:
        """Return the weight `beta`."""
        return sqrt(self.k / (3.0 * maximum(visits, 1.0) + self.k))

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mixture of both means, with the bonus."""
        # With k = 0 other iterations say nothing of a move: without visits it comes first.
        counts = (edge.visits > 0.0) | (self.k > 0.0)
        return where(counts, mixed(edge, parent, self.c, edge.by_visits), math.inf)


@frozen
class RaveSilver(KeepsAMAF):
    """RAVE with the weight that minimises the error of the mixture.

    S. Gelly and D. Silver, "Monte-Carlo tree search and rapid action value estimation in computer
    Go", Artificial Intelligence 175, 2011.

    `(1 - beta) * U + beta * R` with `beta = m / (n + m + 4 * bias**2 * n * m)`. `n` are the move's
    visits and `m` its AMAF playouts; `U`, `R` and moves without visits as in `RAVE`. `bias` is the
    assumed error of the AMAF mean.
    """

    name = 'rave-silver'
    table = AllMovesAsFirst()
    scores_unvisited = True

    c: float = field(default=0.2, converter=as_float, validator=finite)
    bias: float = field(default=0.02, converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mixture of both means, with the bonus."""
        n, m = edge.visits, maximum(edge.amaf_visits, 1.0)
        beta = m / (n + m + 4.0 * self.bias * self.bias * n * m)
        return mixed(edge, parent, self.c, beta)


@frozen
class AtAnAncestor(AllMovesAsFirst):
    """AMAF statistics by player and key, from the nearest node with more than `ref` visits."""

    scope = 'ancestor'

    ref: float = 50.0

    def refers(self, visits: float) -> bool:
        """Return whether a node has enough visits."""
        return visits > self.ref


@frozen
class GRAVE(KeepsAMAF):
    """GRAVE (generalised RAVE): the AMAF mean of an ancestor with more playouts.

    T. Cazenave, "Generalized rapid action value estimation", International Joint Conference on
    Artificial Intelligence, 2015; in the form of his slides.

    `(1 - beta) * U + beta * R` with `beta = m / (n + m + b * n * m)`. `n` are the move's visits,
    `U` their mean (with UCB1's bonus if there is a `c`); `m` are the move's AMAF playouts and `R`
    their mean, at the reference: the node itself or else its nearest ancestor with more than `ref`
    visits. Playouts count by the first time that the player plays the move, in the tree or in the
    playout, at the reference or later. A move without visits scores `R`; if it has no AMAF
    playouts, it comes first. Without a reference it is UCB1.

    Departs from the slides: no AMAF while no node has enough playouts, where the slides take the
    root.
    """

    name = 'grave'
    scores_unvisited = True

    ref: float = field(default=50.0, converter=as_float, validator=finite)
    b: float = field(default=1e-5, converter=as_float, validator=finite)
    c: float = field(default=0.0, converter=as_float, validator=finite)

    @property
    def table(self) -> AtAnAncestor:  # type: ignore[override] # depends on a field
        """The AMAF statistics of the reference."""
        return AtAnAncestor(self.ref)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mixture of both means."""
        n, m = edge.visits, edge.amaf_visits
        # The least divisor is for moves of which nothing is known: their m is 0, and so is beta.
        beta = m / maximum(n + m + self.b * n * m, 1.0)
        return mixed(edge, parent, self.c, beta)
