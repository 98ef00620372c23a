"""Uniformly random play: one game to its end, and how all of them end.

`playout` plays one game, `fmcts.search.playouts` many, and `probabilities` gives exactly what their
means come near.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias, TypeVar, cast

from fmcts.arguments import whole_number
from fmcts.declared import declared
from fmcts.game import (
    MAX_PLIES,
    EndlessGameError,
    GameState,
    Player,
    checked_moves,
    checked_winner,
    endless,
)
from fmcts.rng import Rng, thaw

S = TypeVar('S', bound=GameState[Any])
R = TypeVar('R', bound=Rng)

Simulator: TypeAlias = Callable[[S, Callable[[int], int]], Player | None]
"""Plays a state to its end, `draw(n)` giving an index below n; who won (`None`: nobody).

Whether the winner is a player is for `fmcts.game.score` to say."""


def uniform_playout(
    state: GameState[Any], draw: Callable[[int], int], *, max_plies: int = MAX_PLIES
) -> Player | None:
    """Play uniformly random moves to the end; one draw a ply, `draw(len(moves))`.

    :raises EndlessGameError: the game is not over after `max_plies` plies.
    :raises GameError: it ended in a state that is not `over`, or right after one that is.
    """
    before = state
    for _ in range(max_plies):
        moves = state.moves
        if not moves:
            break
        before = state
        state = state.play(moves[draw(len(moves))])
    else:
        if state.moves:
            raise endless(state, max_plies)
    # Every ply could be looked at, for a tenth of the speed. Whoever forgets that a game ends
    # before the board is full is found out by the last one.
    if not state.over or (before is not state and before.over):
        checked_moves(before)
        checked_moves(state)
    return state.winner


def simulator_of(state: S, max_plies: int = MAX_PLIES) -> Simulator[S]:
    """The uniform playout of this state's game, of at most so many plies.

    It is the method `playout(draw)` that the state's own class declares: a faster statement of the
    same thing, equal to `uniform_playout` draw for draw. Else, also when such a method is only
    inherited, it is `uniform_playout`: a subclass may override what the method states. A class
    whose games never have more plies than its constant `longest_game` says so by it; else the draws
    of its method are counted. Errors are those of `uniform_playout`.
    """
    own = declared(state, 'playout')
    if own is None:
        return partial(uniform_playout, max_plies=max_plies)
    longest = declared(state, 'longest_game')
    if longest is not None and longest <= max_plies:
        return cast('Simulator[S]', own)
    return lambda state, draw: own(state, _counted(state, draw, max_plies))


def _counted(
    state: GameState[Any], draw: Callable[[int], int], max_plies: int
) -> Callable[[int], int]:
    """`draw`, so many times at most: a playout draws once a ply."""
    left = max_plies

    def draw_counted(count: int) -> int:
        nonlocal left
        if not left:
            raise endless(state, max_plies)
        left -= 1
        return draw(count)

    return draw_counted


def playout(
    state: GameState[Any], rng: R, *, max_plies: int = MAX_PLIES
) -> tuple[Player | None, R]:
    """The winner of one uniformly random game from `state` (`None`: a draw), and the next `rng`.

    :raises EndlessGameError: the game is not over after `max_plies` plies.
    :raises GameError: the game breaks a promise of `GameState`; see `uniform_playout`.
    :raises ValueError: `max_plies` is no whole number of at least 1.

    >>> from fmcts.games import tictactoe
    >>> from fmcts.rng import StdGen
    >>> playout(tictactoe.start, StdGen(1, 1))
    (<Player.X: 'X'>, StdGen(s1=1860990862, s2=1422611300))
    """
    simulate = simulator_of(state, whole_number('max_plies', max_plies))
    draws = thaw(rng)
    winner = checked_winner(state, simulate(state, draws.draw))
    return winner, cast('R', draws.freeze())


def probabilities(state: S, *, max_positions: int = 1_000_000) -> Mapping[Player | None, Fraction]:
    """Return how likely each end of a uniformly random game from `state` is: exactly, by all games.

    The keys are the players and `None` for a draw. The state must be hashable. It is what the
    Haskell article works out by hand (002, I-B) before it estimates it by playouts:

    >>> from functools import reduce
    >>> from fmcts.games import tictactoe
    >>> state = reduce(tictactoe.TicTacToe.play, [4, 0, 2, 5, 3, 6], tictactoe.start)
    >>> for moves in ([7], [7, 8], [7, 1]):  # P(7), P(78), P(71)
    ...     print(probabilities(reduce(tictactoe.TicTacToe.play, moves, state))[Player.X])
    1/2
    1
    0

    :param max_positions: how many distinct positions may be looked at; tic-tac-toe has 5,478.
    :raises EndlessGameError: a position can come again.
    :raises GameError: the game violates `GameState`.
    :raises ValueError: more positions can be reached, or `max_positions` is not a whole number of
        at least 1.
    """
    whole_number('max_positions', max_positions)
    known: dict[S, dict[Player | None, Fraction]] = {}
    line: dict[S, list[S]] = {state: [state.play(move) for move in checked_moves(state)]}
    while line:
        here, after = next(reversed(line.items()))
        unknown = next((below for below in after if below not in known), None)
        if unknown is not None:
            if unknown in line:
                raise EndlessGameError(
                    f'a position of {type(state).__name__} can come again: '
                    'probabilities needs a game that cannot go round in circles'
                )
            line[unknown] = [unknown.play(move) for move in checked_moves(unknown)]
            if len(line) + len(known) > max_positions:
                raise ValueError(
                    f'more than {max_positions:,} positions can be reached: estimate by playouts, '
                    'or give a higher max_positions'
                )
            continue
        del line[here]
        shares = dict.fromkeys((Player.X, Player.O, None), Fraction(0))
        if not after:
            shares[checked_winner(here, here.winner)] = Fraction(1)
        for below in after:
            for winner, share in known[below].items():
                shares[winner] += share / len(after)
        known[here] = shares
    return known[state]
