"""UCT in its usual form: UCB1 with the logarithm of the parent's visits, not of one more.

The C text (J. Méhat, "MCTS : des étapes dans le développement d'un programme", step B) has this
form: the mean, plus C times the square root of log(number of all tries) over the tries of the move.
It goes back to L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning", 2006.
"""

from __future__ import annotations

from attrs import frozen

from fmcts.search.methods.ucb1 import UCB1


@frozen
class UCT(UCB1):
    """`value + c * sqrt(ln(N) / visits)`, where N is the parent's visits.

    `c` is the exploration constant for rewards on [0, 1]; the text leaves it open.
    """

    name = 'uct'
    log_offset = 0
