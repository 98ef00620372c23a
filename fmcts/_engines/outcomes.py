"""The reward of an iteration: playouts, evaluations and rewards, in the engines in Python.

Rewards here are for X, from 0 to 1; O gets the rest of 1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from fmcts._arguments import shown
from fmcts.errors import MethodError
from fmcts.game import GameState, checked_moves, endless, key_of, score
from fmcts.rules import OnPositions, position_itself, rules_of
from fmcts.search._description import Search
from fmcts.search.memory import NOTHING, Line, Recalled, check_hash, place_of
from fmcts.search.policies import Narrowing, Uniform
from fmcts.search.policies.narrowing import packed
from fmcts.search.policies.policy import Draw
from fmcts.simulation import simulator_of

__all__ = [
    'Outcome',
    'Played',
    'check_policy',
    'ending_of',
    'note_played',
    'playout_by_policy',
    'playout_of',
    'valued',
    'worth',
]

Played: TypeAlias = set[tuple[Any, Any]]
"""The moves of an iteration below some node: their players and keys."""


After: TypeAlias = Callable[[Any, Any], Any]
"""`after(state, move)`: the state after the move."""


class Outcome(NamedTuple):
    """The reward of an iteration for X, and the moves of its playout if they are recorded."""

    for_x: float
    played: Played | None


def worth(what: str, function: object, value: Any) -> float:
    """Return the value of an evaluator or a reward as a float from 0 to 1.

    :raises MethodError: it is not a number from 0 to 1.
    """
    if isinstance(value, int | float) and 0 <= value <= 1:
        return float(value)
    name = getattr(function, '__name__', None) or type(function).__name__
    raise MethodError(
        f'{what} {name} must give a number from 0, X loses, to 1, X wins, not {shown(value)}'
    )


def ending_of(search: Search) -> Callable[[GameState[Any]], float]:
    """Return a function from a finished state to its exact reward for X."""
    given = search.reward
    if given is None:
        return lambda state: score(state, state.winner)
    return valued('the reward', given)


def playout_of(search: Search, root: GameState[Any]) -> Callable[..., Any]:
    """Return `play(state, draw)`: a playout's reward from an unfinished state, or its evaluation.

    For a method that records moves it returns an `Outcome`, else the number alone. If the states of
    playouts join the tree, it takes another argument, `after`, a function that returns the state
    after a move. For a policy that remembers, `play(state, draw, recalled)` returns a pair: this,
    and all moves of the iteration.

    :raises MethodError: the policy narrows menus, and the game's rules have none.
    """
    check_policy(search, root)
    traces = search.method.traces
    if search.evaluate is not None and not search.evaluate_after:
        evaluated = valued('the evaluator', search.evaluate)
        if traces:
            return lambda state, _draw: Outcome(evaluated(state), set())
        return lambda state, _draw: evaluated(state)
    plain = search.reward is None and search.evaluate is None and not traces
    if plain and not search.rollout_expand and isinstance(search.policy, Uniform):
        simulate = simulator_of(root, search.max_plies)
        return lambda state, draw: score(state, simulate(state, draw))
    return playout_by_policy(search)


def check_policy(search: Search, state: GameState[Any]) -> None:
    """Check that a policy on positions has menus to narrow.

    :raises MethodError: the rules of the game have positions only.
    """
    policy, rules = search.policy, rules_of(state)
    if (
        isinstance(policy, Narrowing)
        and isinstance(policy.function, OnPositions)
        and rules is not None
        and rules.menu is position_itself
    ):
        raise MethodError(
            f'the playout policy {policy.called} narrows a menu, and the rules on integers of '
            f'{type(state).__name__} have none: a menu may be a NamedTuple of integers'
        )


def valued(what: str, given: Any) -> Callable[[GameState[Any]], float]:
    """Return a function of states from one of states or positions; errors call it `what`.

    :raises MethodError: (when called) it does not return a number from 0 to 1, or needs rules on
        integers where there are none.
    """
    if isinstance(given, OnPositions):
        function = given.function
        return lambda state: worth(what, function, function(packed(state)))
    return lambda state: worth(what, given, given(state))


def _played(state: GameState[Any], move: Any) -> GameState[Any]:
    return state.play(move)


def playout_by_policy(search: Search) -> Callable[..., Any]:
    """Return playouts ply by ply: the policy chooses; after some plies an evaluation may end it."""
    ending, policy, traces = ending_of(search), search.policy, search.method.traces
    max_plies, plies = search.max_plies, None if search.evaluate is None else search.evaluate_after
    evaluated, remembers = valued('the evaluator', search.evaluate), bool(policy.memories)
    knowing = policy.chooser()

    def play(
        state: GameState[Any], draw: Draw, recalled: Recalled = NOTHING, after: After = _played
    ) -> Any:
        played: Played | None = set() if traces else None
        line, choose = None, policy.choose
        if remembers:
            line = [*recalled.line]
            choose = partial(knowing, Recalled(recalled.known, line))
        for ply in range(max_plies):
            moves = state.moves
            if not moves:
                break
            if ply == plies:
                return _told(evaluated(state), played, line)
            move = choose(state, moves, draw)
            if played is not None:
                note_played(played, state, state.player, move)
            if line is not None:
                line.append(place_of(state, move))
            state = after(state, move)
        else:
            if state.moves:
                raise endless(state, max_plies)
        if not state.over:
            checked_moves(state)
        return _told(ending(state), played, line)

    return play


def note_played(played: Played, state: Any, player: Any, move: Any) -> None:
    """Add a move of a state to those that were played.

    :raises MethodError: its key has no hash.
    """
    try:
        played.add((player, key_of(state, move)))
    except TypeError:
        check_hash(state, move)
        raise


def _told(for_x: float, played: Played | None, line: Line | None) -> Any:
    """Return a playout's result: more than its reward, if moves are recorded."""
    outcome = for_x if played is None else Outcome(for_x, played)
    return outcome if line is None else (outcome, line)
