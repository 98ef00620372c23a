"""Scores: how outcomes, distances and evaluations are compared, as integers for the side to move.

A win after n plies is `WIN - n`, a loss after n plies is `n - WIN`, so that short wins and long
losses are better. Between them, from `-EDGE` to `EDGE`, is what an end that nobody won, or a
position where the search stops, is worth. That is 0 where nothing is evaluated. Else it is the rank
of the worth to X among all floats from 0 to 1, which is how they lie in memory read as an integer;
turned round where O is to move. So turning the sign always changes the side, no score is rounded,
and there is none between one and the next.
"""

from __future__ import annotations

import struct
from typing import Final, TypeAlias

from fmcts.game import Player

__all__ = [
    'ANY',
    'EDGE',
    'WIN',
    'Score',
    'after',
    'before',
    'plies_of',
    'rank_of',
    'score_of_worth',
    'value_of',
]

Score: TypeAlias = int

EDGE: Final = 1 << 62
"""Above the ranks of all floats up to 1."""

WIN: Final = EDGE + (1 << 30)
"""A win here and now. No game that fits in memory has so many plies as lie between."""

ANY: Final = WIN + 1
"""`-ANY` to `ANY` is a window that nothing lies outside of."""


def before(score: Score, step: int) -> Score:
    """A score one ply earlier: nearer to the middle by `step`, 1, or 0 where distance is nothing.

    >>> before(WIN, 1) == WIN - 1, before(-WIN, 1) == 1 - WIN, before(5, 1)
    (True, True, 5)
    """
    return score - step if score > EDGE else score + step if score < -EDGE else score


def after(score: Score, step: int) -> Score:
    """What a score or the end of a window is one ply later; the inverse of `before`."""
    return score + step if score > EDGE else score - step if score < -EDGE else score


def rank_of(worth: float) -> int:
    """The place of a float of at least 0 among all of them.

    >>> rank_of(0.0), rank_of(5e-324), rank_of(1.0) < EDGE
    (0, 1, True)
    """
    (rank,) = struct.unpack('<q', struct.pack('<d', worth + 0.0))  # or -0.0 would have another
    return int(rank)


def score_of_worth(worth: float, player: Player) -> Score:
    """The score, for `player`, of what is worth so much to X."""
    return rank_of(worth) if player is Player.X else -rank_of(worth)


def value_of(score: Score, player: Player, *, evaluated: bool) -> float:
    """What a score means from 0, `player` loses, to 1, `player` wins; it is a score of theirs.

    >>> value_of(WIN - 3, Player.O, evaluated=False), value_of(0, Player.X, evaluated=False)
    (1.0, 0.5)
    >>> value_of(score_of_worth(0.25, Player.O), Player.O, evaluated=True)
    0.75
    """
    if abs(score) > EDGE:
        return 1.0 if score > 0 else 0.0
    if not evaluated:
        return 0.5
    (worth,) = struct.unpack('<d', struct.pack('<q', abs(score)))
    return float(worth) if player is Player.X else 1 - float(worth)


def plies_of(score: Score, step: int) -> int | None:
    """After how many plies the game is won or lost; `None` where it is neither, or `step` is 0.

    >>> plies_of(3 - WIN, 1), plies_of(0, 1)
    (3, None)
    """
    return WIN - abs(score) if step and abs(score) > EDGE else None
