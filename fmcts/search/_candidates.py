"""The moves that a search chooses among, if they are only some of the legal ones."""

from __future__ import annotations

from collections.abc import Iterable

from fmcts.game import GameState, M, illegal, is_legal


def candidates(state: GameState[M], root_moves: Iterable[M] | None) -> tuple[M, ...]:
    """Return `root_moves` in canonical order; for `None` every legal move.

    Chess programs call this `searchmoves` (in the protocol UCI, command `go`).

    :raises IllegalMoveError: one of them is not legal.
    :raises ValueError: `root_moves` is empty.
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
