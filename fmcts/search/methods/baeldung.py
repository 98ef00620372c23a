"""The tic-tac-toe search of the Java text: scores count wins only, and immediate losses are marked.

"Monte Carlo Tree Search pour le jeu Tic-Tac-Toe", after Baeldung's "Monte Carlo Tree Search for
Tic-Tac-Toe Game in Java"; where the text leaves details out, the published program is followed. It
is made for `expansion='full'` (all children are made, and a random one is simulated) and
`final='first-robust'`.
"""

from __future__ import annotations

from typing import Final

from attrs import field, frozen

from fmcts._validators import as_float, finite
from fmcts.formulas import sqrt, where
from fmcts.search.methods.method import Edge, Method, Parent

LEAST: Final = -2147483648.0
"""Java's least integer: the score of a move that lets the root's opponent win at once."""


@frozen
class Baeldung(Method):
    """`score / visits + c * sqrt(ln(N) / visits)`, where N is the parent's visits.

    A win of the side that chose the move adds `win_score` to `score`; a draw adds nothing. When an
    iteration ends at a position that the root's opponent has won, the score of its parent becomes
    the least integer, to which later wins are not added. Nothing is passed further up, and the
    mover's own wins are not marked. Where chance moves (the text has no dice) nothing is marked
    either. Since `win_score` is 10, the constant 1.41 is 0.141 for rewards on [0, 1].
    """

    name = 'baeldung'
    columns = ('score',)
    log_offset = 0

    c: float = field(default=1.41, converter=as_float, validator=finite)
    win_score: float = field(default=10.0, converter=as_float, validator=finite)

    def score(self, edge: Edge, parent: Parent) -> float:
        """Return the mean score plus the bonus."""
        return edge.score / edge.visits + self.c * sqrt(parent.log_visits / edge.visits)  # type: ignore[no-any-return]

    def update(self, edge: Edge, reward: float) -> tuple[float]:
        """Return the score after a playout; a marked score does not change."""
        gained = where(reward == 1.0, self.win_score, 0.0)
        return (where(edge.score == LEAST, edge.score, edge.score + gained),)

    def update_above_end(self, edge: Edge, reward: float) -> tuple[float]:
        """Return the least score if the side to move at the root has lost."""
        return (where(reward == 0.0, LEAST, edge.score),)
