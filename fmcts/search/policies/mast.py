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
"""What a move counts that its player has not played yet: as much as a win."""


@frozen
class Means(Table):
    """In how many iterations a player played a move, and their rewards for that player, summed.

    An iteration counts once however often the move was played in it, in the tree or in the playout,
    and never for the other player, who may have a move with the same key.
    """

    name = 'mast'
    columns = ('visits', 'reward')
    absent = (0.0, 0.0)

    def update(self, row: Any, reward: float) -> tuple[float, float]:
        """One iteration more."""
        return row.visits + 1.0, row.reward + reward


@frozen
class HighestMean(Recalling):
    """The move of the highest mean, the first of equals; MAST without its random moves."""

    memories = (Means(),)

    def weigh(self, move: Any) -> float:
        """The mean."""
        return where(move.visits > 0.0, move.reward / maximum(move.visits, 1.0), UNSEEN)


@frozen
class MAST(EpsilonGreedy):
    """The move whose mean reward for the player is the highest; with probability `epsilon` any.

    The mean is over all iterations so far in which the player played the move, in whatever position
    (moves are the same when their keys are); of a move not played yet it is 1. The `epsilon` is
    rounded, and drawn, as the weights of a `Mixture` are.
    """

    @property
    def greedy(self) -> Policy:
        """By the means alone."""
        return HighestMean()
