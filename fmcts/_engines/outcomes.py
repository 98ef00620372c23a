"""The reward of an iteration: playouts, evaluations and rewards, in the engines in Python.

Rewards here are for X, from 0 to 1; O gets the rest of 1. In a game with rewards or other players
than X and O they are a tuple with a number for each player: with rewards on the way, that of what
follows the node where the descent ended.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from attrs import define, field

from fmcts._arguments import amount, as_number, shown
from fmcts._engines.proposing import proposer_of
from fmcts._engines.returns import returns_of
from fmcts._engines.rollouts import Rollout
from fmcts._promises import (
    checked_moves,
    limits_of,
    numbers_in,
    rewards_of,
    rolled,
    score,
)
from fmcts.errors import MethodError
from fmcts.game import (
    GameState,
    chances_of,
    endless,
    given_winner,
    has_rewards,
    is_plain,
    key_of,
    players_of,
)
from fmcts.rules import OnPositions, position_itself, rules_of
from fmcts.search import Search
from fmcts.search.memory import Place, Played, Recalled, entries_of, place_of
from fmcts.search.policies import Narrowing, Uniform
from fmcts.search.policies.narrowing import packed
from fmcts.search.policies.policy import Draw
from fmcts.simulation import simulator_of, throw

Path: TypeAlias = list[Any]
"""The nodes above another one, the root first: each with its places and the one taken.

Where paths are copied, the places are the node's, or those that an expansion gives it: `backup`
creates the node that has them, so a new child costs one new parent and not two.
"""


@define
class Trace:
    """The moves of an iteration: all in a line, and those `played` from a node on.

    Backup goes from the leaf, which `depth` moves lead to, to the root, and so do `played` and what
    was `following` the node.
    """

    line: Played
    depth: int
    following: Any
    played: set[Place | None] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Begin with what was played from the leaf on."""
        self.played = set(self.line[self.depth :])

    def climb(self) -> None:
        """Add the move that leads to the node, for the node above it."""
        self.depth -= 1
        self.played.add(self.line[self.depth])


Found: TypeAlias = tuple[Any, Trace | None, Rollout | None]
"""The reward of an iteration; its moves, if they change tables; and the states of its playout, if
they join the tree."""


# ---- rewards ----


def ending_of(search: Search) -> Callable[[GameState[Any]], float]:
    """Return a function from a finished state to its exact reward for X."""
    given = search.reward
    if given is None:
        return lambda state: score(state, given_winner(state))
    return valued('the reward', given)


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
    asked = of_states(given)

    def worth(state: GameState[Any]) -> float:
        value = asked(state)
        number = as_number(value)
        if isinstance(number, int | float) and 0 <= number <= 1:
            return float(number)
        raise MethodError(
            f'{what} {_called(given)} must return a number from 0 (X loses) to 1 (X wins), '
            f'not {shown(value)}'
        )

    return worth


def of_states(given: Any) -> Callable[[GameState[Any]], Any]:
    """Return a function of states from one of states or positions.

    :raises MethodError: (when called) it needs rules on integers, which the game does not declare.
    """
    if isinstance(given, OnPositions):
        function = given.function
        return lambda state: function(packed(state))
    return given  # type: ignore[no-any-return]


def judge_of(what: str, given: Any, root: GameState[Any]) -> Callable[[GameState[Any]], Any]:
    """Return a function of states that gives their worth, from a user's, which is checked.

    In a game with rewards it gives a number for each player.
    """
    if not has_rewards(root):
        return valued(what, given)
    count, asked, (least, most) = len(players_of(root)), of_states(given), limits_of(root)

    def judge(state: Any) -> tuple[float, ...]:
        found = asked(state)
        numbers = numbers_in(found, count, least, most, alone=True)
        if numbers is None:
            within = ' from 0 to 1' if most == 1 else ', all finite'
            raise MethodError(
                f'{what} {_called(given)} must return a tuple '
                f'of {amount(count, "number")}{within}, one for each player, not {shown(found)}'
            )
        return numbers

    return judge


def _called(given: object) -> str:
    function = getattr(given, 'function', given)  # of positions
    return getattr(function, '__name__', None) or type(function).__name__


# ---- the end of an iteration ----


def ended_of(search: Search, root: GameState[Any]) -> Callable[[Path, Any], Found]:
    """Return `ended(path, node)`: what a finished node is worth, or one at the horizon."""
    ending: Callable[[Any], Any] = rewards_of if has_rewards(root) else ending_of(search)
    if not remembers_moves(search):
        return lambda _path, node: (ending(node.state), None, None)
    place = placing(search)

    def ended(path: Path, node: Any) -> Found:
        line = _line(path, place)
        worth = ending(node.state)
        return worth, Trace(line, len(line), worth), None

    return ended


def playout_of(
    search: Search, root: GameState[Any], noted: Callable[[Any], object] | None = None
) -> Callable[[Path, Any, Draw], Found]:
    """Return `playout(path, node, draw)`: what a playout from an unfinished node finds.

    The policy chooses the moves, and outcomes are drawn by weight where chance moves. After some
    plies an evaluation may replace the rest. `noted` is called with each move and outcome.

    :raises MethodError: the policy narrows menus, and the game's rules declare no menu.
    """
    check_policy(search, root)
    evaluated = search.evaluate and judge_of('the evaluator', search.evaluate, root)
    longer = noted or remembers_moves(search) or search.rollout_expand or search.proposing
    if is_plain(root) and not longer:  # shorter ways to the same
        if evaluated and not search.evaluate_after:
            return lambda _path, node, _draw: (evaluated(node.state), None, None)
        if not evaluated and search.reward is None and isinstance(search.policy, Uniform):
            simulate = simulator_of(root, search.max_plies)
            return lambda _path, node, draw: (
                score(node.state, simulate(node.state, draw)),
                None,
                None,
            )
    return _ply_by_ply(search, root, noted, evaluated)


def _ply_by_ply(  # noqa: C901 - a playout in one piece
    search: Search, root: GameState[Any], noted: Callable[[Any], object] | None, evaluated: Any
) -> Callable[[Path, Any, Draw], Found]:
    plain, chained, remembers = is_plain(root), search.rollout_expand, remembers_moves(search)
    policy, max_plies, plies = search.policy, search.max_plies, search.evaluate_after
    returns = returns_of(search, root)
    place, knowing, memories = placing(search), policy.chooser(), policy.memories
    ending, propose = rewards_of if has_rewards(root) else ending_of(search), proposer_of(search)

    def ended(state: Any) -> Any:
        if not state.over:
            checked_moves(state)
        return ending(state)

    def playout(path: Path, node: Any, draw: Draw) -> Found:  # noqa: C901, PLR0912 - as above
        line, choose = _line(path, place) if remembers else [], policy.choose
        if memories:
            kept = (path[0][0] if path else node).columns.memory
            choose = partial(knowing, Recalled(entries_of(memories, kept), line))
        rng = node.columns.proposed
        state, depth, states = node.state, len(line), Rollout(node) if chained else None
        worth: Callable[[Any], Any] = ended
        way = returns and returns.way(path)
        for ply in range(max_plies):
            if not plain and (chances := chances_of(state)):
                if callable(chances):
                    move, rng = throw(state, rng)
                else:
                    move = rolled(state, chances, draw)
            elif way and way.left <= 0 and not state.over:  # its moves may not be known
                worth = lambda _state: way.returns.nothing  # noqa: E731 - it is called at once
                break
            elif not (moves := state.moves) and (propose is None or state.over):
                break
            elif evaluated and ply >= plies:
                worth = evaluated
                break
            else:
                if moves or propose is None:
                    move = choose(state, moves, draw)
                else:
                    move, rng = propose(state, rng)
                if way:
                    way.left -= 1
            if remembers:
                # An outcome is nobody's move: tables do not learn from it.
                line.append(None if not plain and chances else place(state, move))
            state = states.play(state, move) if states else state.play(move)
            if way:
                way.reach(state)
            if noted:
                noted(move)
        else:
            if not state.over:
                raise endless(state, max_plies)
        found = worth(state)
        if way:
            found = way.add(found)
        return found, Trace(line, depth, found) if remembers else None, states

    return playout


def _line(path: Path, place: Callable[[Any, Any], Place]) -> list[Place | None]:
    """Return the moves of a path; `None` where chance moved."""
    return [
        None if chances_of(node.state) else place(node.state, node.moves[at])
        for node, _, at in path
    ]


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

    return lambda state, move: (state.player, key_of(state, move))
