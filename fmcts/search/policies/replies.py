"""Last good reply: playouts that answer a move as it was last answered in a win.

P. Drake, "The last-good-reply policy for Monte-Carlo Go", ICGA Journal 32, 2009. With forgetting:
H. Baier and P. Drake, "The power of forgetting: improving the last-good-reply policy in Monte Carlo
Go", IEEE Transactions on Computational Intelligence and AI in Games 2, 2010 (LGRF-1).
"""

from __future__ import annotations

import math
from typing import Any, Final

from attrs import field, frozen

from fmcts._validators import switch
from fmcts.formulas import where
from fmcts.search.memory import Table
from fmcts.search.policies.recalling import Recalling

__all__ = ['LastGoodReply', 'Replies']

EVEN: Final = 0.5


@frozen
class Replies(Table):
    """For each move of a player, the key of the opponent's reply that last won.

    A reply is the move directly after, if the other side plays it: a side that moves twice, because
    the other had to pass, does not reply to itself. A reward above 1/2 is a win, below it a loss; a
    draw changes nothing. With `forgetting` a stored reply that loses is removed.
    """

    columns = ('reply',)
    absent = (-math.inf,)
    index = 'replies'

    forgetting: bool = field(default=False, kw_only=True)

    @property
    def name(self) -> str:  # type: ignore[override] # it is read only
        """The name depends on the option, because the contents do."""
        return 'last-good-reply' + ('-with-forgetting' if self.forgetting else '')

    def update(self, row: Any, reward: float) -> tuple[float]:
        """Return the reply if it won; no reply if it is to be forgotten."""
        # With `&` and `where`, not `and` and `if`: the formula is traced once, for machine code
        # too.
        forgotten = (reward < EVEN) & (row.reply == row.key) & (self.forgetting > 0)
        kept = where(forgotten, -math.inf, row.reply)
        return (where(reward > EVEN, row.key, kept),)


@frozen
class LastGoodReply(Recalling):
    """The reply to the opponent's move that last won, if it is legal; else all are equally likely.

    Replies in the tree and in the playout are stored, by player and key. With `forgetting` a reply
    that loses is removed.
    """

    name = 'last-good-reply'

    forgetting: bool = field(default=False, kw_only=True, validator=switch)

    @property
    def memories(self) -> tuple[Table, ...]:  # type: ignore[override] # read-only
        """The table of replies."""
        return (Replies(forgetting=self.forgetting),)

    def weigh(self, move: Any) -> float:
        """Return a weight for the stored reply only."""
        return where(move.key == move.reply, 1.0, -math.inf)
