"""The one playout: uniformly random moves to the end of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

from fmcts.declared import declared
from fmcts.game import GameState, Player
from fmcts.rng import Rng, thaw

S = TypeVar('S', bound=GameState[Any])
R = TypeVar('R', bound=Rng)

Simulator: TypeAlias = Callable[[S, Callable[[int], int]], Player | None]
"""Plays a state to its end, `draw(n)` giving an index below n; who won (`None`: nobody)."""


def uniform_playout(state: GameState[Any], draw: Callable[[int], int]) -> Player | None:
    """Play uniformly random moves to the end; one draw a ply, `draw(len(moves))`."""
    while moves := state.moves:
        state = state.play(moves[draw(len(moves))])
    return state.winner


def simulator_of(state: S) -> Simulator[S]:
    """The uniform playout of this state's game.

    It is the method `playout(draw)` that the state's own class declares: a faster statement of the
    same thing, equal to `uniform_playout` draw for draw. Else, also when such a method is only
    inherited, it is `uniform_playout`: a subclass may override what the method states.
    """
    return cast('Simulator[S]', declared(state, 'playout') or uniform_playout)


def playout(state: GameState[Any], rng: R) -> tuple[Player | None, R]:
    """The winner of one uniformly random game from `state` (`None`: a draw), and the next `rng`.

    >>> from fmcts.games import tictactoe
    >>> from fmcts.rng import StdGen
    >>> playout(tictactoe.start, StdGen(1, 1))
    (<Player.X: 'X'>, StdGen(s1=1860990862, s2=1422611300))
    """
    draws = thaw(rng)
    winner = simulator_of(state)(state, draws.draw)
    return winner, cast('R', draws.freeze())
