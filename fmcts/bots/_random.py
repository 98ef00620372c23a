"""The bot that plays a random legal move."""

from __future__ import annotations

from fmcts.bots._bot import check_running
from fmcts.game import GameState, M
from fmcts.rng._protocol import R


def random_bot(state: GameState[M], rng: R) -> tuple[M, R]:
    """Return a random legal move: the one at index `uniform(0, len(moves) - 1)`.

    :raises FinishedGameError: the game is over.
    """
    check_running(state)
    moves = state.moves
    index, rng = rng.uniform(0, len(moves) - 1)
    return moves[index], rng
