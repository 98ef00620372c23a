"""Scores: how outcomes and their distances are compared, as numbers for the side to move.

A win after n plies is `WIN - n`, a loss after n plies is `n - WIN`, so that short wins and long
losses are better. Everything between is what an end that nobody won, or a position where the search
stops, is worth: 0 where nothing is evaluated; else the worth to X, from 0 to 1, as it is for X and
turned round for O. So whatever an evaluation gives is compared exactly, and turning the sign
changes the side.
"""

from __future__ import annotations

import math
from typing import Final, TypeAlias

from fmcts.game import Player

__all__ = ['ANY', 'WIN', 'Score', 'after', 'before', 'below', 'plies_of', 'value_of']

Score: TypeAlias = float
"""An integer, except for what was evaluated."""

WIN: Final = 1 << 30
"""A win here and now; more than twice the plies of any game that fits in memory."""

ANY: Final = 2 * WIN
"""`-ANY` to `ANY` is a window that nothing lies outside of."""


def before(score: Score, step: int) -> Score:
    """A score one ply earlier: nearer to the middle by `step`, 1, or 0 where distance is nothing.

    >>> before(WIN, 1) == WIN - 1, before(-WIN, 1) == 1 - WIN, before(0, 1), before(0.5, 1)
    (True, True, 0, 0.5)
    """
    if score > 1:
        return score - step
    return score + step if score < -1 else score


def after(score: Score, step: int) -> Score:
    """What a score or the end of a window is one ply later; the inverse of `before`."""
    if score > 1:
        return score + step
    return score - step if score < -1 else score


def below(score: Score, *, evaluated: bool) -> Score:
    """A number below the score with no other score between, where positions are `evaluated` or not.

    >>> below(0, evaluated=False), below(0.5, evaluated=True)
    (-1, 0.49999999999999994)
    """
    return math.nextafter(score, -2) if evaluated and abs(score) <= 1 else score - 1


def value_of(score: Score, player: Player, *, evaluated: bool) -> float:
    """What a score means from 0, `player` loses, to 1, `player` wins; it is a score of theirs.

    >>> value_of(WIN - 3, Player.O, evaluated=False), value_of(-0.25, Player.O, evaluated=True)
    (1.0, 0.75)
    """
    if abs(score) > 1:
        return 1.0 if score > 0 else 0.0
    if not evaluated:
        return 0.5
    return score if player is Player.X else 1 + score


def plies_of(score: Score, step: int) -> int | None:
    """After how many plies the game is won or lost; `None` where it is neither, or `step` is 0.

    >>> plies_of(3 - WIN, 1), plies_of(0, 1)
    (3, None)
    """
    return int(WIN - abs(score)) if step and abs(score) > 1 else None
