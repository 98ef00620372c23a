"""UCT as it is mostly written: UCB1 with the logarithm of the parent's visits, not of one more.

So it stands in the C text (J. Méhat, "MCTS : des étapes dans le développement d'un programme", step
B): the mean, plus C times the square root of log(number of all tries) over the tries of the move.
L. Kocsis and C. Szepesvari, "Bandit based Monte-Carlo planning", 2006, is where it comes from.
"""

from __future__ import annotations

from attrs import frozen

from fmcts.search.methods.ucb1 import UCB1

__all__ = ['UCT']


@frozen
class UCT(UCB1):
    """`value + c * sqrt(ln(N) / visits)`, N being the parent's visits.

    `c` is the exploration constant for rewards on [0, 1]; the text leaves it open.
    """

    counted = 0
