"""MAST, the move-average sampling technique: playouts by the mean reward of each move.

H. Finnsson and Y. Björnsson, "Simulation-based approach to general game playing", Proceedings of
the AAAI Conference on Artificial Intelligence, 2008. Moves were drawn there by the Gibbs
distribution; epsilon-greedy choice, which needs no exponentials and was found no worse, is that of
M. J. W. Tak, M. H. M. Winands and Y. Björnsson, "N-grams and the last-good-reply policy applied in
general game playing", IEEE Transactions on Computational Intelligence and AI in Games 4, 2012.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen

from fmcts.formulas import maximum, where
from fmcts.search.memory import Table
from fmcts.search.policies.mixture import EpsilonGreedy
from fmcts.search.policies.policy import Policy
from fmcts.search.policies.recalling import Recalling

__all__ = ['MAST', 'HighestMean', 'Means']

UNSEEN: Final = 1.0
"""The weight of a move that its player has not played yet: as much as a win."""


@frozen
class Means(Table):
    """The number of iterations in which a player played a move, and their summed rewards.

    An iteration counts once however often the move was played in it, in the tree or in the playout,
    and only for this player, even if the other has a move with the same key.
    """

    name = 'mast'
    columns = ('visits', 'reward')
    absent = (0.0, 0.0)

    def update(self, row: Any, reward: float) -> tuple[float, float]:
        """Return the numbers after one more iteration."""
        return row.visits + 1.0, row.reward + reward


@frozen
class HighestMean(Recalling):
    """The move with the highest mean, the first of equals; MAST without its random moves."""

    memories = (Means(),)

    def weigh(self, move: Any) -> float:
        """Return the mean."""
        return where(move.visits > 0.0, move.reward / maximum(move.visits, 1.0), UNSEEN)


@frozen
class MAST(EpsilonGreedy):
    """The move with the highest mean reward for the player; with probability `epsilon` any move.

    The mean is over all iterations so far in which the player played the move, in any position
    (moves are the same when their keys are); it is 1 for a move not played yet. The `epsilon` is
    rounded, and drawn, like the weights of a `Mixture`.
    """

    name = 'mast'

    @property
    def greedy(self) -> Policy:
        """The policy without random moves."""
        return HighestMean()
