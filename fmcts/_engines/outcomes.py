"""The reward of an iteration: playouts, evaluations and rewards, in the engines in Python.

Rewards here are for X, from 0 to 1; O gets the rest of 1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from fmcts._arguments import as_number, shown
from fmcts._promises import checked_moves, score
from fmcts.errors import MethodError
from fmcts.game import GameState, endless, given_winner, key_of
from fmcts.rules import OnPositions, position_itself, rules_of
from fmcts.search._description import Search
from fmcts.search.memory import NOTHING, Place, Recalled, check_hash, place_of
from fmcts.search.policies import Narrowing, Uniform
from fmcts.search.policies.narrowing import packed
from fmcts.search.policies.policy import Draw
from fmcts.simulation import simulator_of

After: TypeAlias = Callable[[Any, Any], Any]
"""`after(state, move)`: the state after the move."""


def worth(what: str, function: object, value: Any) -> float:
    """Return the value of an evaluator or a reward as a float from 0 to 1.

    :raises MethodError: it is not a number from 0 to 1.
    """
    number = as_number(value)
    if isinstance(number, int | float) and 0 <= number <= 1:
        return float(number)
    name = getattr(function, '__name__', None) or type(function).__name__
    raise MethodError(
        f'{what} {name} must return a number from 0 (X loses) to 1 (X wins), not {shown(value)}'
    )


def ending_of(search: Search) -> Callable[[GameState[Any]], float]:
    """Return a function from a finished state to its exact reward for X."""
    given = search.reward
    if given is None:
        return lambda state: score(state, given_winner(state))
    return valued('the reward', given)


def playout_of(search: Search, root: GameState[Any]) -> Callable[..., Any]:
    """Return `play(state, draw)`: a playout's reward from an unfinished state, or its evaluation.

    If the states of playouts join the tree, `play` also takes `after`, a function that returns the
    state after a move. If the moves of an iteration change tables, `play(state, draw, recalled)`
    returns a pair: the reward and all moves of the iteration.

    :raises MethodError: the policy narrows menus, and the game's rules declare no menu.
    """
    check_policy(search, root)
    remembers = remembers_moves(search)
    if search.evaluate is not None and not search.evaluate_after:
        evaluated = valued('the evaluator', search.evaluate)
        if remembers:
            return lambda state, _draw, recalled=NOTHING: (evaluated(state), recalled.line)
        return lambda state, _draw, _recalled=NOTHING: evaluated(state)
    plain = search.reward is None and search.evaluate is None and not remembers
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
        integers, which the game does not declare.
    """
    asked, named = of_states(given), getattr(given, 'function', given)
    return lambda state: worth(what, named, asked(state))


def of_states(given: Any) -> Callable[[GameState[Any]], Any]:
    """Return a function of states from one of states or positions.

    :raises MethodError: (when called) it needs rules on integers, which the game does not declare.
    """
    if isinstance(given, OnPositions):
        function = given.function
        return lambda state: function(packed(state))
    return given  # type: ignore[no-any-return]


def _played(state: GameState[Any], move: Any) -> GameState[Any]:
    return state.play(move)


def playout_by_policy(search: Search) -> Callable[..., Any]:
    """Playouts ply by ply: the policy chooses; after some plies an evaluation may end it."""
    ending, policy, remembers = ending_of(search), search.policy, remembers_moves(search)
    max_plies, plies = search.max_plies, None if search.evaluate is None else search.evaluate_after
    evaluated, place_at = valued('the evaluator', search.evaluate), placing(search)
    knowing, knows = policy.chooser(), bool(policy.memories)

    def play(
        state: GameState[Any], draw: Draw, recalled: Recalled = NOTHING, after: After = _played
    ) -> Any:
        line, choose = [*recalled.line], policy.choose
        if knows:
            choose = partial(knowing, Recalled(recalled.known, line))
        for ply in range(max_plies):
            moves = state.moves
            if not moves:
                break
            if ply == plies:
                worth_to_x = evaluated(state)
                return (worth_to_x, line) if remembers else worth_to_x
            move = choose(state, moves, draw)
            if remembers:
                line.append(place_at(state, move))
            state = after(state, move)
        else:
            if state.moves:
                raise endless(state, max_plies)
        if not state.over:
            checked_moves(state)
        return (ending(state), line) if remembers else ending(state)

    return play


def remembers_moves(search: Search) -> bool:
    """Return whether the moves of an iteration change tables: of the method, or of the policy."""
    return search.method.table is not None or bool(search.policy.memories)


def placing(search: Search) -> Callable[[Any, Any], Place]:
    """Return `place(state, move)`: who plays the move, and its key.

    :raises MethodError: (the function) the tables of the search cannot keep such a key.
    """
    table, memories = search.method.table, search.policy.memories
    if memories:
        return place_of
    if table is not None and table.scope == 'ancestor':
        return partial(place_of, who=f'the selection rule {type(search.method).__name__}')

    def place(state: Any, move: Any) -> Place:
        found = state.player, key_of(state, move)
        try:
            hash(found)
        except TypeError:
            check_hash(state, move)
            raise
        return found

    return place
