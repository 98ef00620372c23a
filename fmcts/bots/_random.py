"""The bot that plays any legal move."""

from __future__ import annotations

from typing import TypeVar

from fmcts.bots._bot import check_running
from fmcts.game import GameState
from fmcts.rng import Rng

M = TypeVar('M')
R = TypeVar('R', bound=Rng)


def random_bot(state: GameState[M], rng: R) -> tuple[M, R]:
    """One of the legal moves, all equally likely: `uniform(0, len(moves) - 1)` is its index.

    :raises FinishedGameError: the game is over.
    """
    check_running(state)
    index, rng = rng.uniform(0, len(state.moves) - 1)
    return state.moves[index], rng
