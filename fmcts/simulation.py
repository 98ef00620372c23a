"""Uniformly random games: play one to its end, or find the exact probabilities of all ends.

`playout` plays one game, `fmcts.playouts` plays many, and `probabilities` gives the exact
values that their means approach.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias, TypeVar, cast

from fmcts._arguments import check_start, whole_number
from fmcts._declared import declared
from fmcts._promises import (
    check_hash,
    check_plain,
    checked_chances,
    checked_moves,
    checked_winner,
    rewards_of,
    rolled,
)
from fmcts.errors import EndlessGameError, GameError
from fmcts.game import (
    MAX_PLIES,
    GameState,
    Player,
    chances_of,
    drawn_outcome,
    endless,
    gains,
    given_winner,
    has_member,
    is_plain,
)
from fmcts.rng import Rng, thaw

S = TypeVar('S', bound=GameState[Any])
R = TypeVar('R', bound=Rng)

Simulator: TypeAlias = Callable[[S, Callable[[int], int]], Player | None]
"""`simulate(state, draw)` plays a state to its end and returns the winner, `None` for a draw.

`draw(n)` returns an index below n. The winner is not checked; `fmcts._promises.score` does that."""


def throw(state: S, rng: R) -> tuple[Any, R]:
    """Draw an outcome where chance moves, and return it with the generator to use next.

    It is to chance what a bot is to a player, in a loop of your own.

    :raises GameError: chance does not move here, or its outcomes break a promise.

    >>> from fmcts import SplitMix
    >>> from fmcts.games.chance import pig
    >>> throw(pig.start().play('roll'), SplitMix.from_seed(1))[0]
    6
    """
    drawn: Any = chances_of(state)
    # Outcomes that are too many to list are drawn by a function of the state.
    if callable(drawn):
        return drawn(rng)  # type: ignore[no-any-return]
    chances = checked_chances(state)
    if not chances:
        raise GameError('chance does not move here: a player does, or the game is over')
    drawn, rng = rng.uniform(0, sum(weight for _, weight in chances) - 1)
    return drawn_outcome(chances, drawn), rng


def uniform_playout(
    state: GameState[Any], draw: Callable[[int], int], *, max_plies: int = MAX_PLIES
) -> Player | None:
    """Play uniformly random moves to the end, with one draw per ply; return the winner.

    `draw(n)` returns an index below n.

    :raises EndlessGameError: the game is not over after `max_plies` plies.
    :raises GameError: the last state is not `over`, or the one before it is.
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
    # Checking every ply would cost a tenth of the speed. The last one is enough to catch a game
    # whose author forgot that it ends before the board is full.
    if not state.over or (before is not state and before.over):
        checked_moves(before)
        checked_moves(state)
    winner: Player | None = given_winner(state)
    return winner


def chance_playout(
    state: S,
    draw: Callable[[int], int],
    *,
    max_plies: int = MAX_PLIES,
    choose: Callable[[Any, Any, Callable[[int], int]], Any] | None = None,
    stop_after: int | None = None,
    each: Callable[[Any, S], object] | None = None,
) -> S:
    """Play a game with chance or any number of players to its end; return the last state.

    Where chance moves an outcome is drawn by weight, elsewhere a move, each with one draw.

    :param choose: `choose(state, moves, draw)` gives the moves; without it they are drawn.
    :param stop_after: after this number of plies, return the next state in which a player moves.
    :param each: called with each outcome and move, and the state after it.
    :raises EndlessGameError: the game is not over after `max_plies` plies.
    :raises GameError: the last state is not `over`, or its chances are not as promised.
    """
    for ply in range(max_plies):
        chances = chances_of(state)
        if chances:
            move = rolled(state, chances, draw)
        else:
            moves = state.moves
            if not moves or (stop_after is not None and ply >= stop_after):
                break
            move = choose(state, moves, draw) if choose else moves[draw(len(moves))]
        state = state.play(move)
        if each is not None:
            each(move, state)
    else:
        if state.moves or chances_of(state):
            raise endless(state, max_plies)
    if not state.over:
        checked_moves(state)
    return state


def simulator_of(state: S, max_plies: int = MAX_PLIES) -> Simulator[S]:
    """Return the uniform playout for this state's game, limited to `max_plies` plies.

    It is the method `playout(draw)` that the state's own class declares, a faster implementation
    that equals `uniform_playout` draw for draw. If the class declares none, or only inherits one
    (a subclass may override what the method relies on), it is `uniform_playout`. A class may
    declare `longest_game`, the most plies that its games can have; otherwise the draws of its
    method are counted. It raises the errors of `uniform_playout`.
    """
    if not is_plain(state):
        return lambda state, draw: getattr(
            chance_playout(state, draw, max_plies=max_plies), 'winner', None
        )
    own = declared(state, 'playout')
    if own is None:
        return partial(uniform_playout, max_plies=max_plies)
    longest = declared(state, 'longest_game')
    # Then no game can reach the limit, and its playout need not count.
    if longest is not None and longest <= max_plies:
        return cast('Simulator[S]', own)
    return lambda state, draw: own(state, _counted(state, draw, max_plies))


def _counted(
    state: GameState[Any], draw: Callable[[int], int], max_plies: int
) -> Callable[[int], int]:
    """Return `draw`, limited to `max_plies` calls: a playout draws once a ply."""
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
    """Play one uniformly random game; return the winner (`None`: a draw) and the next generator.

    :raises EndlessGameError: the game is not over after `max_plies` plies.
    :raises GameError: the game breaks a promise of `GameState` or `ChanceState`; see
        `uniform_playout`. Or it has rewards, and need not have a winner.
    :raises ValueError: `max_plies` is not a whole number of at least 1.

    >>> from fmcts.games import tictactoe
    >>> from fmcts.rng import StdGen
    >>> playout(tictactoe.start, StdGen(1, 1))
    (<Player.X: 'X'>, StdGen(s1=1860990862, s2=1422611300))
    """
    whole_number('max_plies', max_plies)
    check_start(state)
    if gains(state) or has_member(state, 'rewards'):  # its `winner` may be `None`, which is no draw
        check_plain(state, 'a winner (use fmcts.simulation.chance_playout)')
    draws = thaw(rng)
    if is_plain(state):
        winner = checked_winner(state, simulator_of(state, max_plies)(state, draws.draw))
        return winner, cast('R', draws.freeze())
    checked_chances(state)
    # Every state on the way is checked here, as one game costs little; what plays many looks at the
    # ends alone.
    last = chance_playout(
        state, draws.draw, max_plies=max_plies, each=lambda _, after: checked_chances(after)
    )
    rewards_of(last)
    return getattr(last, 'winner', None), cast('R', draws.freeze())


def probabilities(state: S, *, max_positions: int = 1_000_000) -> Mapping[Player | None, Fraction]:
    """Return the exact probability of each outcome of a uniformly random game from `state`.

    The keys are the players and `None` for a draw. The state must be hashable. The Haskell article
    (I-B) works these numbers out by hand before it estimates them by playouts:

    >>> from functools import reduce
    >>> from fmcts.games import tictactoe
    >>> state = reduce(tictactoe.TicTacToe.play, [4, 0, 2, 5, 3, 6], tictactoe.start)
    >>> for moves in ([7], [7, 8], [7, 1]):  # P(7), P(78), P(71)
    ...     print(probabilities(reduce(tictactoe.TicTacToe.play, moves, state))[Player.X])
    1/2
    1
    0

    :param max_positions: the limit on distinct positions visited; tic-tac-toe has 5,478.
    :raises EndlessGameError: a position can be repeated.
    :raises GameError: the game violates `GameState`.
    :raises ValueError: more positions can be reached, or `max_positions` is not a whole number of
        at least 1.
    """
    whole_number('max_positions', max_positions)
    check_start(state)
    check_plain(state, 'probabilities (use fmcts.solve.expectation for perfect play)')
    check_hash(state, 'probabilities')
    known: dict[S, dict[Player | None, Fraction]] = {}
    # A dict keeps the order of a stack, and says at once whether a position is on the line already.
    line: dict[S, list[S]] = {state: [state.play(move) for move in checked_moves(state)]}
    while line:
        # `line` leads from the start to here, and takes the place of recursion: games may be long.
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
            shares[checked_winner(here, given_winner(here))] = Fraction(1)
        for below in after:
            for winner, share in known[below].items():
                shares[winner] += share / len(after)
        known[here] = shares
    return known[state]
