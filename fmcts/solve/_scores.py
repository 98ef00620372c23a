"""Scores: outcomes, distances and evaluations as integers for the side to move.

A win after n plies is `WIN - n`, a loss after n plies is `n - WIN`: short wins and long losses are
better. Draws and positions where the search stops are between them, from `-EDGE` to `EDGE`: 0
without an evaluation, else the rank of the value for X among all floats from 0 to 1 (the bits of
the float read as an integer), negated if O is to move. So negating a score changes the side, no
value is rounded, and there is no score between two neighbouring ones.
"""

from __future__ import annotations

import struct
from typing import Final, TypeAlias

from fmcts.game import Player

Score: TypeAlias = int

EDGE: Final = 1 << 62
"""Above the ranks of all floats up to 1."""

WIN: Final = EDGE + (1 << 30)
"""A win in 0 plies. No game that fits in memory has as many plies as `WIN - EDGE`."""

ANY: Final = WIN + 1
"""`-ANY` to `ANY` is the window that contains every score."""


def before(score: Score, step: int) -> Score:
    """Return a score one ply earlier: `step` nearer to the middle (0 if distance does not count).

    >>> before(WIN, 1) == WIN - 1, before(-WIN, 1) == 1 - WIN, before(5, 1)
    (True, True, 5)
    """
    return score - step if score > EDGE else score + step if score < -EDGE else score


def after(score: Score, step: int) -> Score:
    """Return a score, or a bound of a window, one ply later; the inverse of `before`."""
    return score + step if score > EDGE else score - step if score < -EDGE else score


def rank_of(worth: float) -> int:
    """Return the rank of a float (>= 0) among all floats from 0.

    >>> rank_of(0.0), rank_of(5e-324), rank_of(1.0) < EDGE
    (0, 1, True)
    """
    (rank,) = struct.unpack('<q', struct.pack('<d', worth + 0.0))  # -0.0 would have another rank
    return int(rank)


def score_of_worth(worth: float, player: Player) -> Score:
    """Return the score for `player` of a value for X."""
    return rank_of(worth) if player is Player.X else -rank_of(worth)


def value_of(score: Score, player: Player, *, evaluated: bool) -> float:
    """Return the value of a score of `player`: from 0, `player` loses, to 1, `player` wins.

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
    """Return the plies until the game is won or lost; `None` if neither, or if `step` is 0.

    >>> plies_of(3 - WIN, 1), plies_of(0, 1)
    (3, None)
    """
    return WIN - abs(score) if step and abs(score) > EDGE else None
