"""The moves that a search chooses among, when they are not to be all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from fmcts.game import GameState, illegal, is_legal

M = TypeVar('M')


def candidates(state: GameState[M], root_moves: Iterable[M] | None) -> tuple[M, ...]:
    """Those of `root_moves`, in canonical order; for `None` every legal move.

    It is what chess programs know as `searchmoves` (the protocol UCI, command `go`).

    :raises IllegalMoveError: one of them is not legal.
    :raises ValueError: there is none among them.
    """
    if root_moves is None:
        return state.moves
    wanted = tuple(root_moves)
    for move in wanted:
        if not is_legal(move, state.moves):
            raise illegal(state, move)
    if not wanted:
        raise ValueError('root_moves is empty: name at least one move to choose among')
    return tuple(move for move in state.moves if move in wanted)
