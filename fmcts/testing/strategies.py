"""Hypothesis strategies for any game."""

from __future__ import annotations

from typing import Any, TypeVar

from hypothesis import strategies as st

from fmcts.game import GameState

__all__ = ['positions']

S = TypeVar('S', bound=GameState[Any])


def positions(start: S, *, max_plies: int = 200) -> st.SearchStrategy[S]:
    """Positions that a random game from `start` passes through, finished ones among them.

    :param max_plies: the longest way from `start`; a game that ends earlier stays at its end.
    """

    def lists(plies: int) -> st.SearchStrategy[list[int]]:
        # A length drawn first spreads the positions over the whole game; lists left to
        # themselves are mostly short.
        return st.lists(st.integers(0, 2**16 - 1), min_size=plies, max_size=plies)

    def walk(indices: list[int]) -> S:
        state = start
        for index in indices:
            moves = state.moves
            if not moves:
                break
            state = state.play(moves[index % len(moves)])
        return state

    return st.integers(0, max_plies).flatmap(lists).map(walk)
