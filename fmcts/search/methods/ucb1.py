"""UCB1 and its variants: the mean of a move, and a bonus for moves tried less than others."""

from __future__ import annotations

import math
from typing import Any

from attrs import field, frozen

from fmcts._validators import as_float, finite
from fmcts.formulas import maximum, minimum, sqrt, where
from fmcts.search.methods.method import Edge, Method, Parent, Scale


@frozen
class UCB1(Method):
    """UCB1: the mean, and a bonus for moves that were tried less than others.

    P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit
    problem", Machine Learning 47, 2002; in trees: L. Kocsis and C. Szepesvári, "Bandit based
    Monte-Carlo planning", 2006.

    `value + c * sqrt(ln(1 + N) / visits)`, where N is the parent's visits. `c` is the exploration
    constant for rewards on [0, 1]; the article has sqrt(2).

    Departs from the article: `ln(1 + N)` for `ln N`, which `uct` has. Moves without visits come
    first, in move order.
    """

    name = 'ucb1'

    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus the bonus."""
        return edge.value + self.c * sqrt(parent.log_visits / edge.visits)


@frozen
class UCT(UCB1):
    """UCT in its usual form: UCB1 with the logarithm of the parent's visits, not of one more.

    The C text (J. Méhat, "MCTS : des étapes dans le développement d'un programme", step B) has this
    form: the mean, plus C times the square root of log(number of all tries) over the tries of the
    move. It goes back to L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning", 2006.

    `value + c * sqrt(ln(N) / visits)`, where N is the parent's visits. `c` is the exploration
    constant for rewards on [0, 1]; the text leaves it open.
    """

    name = 'uct'
    log_offset = 0


@frozen
class FirstPlay(Method):
    """UCB1 with first-play urgency: an untried move has a fixed score, instead of coming first.

    S. Gelly and Y. Wang, "Exploration exploitation in Go: UCT for Monte-Carlo Go", NIPS workshop on
    on-line trading of exploration and exploitation, 2006.

    `value + c * sqrt(ln(1 + N) / visits)`; for a move without visits, `first_play`. A good move may
    therefore keep the others from ever being tried. With a number above every score it is UCB1.
    """

    name = 'ucb1-fpu'
    scores_unvisited = True

    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)
    first_play: float = field(default=1.0, converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus the bonus, or the urgency."""
        # `where` evaluates both of its values: neither may divide by 0.
        bonus = self.c * sqrt(parent.log_visits / maximum(edge.visits, 1.0))
        return where(edge.visits > 0.0, edge.value + bonus, self.first_play)


@frozen
class KeepsSquares(Method):
    """A method with the column `squares` of children: the sum of a move's squared rewards.

    The variance of its rewards follows from it.
    """

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


@frozen
class UCB1Tuned(KeepsSquares):
    """UCB1-Tuned: a bonus that depends on the variance of a move's rewards.

    P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit
    problem", Machine Learning 47, 2002, section 4.

    `value + c * sqrt(r * min(1/4, V))` with `r = ln(1 + N) / visits`. `V` is the variance of the
    move's rewards plus `sqrt(2 * r)`, an upper bound on what it may be; 1/4 is the largest variance
    that rewards on [0, 1] can have. The article has `c` = 1.

    Departs from the article: `ln(1 + N)` for `ln N`.
    """

    name = 'ucb1-tuned'

    c: float = field(default=1.0, converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus the bonus."""
        ratio = parent.log_visits / edge.visits
        variance = edge.squares / edge.visits - edge.value * edge.value
        bound = minimum(0.25, variance + sqrt(2.0 * ratio))
        return edge.value + self.c * sqrt(ratio * bound)


@frozen
class UCBV(KeepsSquares):
    """UCB-V: a bonus by the variance of a move's rewards, and one for its few trials.

    J.-Y. Audibert, R. Munos and C. Szepesvári, "Exploration-exploitation tradeoff using variance
    estimates in multi-armed bandits", Theoretical Computer Science 410, 2009, equation (1).

    `value + sqrt(2 * V * E / visits) + 3 * c * E / visits` with `E = zeta * ln(1 + N)`. `V` is the
    variance of the move's rewards, which lie on [0, 1]; `E` is the article's exploration function.

    Departs from the article: `ln(1 + N)` for `ln N`. It proves its bounds for `zeta` above 1 and
    `c` 1; the defaults, 1.2 and 1, explore much.
    """

    name = 'ucb-v'

    c: float = field(default=1.0, converter=as_float, validator=finite)
    zeta: float = field(default=1.2, converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean plus both bonuses."""
        explored = self.zeta * parent.log_visits / edge.visits
        # Rounding may make a variance of 0 negative.
        variance = maximum(edge.squares / edge.visits - edge.value * edge.value, 0.0)
        spread = sqrt(2.0 * variance * explored)
        return edge.value + spread + 3.0 * self.c * explored
