"""Last good reply: playouts that answer a move as it was last answered in a win.

P. Drake, "The last-good-reply policy for Monte-Carlo Go", ICGA Journal 32, 2009. With forgetting:
H. Baier and P. Drake, "The power of forgetting: improving the last-good-reply policy in Monte Carlo
Go", IEEE Transactions on Computational Intelligence and AI in Games 2, 2010 (LGRF-1).
"""

from __future__ import annotations

import math
from typing import Any, Final

from attrs import field, frozen

from fmcts.formulas import where
from fmcts.search._checks import switch
from fmcts.search.memory import Table
from fmcts.search.policies.recalling import Recalling

__all__ = ['LastGoodReply', 'Replies']

EVEN: Final = 0.5


@frozen
class Replies(Table):
    """To each move of a player, the key of the opponent's reply that last won.

    A reply is the move directly after, when the other side plays it: a side that moves twice, since
    the other had to pass, does not reply to itself. More than half a reward is a win, less a loss;
    a draw changes nothing. With `forgetting` a reply that is remembered and loses is forgotten.
    """

    columns = ('reply',)
    absent = (-math.inf,)
    index = 'replies'

    forgetting: bool = field(default=False, kw_only=True)

    @property
    def name(self) -> str:  # type: ignore[override] # it is read only
        """What is kept differs by the option."""
        return 'last-good-reply' + ('-with-forgetting' if self.forgetting else '')

    def update(self, row: Any, reward: float) -> tuple[float]:
        """The reply, if it won; none, if it is to be forgotten."""
        forgotten = (reward < EVEN) & (row.reply == row.key) & (self.forgetting > 0)
        kept = where(forgotten, -math.inf, row.reply)
        return (where(reward > EVEN, row.key, kept),)


@frozen
class LastGoodReply(Recalling):
    """The reply to the opponent's move that last won, if it is legal; else all are equally likely.

    Replies of all moves of an iteration are kept, in the tree and in the playout, by player and
    key. With `forgetting` a reply that loses is forgotten.
    """

    forgetting: bool = field(default=False, kw_only=True, validator=switch)

    @property
    def memories(self) -> tuple[Table, ...]:
        """The replies."""
        return (Replies(forgetting=self.forgetting),)

    def weigh(self, move: Any) -> float:
        """More for the reply than for others, which are left out."""
        return where(move.key == move.reply, 1.0, -math.inf)
