"""Hypothesis strategies for any game."""

from __future__ import annotations

from typing import Any, TypeVar, get_args

from hypothesis import strategies as st

from fmcts.game import GameState
from fmcts.rng import SplitMix, StdGen
from fmcts.search.description import Expansion, FinalChoice, Search

__all__ = ['generators', 'positions', 'searches']

S = TypeVar('S', bound=GameState[Any])


def positions(start: S, *, max_plies: int = 200, running: bool = False) -> st.SearchStrategy[S]:
    """Positions that a random game from `start` passes through, finished ones among them.

    :param max_plies: the longest way from `start`; a game that ends earlier stays at its end.
    :param running: leave out finished positions; a game that ends stays one move before its end.
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
            after = state.play(moves[index % len(moves)])
            if running and after.over:
                break
            state = after
        return state

    return st.integers(0, max_plies).flatmap(lists).map(walk)


def generators() -> st.SearchStrategy[SplitMix | StdGen]:
    """Generators of both kinds."""
    return st.one_of(
        st.integers(-(2**63), 2**64 - 1).map(SplitMix.from_seed),
        st.builds(StdGen, st.integers(1, 2147483562), st.integers(1, 2147483398)),
    )


def searches(*, max_iterations: int = 120) -> st.SearchStrategy[Search]:
    """Descriptions of searches, with every option in every value."""
    return st.builds(
        Search,
        iterations=st.integers(1, max_iterations),
        c=st.floats(0, 4),
        expansion=st.sampled_from(get_args(Expansion)),
        final=st.sampled_from(get_args(FinalChoice)),
        # Room for the widest full expansion of this library's games.
        max_nodes=st.none() | st.integers(60, 500),
    )
