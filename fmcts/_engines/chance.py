"""Games with chance or with other players than two: what their searches do otherwise.

In the tree a node where chance moves has its outcomes in place of moves; its child is drawn by
weight, with one draw below the sum of the weights at each visit. A playout draws an outcome in the
same way where chance moves, and one move a ply elsewhere.

Two searches are told apart. In a game between X and O with a winner, a reward is one number, as
ever. In a game with rewards or other `players` it is one number for each player, and a node keeps
that of its mover: each player chooses for himself (max^n: C. Luckhardt and K. Irani, "An
algorithmic solution of n-person games", 1986; N. Sturtevant, "An analysis of UCT in multi-player
games", 2008).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fmcts._engines.expansion import Chances, Step, Turn, in_order, step_to
from fmcts._engines.returns import Returns, returns_of
from fmcts._engines.selection import name_of
from fmcts._promises import checked_chances, checked_moves
from fmcts.errors import GameError, MethodError
from fmcts.game import (
    chances_of,
    drawn_outcome,
    has_member,
    has_rewards,
    is_plain,
    players_of,
)
from fmcts.search import Search
from fmcts.search.derived import Derived
from fmcts.search.policies import Preferring
from fmcts.search.proposals import Width
from fmcts.search.schedules import chooses_below_root


def options_at(state: Any, *, listed: bool = True) -> tuple[Any, ...]:
    """Return the moves of a state, or the outcomes where chance moves, which are checked.

    There may be none before the end of the game if they need not be `listed`.
    """
    return tuple(outcome for outcome, _ in checked_chances(state)) or (
        state.moves or checked_moves(state, listed=listed)
    )


def rolling(
    chances: Chances | None, step: Turn, revisits: str | None = None
) -> tuple[Chances, Turn]:
    """Return what is drawn and the step at a node with untried moves, or where chance moves.

    `revisits`: where outcomes are proposed, how one is chosen among them (see `Proposals`); the
    first whose node has no visits comes before all others, and weights do not count.
    """

    def weighed(node: Any, places: Sequence[Any]) -> tuple[tuple[Any, int], ...]:
        outcomes = chances_of(node.state)
        if not (outcomes and revisits):
            return outcomes
        if places and all(places):
            if revisits == 'least-visited':
                return ((min(places, key=lambda child: child.visits).move, 1),)
            return tuple((child.move, child.visits) for child in places)
        return ((node.moves[in_order(node, places, 0.0, None, 0)[0]], 1),)

    def drawn_below(node: Any, places: Sequence[Any], path: Any) -> int:
        outcomes = weighed(node, places)
        if outcomes:
            return sum(weight for _, weight in outcomes)
        return chances(node, places, path) if chances else 0

    def to(node: Any, places: Sequence[Any], log_visits: float, path: Any, drawn: int) -> Step:
        outcomes = weighed(node, places)
        if outcomes:
            return step_to(node.moves.index(drawn_outcome(outcomes, drawn)), places)
        return step(node, places, log_visits, path, drawn)

    return drawn_below, to


# ---- what is refused ----


def check_supported(search: Search, root: Any) -> None:
    """Raise an error for what a search of this game cannot have.

    :raises GameError: chance moves at the root.
    :raises MethodError: the search has options that the game cannot be searched with.
    """
    if search.network is None and isinstance(search.proposals, Width):
        raise MethodError(
            'proposals=Width(...) is for an evaluator that is asked, by fmcts.asking: '
            'give a search a function, or Proposals of one'
        )
    for what, has_it, where in _refused(search, root):
        if has_it:
            named, _, instead = what.partition(': ')
            hint = f': {instead}' if instead else ''
            raise MethodError(f'{named} is not supported in {where}{hint}')
    if chances_of(root):
        raise GameError(
            f"it is chance's turn in this state of {type(root).__name__}: play an outcome "
            'before a search'
        )


def _refused(search: Search, root: Any) -> Iterator[tuple[str, object, str]]:
    """Yield what searches of this game may not have, whether this one has it, and the game."""
    if not has_rewards(root):
        where = 'a game of X and O with a winner alone: give its states rewards'
        yield 'discount', search.discount != 1.0, where
        yield 'horizon', search.horizon is not None, where
        yield "solver='exact': use solver=True", search.solver == 'exact', 'a game of X and O'
    if is_plain(root):
        return
    method, chancy = search.method, has_member(root, 'chances')
    single, returns = len(players_of(root)) == 1 and not chancy, returns_of(search, root)
    if chancy:
        where = 'a game with chance (a member `chances`)'
        below = chooses_below_root(search.schedule)
        yield 'closing, which would leave out what chance may draw,', search.closing, where
        yield 'rollout_expand, whose playouts join the tree,', search.rollout_expand, where
        yield 'the schedule shot, which chooses every move,', below, where
    where = 'a game with chance (a member `chances`), rewards or other players'
    proves = single and (
        search.solver == 'exact' or (returns is None and not has_member(root, 'rewards'))
    )
    other = "solver='exact' or " if single else ''
    instead = f'use {other}fmcts.solve.expectation for exact values'
    yield f'solver: {instead}', search.solver and not proves, where
    for each in method.derived:
        reason = _underived(each, root, returns)
        yield f'{name_of(method)}, which derives numbers from children,: {reason}', reason, where
    if not has_rewards(root):
        return
    naive = returns is not None and search.transpositions == 'naive'
    same = "transpositions='naive', which gives every parent the same score,: use 'sound'"
    yield same, naive, 'a game with rewards on the way, a discount or a horizon'
    where, policy = 'a game with rewards or other players', search.policy
    looks = any(isinstance(leaf, Preferring) for leaf in policy.leaves)
    yield f'{name_of(method)}, which marks lost ends,', method.updates_above_ends, where
    yield 'reward: the game gives its rewards itself', search.reward is not None, where
    yield f'the playout {policy.name or type(policy).__name__}, which looks for wins,', looks, where


def _underived(derived: Derived, root: Any, returns: Returns | None) -> str:
    """Return why a statistic cannot be derived in this game; nothing if it can."""
    if derived.running:
        return ''
    if has_rewards(root) and len(players_of(root)) > 1:
        return 'a node has a number for its mover alone, and max^n hands up those of all'
    if (has_member(root, 'chances') or returns) and not derived.averaged:
        return 'outcomes are averaged, and these numbers are not means'
    if returns and returns.gives and not derived.any_scale:
        return 'they are made for values from 0 to 1'
    return ''
