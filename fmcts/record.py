"""A whole game between two bots, and the record of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from attrs import frozen

from fmcts.bots.bot import Bot
from fmcts.game import GameState, IllegalMoveError, Player, illegal
from fmcts.rng import Rng

S = TypeVar('S', bound=GameState[Any])
M = TypeVar('M')
R = TypeVar('R', bound=Rng)


@frozen
class GameRecord(Generic[S, M, R]):
    """A game that was played: enough to play it again and to check every move.

    `start` and `final` are states, `moves` the moves between them, `winner` `None` for a draw;
    `rng_in` is the generator that the game began with, `rng_out` the one that it handed back.
    """

    start: S
    moves: tuple[M, ...]
    final: S
    winner: Player | None
    rng_in: R
    rng_out: R


def play_game(
    start: S,
    first: Bot[S, R, M],
    second: Bot[S, R, M],
    rng: R,
    *,
    watch: Callable[[S, M], None] = lambda _state, _move: None,
) -> tuple[GameRecord[S, M, R], R]:
    """Play from `start` to the end: `first` plays X and `second` plays O.

    The generator is threaded through both bots (`rng` is consumed) and returned. `watch` is told
    every state before its move, and the move.

    :raises IllegalMoveError: a bot gave a move that is not legal.
    """
    state, moves, rng_in = start, [], rng
    while not state.over:
        bot = first if state.player is Player.X else second
        move, rng = bot(state, rng)
        if move not in state.moves:
            raise IllegalMoveError(f'the bot of {state.player}: {illegal(state, move)}')
        watch(state, move)
        moves.append(move)
        state = state.play(move)
    return GameRecord(start, tuple(moves), state, state.winner, rng_in, rng), rng
