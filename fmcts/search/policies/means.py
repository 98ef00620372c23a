"""Playouts by mean rewards: of moves (MAST), and of pairs of a move and its reply (NST).

MAST, the move-average sampling technique: H. Finnsson and Y. Björnsson, "Simulation-based approach
to general game playing", Proceedings of the AAAI Conference on Artificial Intelligence, 2008. Moves
were drawn there by the Gibbs distribution; epsilon-greedy choice, which needs no exponentials and
was found no worse, is that of M. J. W. Tak, M. H. M. Winands and Y. Björnsson, "N-grams and the
last-good-reply policy applied in general game playing", IEEE Transactions on Computational
Intelligence and AI in Games 4, 2012.

NST, the n-gram selection technique, is from the latter article. Its sequences have up to three
moves, those here one or two.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import field, frozen

from fmcts._validators import as_float, finite
from fmcts.formulas import maximum, where
from fmcts.search.memory import Table
from fmcts.search.policies.mixture import EpsilonGreedy
from fmcts.search.policies.policy import Policy
from fmcts.search.policies.recalling import Recalling

__all__ = ['MAST', 'NST', 'HighestMean', 'HighestMeans', 'Means', 'MeansOfPairs']

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


@frozen
class MeansOfPairs(Table):
    """The number of times that a player answered a move by another, and the summed rewards."""

    name = 'nst'
    columns = ('pair_visits', 'pair_reward')
    absent = (0.0, 0.0)
    index = 'pairs'

    def update(self, row: Any, reward: float) -> tuple[float, float]:
        """Return the numbers after one more reply."""
        return row.pair_visits + 1.0, row.pair_reward + reward


@frozen
class HighestMeans(Recalling):
    """NST without its random moves."""

    memories = (Means(), MeansOfPairs())

    least: float = field(default=7.0, converter=as_float, validator=finite)

    def weigh(self, move: Any) -> float:
        """Return the move's mean; averaged with the pair's, if the pair was seen often enough."""
        mean = move.reward / maximum(move.visits, 1.0)
        # `where` computes both its values, so neither may divide by 0.
        of_pair = move.pair_reward / maximum(move.pair_visits, 1.0)
        # With `least` 0 a pair that was never seen would count as one that was always lost.
        often = (move.pair_visits >= self.least) & (move.pair_visits > 0.0)
        return where(move.visits > 0.0, where(often, (mean + of_pair) / 2.0, mean), UNSEEN)


@frozen
class NST(EpsilonGreedy):
    """The move with the highest mean as a move and as a reply; with probability `epsilon` any.

    The mean of a move is as in MAST. The mean of a pair is over all times so far that the player
    answered the opponent's last move by this one, in any position. The weight of a move is the
    average of both means, its own mean if the pair was seen less than `least` times, and 1 if its
    player has not played it yet; the first of equals is played. A move answers the one directly
    before it, if the other side played that.
    """

    name = 'nst'

    least: float = field(default=7.0, converter=as_float, validator=finite)

    @property
    def greedy(self) -> Policy:
        """The policy without random moves."""
        return HighestMeans(self.least)
