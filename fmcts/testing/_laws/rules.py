"""Check rules on integers against the states that declare them, interpreted and compiled."""

from __future__ import annotations

from typing import Any

from returns.result import Result

from fmcts import _compiled as compiled
from fmcts.game import GameState
from fmcts.rng import Rng

__all__ = ['check_rules']


def check_rules(
    start: GameState[Any], *, plies: int = 10_000, rng: Rng | None = None
) -> Result[int, str]:
    """Compare a game's rules on integers with its states over `plies` plies of random games.

    Return `Success(plies)` if they agree, else `Failure` with the first difference. Every move of
    every position met is tried. First the rules as Python runs them are compared with the states:
    positions, sides, moves and their order, ends, winners. Then the compiled rules are compared
    with what Python found; they are compiled for this check with every index into an array, a
    table or a set of bits checked. numba is loaded.

    :raises EngineError: the game declares no rules on integers, or numba is not installed.
    :raises FinishedGameError: the game is over at `start`.
    :raises ValueError: `plies` is not a whole number of at least 1.
    """
    return compiled.check(start, plies, rng)
