"""Last good reply: playouts that answer a move as it was last answered in a win.

P. Drake, "The last-good-reply policy for Monte-Carlo Go", ICGA Journal 32, 2009. With forgetting:
H. Baier and P. Drake, "The power of forgetting: improving the last-good-reply policy in Monte Carlo
Go", IEEE Transactions on Computational Intelligence and AI in Games 2, 2010 (LGRF-1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from attrs import field, frozen

from fmcts.game import Player
from fmcts.search.checks import switch
from fmcts.search.memory import Entries, Line, Memory, Numbers, Place, Recalled, place_of
from fmcts.search.policies.policy import Draw
from fmcts.search.policies.recalling import Recalling

__all__ = ['LastGoodReply', 'Replies']

EVEN = 0.5


@frozen
class Replies(Memory):
    """To each move of a player, the key of the opponent's reply that last won.

    A reply is the move directly after, when the other side plays it: a side that moves twice, since
    the other had to pass, does not reply to itself. More than half a reward is a win, less a loss;
    a draw changes nothing. With `forgetting` a reply that is remembered and loses is forgotten.
    """

    absent = (-math.inf,)

    forgetting: bool = field(default=False, kw_only=True)

    @property
    def name(self) -> str:  # type: ignore[override] # it is read only
        """What is kept differs by the option."""
        return 'last-good-reply' + ('-with-forgetting' if self.forgetting else '')

    def changes(self, entries: Entries, line: Line, for_x: float) -> dict[Place, Numbers]:
        """The replies of the side that won; and those of the other no more, if it forgets."""
        found: dict[Place, Numbers] = {}
        for before, (player, key) in pairwise(line):
            if before[0] is player:
                continue
            reward = for_x if player is Player.X else 1.0 - for_x
            reply = (float(key),)
            if reward > EVEN:
                found[before] = reply
            elif self.forgetting and reward < EVEN and entries.get(before) == reply:
                found[before] = self.absent
        return found


@frozen
class LastGoodReply(Recalling):
    """The reply to the opponent's move that last won, if it is legal; else all are equally likely.

    Replies of all moves of an iteration are kept, in the tree and in the playout, by player and
    key. With `forgetting` a reply that loses is forgotten.
    """

    forgetting: bool = field(default=False, kw_only=True, validator=switch)

    @property
    def memory(self) -> Memory:
        """The replies."""
        return Replies(forgetting=self.forgetting)

    @property
    def parts(self) -> tuple[object, ...]:
        """What is kept differs by the option."""
        return LastGoodReply, self.forgetting

    def choose_knowing(
        self, recalled: Recalled, state: Any, moves: Sequence[Any], draw: Draw
    ) -> Any:
        """The reply, without a draw; else one draw."""
        last = recalled.line[-1] if recalled.line else None
        if last is not None and last[0] is not state.player:
            (reply,) = self.entries(recalled).get(last, self.memory.absent)
            for move in moves:
                if place_of(state, move)[1] == reply:
                    return move
        return moves[draw(len(moves))]
