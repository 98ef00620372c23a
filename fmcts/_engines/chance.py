"""Games with chance or with other players than two: what their searches do otherwise.

`plan_of` takes these functions in place of the usual ones when a search begins, so the search of a
plain game runs the code it always ran. In the tree a node where chance moves has its outcomes in
place of moves; its child is drawn by weight, with one draw below the sum of the weights at each
visit. A playout draws an outcome in the same way where chance moves, and one move a ply elsewhere.

Two searches are told apart. In a game between X and O with a winner, a reward is one number, as
ever. In a game with `rewards` or other `players` it is one number for each player, and a node keeps
that of its mover: each player chooses for himself (max^n: C. Luckhardt and K. Irani, "An
algorithmic solution of n-person games", 1986; N. Sturtevant, "An analysis of UCT in multi-player
games", 2008).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, Final, TypeAlias

from attrs import frozen

from fmcts._arguments import amount, as_number, shown
from fmcts._engines.expansion import NO_STEP, Step, step_to
from fmcts._engines.outcomes import check_policy, ending_of, of_states, valued
from fmcts._engines.selection import name_of, reads_parent_value
from fmcts.errors import GameError, MethodError
from fmcts.game import (
    chances_of,
    checked_chances,
    checked_moves,
    drawn_outcome,
    has_rewards,
    is_plain,
    players_of,
    rewards_of,
)
from fmcts.rng import Draws
from fmcts.search._columns import NONE, Columns
from fmcts.search._description import Search
from fmcts.search._tree import MutableNode, Node, freeze_in_place
from fmcts.search.policies import Narrowing, Uniform
from fmcts.search.schedules import chooses_below_root
from fmcts.simulation import chance_playout
from fmcts.state import Do, State

Descent: TypeAlias = Generator[int, int, tuple[list[Any], Any, Step]]
"""Yields below which number one is to be drawn, and is sent the number."""


@frozen
class Verbs:
    """The steps of an iteration that differ in such games, for each way to store a tree.

    `backup` and `backup_in_place` are `None` if a reward is a single number, as in plain games.
    """

    backup: Callable[..., Node] | None
    backup_in_place: Callable[..., None] | None

    def select(
        self, root: Node, plan: Any, log: Sequence[float], rng: Any
    ) -> tuple[Any, Any, Step, Any]:
        """As `select` of the engine `persistent`."""
        steps = _descent(root, plan, log, copied=True)
        try:
            count = next(steps)
            while True:
                drawn, rng = rng.uniform(0, count - 1)
                count = steps.send(drawn)
        except StopIteration as end:
            return (*end.value, rng)

    def select_in_state(self, root: Node, plan: Any, log: Sequence[float]) -> Do[Any, Any]:
        """As `select` of the engine `monadic`."""
        steps = _descent(root, plan, log, copied=True)
        try:
            count = next(steps)
        except StopIteration as end:
            return end.value
        while True:
            drawn: Any = yield _drawn_below(count)
            try:
                count = steps.send(drawn)
            except StopIteration as end:
                return end.value

    def select_in_place(
        self, root: MutableNode, plan: Any, log: Sequence[float], draws: Draws
    ) -> tuple[Any, Any, Step]:
        """As `select` of the engine `inplace`."""
        steps = _descent(root, plan, log, copied=False)
        try:
            count = next(steps)
            while True:
                count = steps.send(draws.draw(count))
        except StopIteration as end:
            found: tuple[Any, Any, Step] = end.value
            return found


def _drawn_below(count: int) -> State[int, Any]:
    return State(lambda rng: rng.uniform(0, count - 1))


def _descent(root: Any, plan: Any, log: Sequence[float], *, copied: bool) -> Descent:
    """Descend as the engines do; where chance moves, draw the outcome to descend to."""
    path: list[Any] = []
    node, choose, offset = root, plan.choose, plan.log_offset
    while moves := node.moves:
        children, chances = node.children, chances_of(node.state)
        if chances:
            drawn = yield sum(weight for _, weight in chances)
            outcome = drawn_outcome(chances, drawn)
            index, place, made = step_to(moves.index(outcome), moves, children)
            if made:
                return path, node, (index, place, made)
        elif len(children) == len(moves):
            log_visits = log[offset + node.visits]
            place = choose(node, children, log_visits, path) if len(moves) > 1 else 0
        else:
            untried = plan.chances and plan.chances(node, children, path)
            drawn = (yield untried) if untried else 0
            log_visits = log[offset + node.visits]
            index, place, made = plan.step(node, children, log_visits, path, drawn)
            if made:
                return path, node, (index, place, made)
        path.append((node, children, place) if copied else node)
        node = children[place]
    return path, node, NO_STEP


def verbs_of(root: Any) -> Verbs | None:
    """Return what the search of this root does otherwise; `None` for a plain game."""
    if is_plain(root):
        return None
    if not has_rewards(root):
        return Verbs(None, None)
    place = {player: number for number, player in enumerate(players_of(root))}

    def backup(
        path: list[Any], node: Any, rewards: Sequence[float], _trace: Any, _plan: Any
    ) -> Node:
        children = node.children
        while True:
            new = MutableNode(
                node.move,
                node.mover,
                node.state,
                node.moves,
                node.visits + 1,
                node.reward + rewards[place[node.mover]],
                0.0,
                children,
                NONE,
            )
            new.value = new.reward / new.visits
            frozen_node = freeze_in_place(new)
            if not path:
                return frozen_node
            node, siblings, at = path.pop()
            children = (*siblings[:at], frozen_node, *siblings[at + 1 :])

    def backup_in_place(
        path: list[Any], node: Any, rewards: Sequence[float], _trace: Any, _plan: Any
    ) -> None:
        while True:
            node.visits += 1
            node.reward += rewards[place[node.mover]]
            node.value = node.reward / node.visits
            if not path:
                return
            node = path.pop()

    return Verbs(backup, backup_in_place)


def leaf_of(search: Search, fresh: Callable[..., Any] | None, *, in_place: bool) -> Any:
    """Return `leaf(node, move)`, as a plan has it; the chances of its state are checked."""

    def leaf(node: Any, move: Any, state: Any = None) -> Any:
        if state is None:
            state = node.state.play(move)
        chances = checked_chances(state)
        moves = tuple(outcome for outcome, _ in chances) or state.moves or checked_moves(state)
        columns = NONE
        if fresh:
            columns = _of_chance(search, len(moves)) if chances else fresh(state, moves)
        children: Any = [] if in_place else ()
        child = MutableNode(move, node.state.player, state, moves, 0, 0.0, 0.0, children, columns)
        return child if in_place else freeze_in_place(child)

    return leaf


def _of_chance(search: Search, count: int) -> Columns:
    """Return the columns of a new node where chance moves: zeros, also for each outcome."""
    names = search.columns
    rows = ((0.0,) * count,) * len(names.moves)
    return Columns(names, (0.0,) * len(names.own), rows, (), None)


def ended_of(search: Search, root: Any) -> Callable[[Any, Any], Any]:
    """Return `ended(path, node)`, as a plan has it."""
    ending = rewards_of if has_rewards(root) else ending_of(search)
    return lambda _path, node: (ending(node.state), None, None)


def playout_of(
    search: Search, root: Any, each: Callable[[Any, Any], object] | None = None
) -> Callable[..., Any]:
    """Return `playout(path, node, draw)`, as a plan has it; `each` is as in `chance_playout`.

    :raises MethodError: the policy narrows menus, and the game's rules declare no menu.
    """
    check_policy(search, root)
    several = has_rewards(root)
    ending: Any = rewards_of if several else ending_of(search)
    choose, max_plies = search.policy.choose, search.max_plies
    plain = isinstance(search.policy, Uniform)
    given = search.evaluate
    evaluated: Any = None
    if given is not None:
        evaluated = (
            _for_each(given, len(players_of(root))) if several else valued('the evaluator', given)
        )

    def playout(_path: Any, node: Any, draw: Callable[[int], int]) -> Any:
        state = chance_playout(
            node.state,
            draw,
            max_plies=max_plies,
            choose=None if plain else choose,
            stop_after=search.evaluate_after if given is not None else None,
            each=each,
        )
        if not state.over:
            return evaluated(state), None, None
        return ending(state), None, None

    return playout


def _for_each(function: Any, count: int) -> Callable[[Any], tuple[float, ...]]:
    """Return an evaluator that gives a number for each player, with what it gives checked."""
    named = getattr(function, 'function', function)
    name = getattr(named, '__name__', None) or type(named).__name__
    asked = of_states(function)

    def evaluated(state: Any) -> tuple[float, ...]:
        given = asked(state)
        numbers: Any = tuple(map(as_number, given)) if isinstance(given, tuple) else ()
        if len(numbers) == count and all(
            isinstance(each, int | float) and 0 <= each <= 1 for each in numbers
        ):
            return tuple(map(float, numbers))
        raise MethodError(
            f'the evaluator {name} must return a tuple of {amount(count, "number")} from 0 to 1, '
            f'one for each player, not {shown(given)}'
        )

    return evaluated


# ---- what is refused ----

BOTH: Final = 'a game with chance, rewards or other players'
MANY: Final = 'a game with rewards or other players'


def check_supported(search: Search, root: Any) -> None:
    """Raise an error for what a search of this game cannot have.

    :raises GameError: chance moves at the root.
    :raises MethodError: the search has options that the game cannot be searched with.
    """
    if is_plain(root):
        return
    if chances_of(root):
        raise GameError(
            f'chance moves in this state of {type(root).__name__}: play one of its outcomes '
            'before a search'
        )
    method = search.method
    lacking = {
        'solver: use fmcts.solve.expectation for exact values': search.solver,
        'closing': search.closing,
        'transpositions': search.transpositions is not None,
        'rollout_expand': search.rollout_expand,
        'the schedule shot': chooses_below_root(search.schedule),
        f'{name_of(method)}, which keeps statistics by move,': method.table is not None,
        f'{name_of(method)}, which derives numbers from children,': bool(method.derived),
        'a playout that remembers': bool(search.policy.memories),
        'a network': search.network is not None,
    }
    _refuse(lacking, BOTH)
    if not has_rewards(root):
        return
    _refuse(
        {
            f'{name_of(method)}, which keeps columns,': bool(search.columns),
            f'{name_of(method)}, which branches or reads parent.value,': reads_parent_value(method),
            'reward: the game gives its rewards itself': search.reward is not None,
            f'the playout {type(search.policy).__name__.lower()}': not isinstance(
                search.policy, Uniform | Narrowing
            ),
        },
        MANY,
    )


def _refuse(lacking: dict[str, bool], where: str) -> None:
    for what, asked in lacking.items():
        if asked:
            named, _, instead = what.partition(': ')
            hint = f': {instead}' if instead else ''
            raise MethodError(f'{named} is not supported in {where}{hint}')
