"""MAST, the move-average sampling technique: playouts by the mean reward of each move.

H. Finnsson and Y. Björnsson, "Simulation-based approach to general game playing", Proceedings of
the AAAI Conference on Artificial Intelligence, 2008. Moves were drawn there by the Gibbs
distribution; epsilon-greedy choice, which needs no exponentials and was found no worse, is that of
M. J. W. Tak, M. H. M. Winands and Y. Björnsson, "N-grams and the last-good-reply policy applied in
general game playing", IEEE Transactions on Computational Intelligence and AI in Games 4, 2012.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import field, frozen

from fmcts.game import Player
from fmcts.search.checks import as_float, share
from fmcts.search.memory import Entries, Line, Memory, Numbers, Place, Recalled
from fmcts.search.policies import mixture
from fmcts.search.policies.policy import Draw, Policy
from fmcts.search.policies.recalling import Recalling

__all__ = ['MAST', 'HighestMean', 'Means']

UNSEEN: Final = 1.0
"""What a move counts that its player has not played yet: as much as a win."""


@frozen
class Means(Memory):
    """In how many iterations a player played a move, and their rewards for that player, summed.

    An iteration counts once however often the move was played in it, in the tree or in the playout,
    and never for the other player, who may have a move with the same key.
    """

    name = 'mast'
    absent = (0.0, 0.0)

    def changes(self, entries: Entries, line: Line, for_x: float) -> dict[Place, Numbers]:
        """One iteration more for each move of the line."""
        found: dict[Place, Numbers] = {}
        for place in line:
            visits, reward = entries.get(place, self.absent)
            gained = for_x if place[0] is Player.X else 1.0 - for_x
            found[place] = visits + 1.0, reward + gained
        return found


@frozen
class HighestMean(Recalling):
    """The move of the highest mean, the first of equals; MAST without its random moves."""

    @property
    def memory(self) -> Memory:
        """The means."""
        return Means()

    def choose_knowing(
        self,
        recalled: Recalled,
        state: Any,
        moves: Sequence[Any],
        _draw: Draw,
    ) -> Any:
        """The move, without a draw."""

        def mean(move: Any) -> float:
            visits, reward = self.numbers_of(recalled, state, move)
            return reward / visits if visits else UNSEEN

        return max(moves, key=mean)


@frozen
class MAST(Policy):
    """The move whose mean reward for the player is the highest; with probability `epsilon` any.

    The mean is over all iterations so far in which the player played the move, in whatever position
    (moves are the same when their keys are); of a move not played yet it is 1. The `epsilon` is
    rounded, and drawn, as the weights of a `Mixture` are.
    """

    epsilon: float = field(default=0.1, converter=as_float, validator=share)

    @property
    def simplified(self) -> Policy:
        """The mixture that it is."""
        return mixture.epsilon(HighestMean(), self.epsilon).simplified

    @property
    def memories(self) -> tuple[Memory, ...]:
        """The means, unless it is uniform."""
        return self.simplified.memories

    def choose(self, state: Any, moves: Sequence[Any], draw: Draw) -> Any:
        """What it chooses when nothing is remembered yet."""
        return self.simplified.choose(state, moves, draw)

    def choose_knowing(
        self, recalled: Recalled, state: Any, moves: Sequence[Any], draw: Draw
    ) -> Any:
        """The move of the highest mean, or any."""
        return self.simplified.choose_knowing(recalled, state, moves, draw)
