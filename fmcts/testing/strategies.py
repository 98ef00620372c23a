"""Hypothesis strategies for any game."""

from __future__ import annotations

from typing import Any, TypeVar, get_args

from hypothesis import strategies as st

from fmcts.game import GameState
from fmcts.rng import SplitMix, StdGen
from fmcts.search.description import Expansion, FinalChoice, Search, Selection

__all__ = ['generators', 'positions', 'searches']

S = TypeVar('S', bound=GameState[Any])


@st.composite
def positions(draw: st.DrawFn, start: S, *, max_plies: int = 200, running: bool = False) -> S:
    """Positions that a random game from `start` passes through, from all its stages alike.

    About a quarter are ends of games.

    :param max_plies: how many plies of the game are played at most.
    :param running: leave out finished positions.
    """
    # The game is drawn as a seed, as hypothesis prefers small numbers and repeats them, which makes
    # short games. The stage is drawn when its length is known: a number of plies drawn before would
    # mostly lie past the end.
    rng = SplitMix.from_seed(draw(st.integers(0, 2**32 - 1)))
    passed = [start]
    while (moves := passed[-1].moves) and len(passed) <= max_plies:
        index, rng = rng.uniform(0, len(moves) - 1)
        passed.append(passed[-1].play(moves[index]))
    if running and len(passed) > 1 and passed[-1].over:
        passed.pop()
    anywhere = st.integers(0, len(passed) - 1)
    end = anywhere if running else st.just(len(passed) - 1)
    return passed[draw(st.one_of(anywhere, anywhere, anywhere, end))]


def generators() -> st.SearchStrategy[SplitMix | StdGen]:
    """Generators of both kinds."""
    return st.one_of(
        st.integers(-(2**63), 2**64 - 1).map(SplitMix.from_seed),
        st.builds(StdGen, st.integers(1, 2147483562), st.integers(1, 2147483398)),
    )


def searches(
    *, max_iterations: int = 120, selection: Selection = 'ucb1'
) -> st.SearchStrategy[Search]:
    """Descriptions of searches by this `selection`, with every other option in every value."""
    named = isinstance(selection, str)
    able = Search(selection=selection).method.scores_unvisited
    return st.builds(
        Search,
        iterations=st.integers(1, max_iterations),
        selection=st.just(selection),
        c=st.none() | st.floats(0, 4) if named else st.none(),
        expansion=st.none()
        | st.sampled_from([kind for kind in get_args(Expansion) if able or kind != 'selected']),
        final=st.sampled_from(get_args(FinalChoice)),
        # Room for the widest full expansion of this library's games.
        max_nodes=st.none() | st.integers(60, 500),
    )
