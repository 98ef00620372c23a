"""All options of a search, drawn.

All choices are made by a function that takes one of several values, the simplest first: by
Hypothesis, or by a generator. The functions among the options are defined here too, so that a case
can be printed as code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, Final, TypeAlias, get_args

import attrs
from attrs import evolve, frozen

from drawn_games import Maze, fewer_ways
from fmcts.bits import popcount
from fmcts.game import MAX_PLIES, Player
from fmcts.rules import OnPositions, rules_of
from fmcts.search._description import Expansion, FinalChoice, Search, Transpositions
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.methods import METHODS, PUCT, Gumbel, Method, ReducedPUCT, Widening
from fmcts.search.networks import expected_of
from fmcts.search.policies import (
    MAST,
    NST,
    POLICIES,
    ByBot,
    LastGoodReply,
    Mixture,
    Narrowing,
    Policy,
)
from fmcts.search.schedules import SCHEDULES
from fmcts.testing._grammar import drawn_formula

__all__ = ['FUNCTIONS', 'drawn_family', 'drawn_search', 'narrowings_of', 'networks_of']

Choose: TypeAlias = Callable[[Sequence[Any]], Any]

EIGHTHS: Final = tuple(eighth / 8 for eighth in range(9))


# ---- functions that users might give ----


def worth(position: Any) -> float:
    """Return the value of a position to X: any number from 0 to 1."""
    return ((position[0] ^ position[1]) & 7) / 7.0  # type: ignore[no-any-return]


def payoff(position: Any) -> float:
    """Return the reward of X at the end of a game: 0, 1/4, 1/2 or 3/4."""
    return (((position[0] >> 1) ^ position[1]) & 3) / 4.0  # type: ignore[no-any-return]


def liking(position: Any, move: Any) -> float:
    """Return the prior of a move, or a heuristic: from 1/8 to 1."""
    return 1.0 / (1.0 + ((position[0] ^ move) & 7))  # type: ignore[no-any-return]


def fewest_bits(_position: Any, menu: Any) -> Any:
    """Narrow a set of moves to the one of the lowest bit, or to all others."""
    lowest = menu & -menu
    return menu ^ lowest if menu & 4 and menu ^ lowest else lowest


def worth_of_state(state: Any) -> float:
    """Return the value of a state to X."""
    return (len(state.moves) & 3) / 3.0


def payoff_of_state(state: Any) -> float:
    """Return the reward of X in a finished state."""
    return {Player.X: 0.875, Player.O: 0.125, None: 0.5}[state.winner]


def likings_of_state(state: Any) -> list[float]:
    """Return a prior for each move."""
    return [1.0 / (1 + index) for index in range(len(state.moves))]


def judging(states: Sequence[Any]) -> tuple[list[list[float]], list[Any]]:
    """Return priors and values of states, as a network."""
    seats = expected_of(states[0]).seats
    values = [valued(5 * len(state.moves) + 1, seats) for state in states]
    return [likings_of_state(state) for state in states], values


def valued(number: int, seats: int) -> Any:
    """Return a value made of a number, or one for each of the players."""
    if not seats:
        return (number & 7) / 7.0
    return tuple(((number + 3 * seat) & 7) / 7.0 for seat in range(seats))


@frozen
class Judging:
    """A network on positions, with a prior for each key of a move; some priors are 0."""

    keys: int
    seats: int = 0

    def __call__(self, positions: Any) -> tuple[Any, Any]:
        """Return the priors and values of the positions."""
        mixed = positions.sum(axis=1)
        priors = ((mixed[:, None] ^ [*range(self.keys)]) & 3) / 4.0
        if not self.seats:
            return priors, (mixed & 7) / 7.0
        return priors, [valued(number, self.seats) for number in mixed.tolist()]


def later_moves(state: Any) -> Sequence[Any]:
    """Return the second half of the moves."""
    moves = state.moves
    return moves[len(moves) // 2 :]  # type: ignore[no-any-return]


def any_bot(state: Any, rng: Any) -> tuple[Any, Any]:
    """Play a random move, as a bot."""
    index, rng = rng.uniform(0, len(state.moves) - 1)
    return state.moves[index], rng


def branching(edge: Any, parent: Any) -> float:
    """Score a move by a rule that is compiled one move at a time."""
    if edge.visits > 3.0:
        return edge.value  # type: ignore[no-any-return]
    return edge.value + parent.log_visits / edge.visits  # type: ignore[no-any-return]


def by_reward(edge: Any, _parent: Any) -> float:
    """Score a move of the root for the final choice."""
    return edge.reward - 0.25 * edge.visits  # type: ignore[no-any-return]


def is_clear(stats: tuple[Any, ...]) -> bool:
    """Return whether one move has a third of the visits, as a stop condition."""
    visits = [row.visits for row in stats]
    return 3 * max(visits) >= sum(visits)  # type: ignore[no-any-return]


FUNCTIONS: Final = (
    worth,
    payoff,
    liking,
    fewest_bits,
    fewer_ways,
    worth_of_state,
    payoff_of_state,
    likings_of_state,
    judging,
    Judging,
    later_moves,
    any_bot,
    branching,
    by_reward,
    is_clear,
)


def narrowings_of(state: Any) -> tuple[OnPositions, ...]:
    """Return the functions above that narrow the menus of this state's game."""
    rules = rules_of(state)
    if isinstance(state, Maze):
        return (OnPositions(fewer_ways),)
    bits = (
        rules is not None
        and rules.count is popcount
        and isinstance(rules.menu(rules.pack(state)), int)
    )
    return (OnPositions(fewest_bits),) if bits else ()


def networks_of(state: Any) -> tuple[Any, ...]:
    """Return networks for the game of a state, and `None`."""
    rules = rules_of(state)
    if rules is None or not find_spec('numpy'):
        return judging, judging, None
    on_positions = OnPositions(Judging(rules.keys, expected_of(state).seats))
    return judging, on_positions, on_positions, None


# ---- what is drawn ----


def drawn_family(
    choose: Choose, networks: Sequence[Any] = (), *, rewards: bool = False
) -> Mapping[str, Any]:
    """Return the options shared by all searches of one tree: its columns, and playouts' tables.

    Searches of a family with `networks` have one of these. `rewards`: of a game with rewards.
    """
    if rewards:
        family = {'selection': _drawn_selection(choose), 'remembering': _drawn_memories(choose)}
        counted = {'normalised': choose((False, True)), 'discount': choose((1.0, 0.9, 0.5))}
        counted['horizon'] = _seldom(choose, range(1, 7))
        family = {**family, **counted} if _exists({**family, **counted}) else family
        graph = {'remembering': (), 'transpositions': 'sound'}
        if _once(choose, 3) and _exists({**family, **graph}):
            family |= graph
        fits = family.get('normalised') or not isinstance(family['selection'], str)
        return family if fits else {**family, 'c': 2.0}
    if networks and _once(choose, 5):
        method: Any = _drawn_method(choose, choose((PUCT, ReducedPUCT, Widening, Gumbel, Gumbel)))
        return {
            'selection': evolve(method, prior=None),
            **choose(RESOLVING),
            'remembering': (),
            'networks': networks,
        }
    if _once(choose, 8):
        family = {'transpositions': choose(get_args(Transpositions)), 'remembering': ()}
        for _ in range(8):  # a graph cannot store the columns of most methods
            family['selection'] = _drawn_selection(choose)
            if _exists(family):
                return family
        return {**family, 'selection': 'ucb1'}
    resolution, normalised = choose(RESOLVING), {'normalised': True} if _once(choose, 8) else {}
    family = {'selection': _drawn_selection(choose), 'remembering': _drawn_memories(choose)}
    more = {**family, **resolution, **normalised}
    return more if _exists(more) else {**family, **resolution}


def _drawn_memories(choose: Choose) -> tuple[Policy, ...]:
    """Return policies whose tables playouts have, or none."""
    return choose(  # type: ignore[no-any-return]
        (
            *((),) * 4,
            *((policy,) for policy in POLICIES.values() if policy.memories),
            (LastGoodReply(forgetting=True),),
            (MAST(0.25), LastGoodReply(forgetting=True)),
            (NST(least=1),),
            (MAST(0.25), NST(0, least=3), LastGoodReply(forgetting=True)),
        )
    )


RESOLVING: Final[tuple[Mapping[str, bool], ...]] = (
    *({},) * 3,
    {'solver': True},
    {'solver': True, 'bounds': True},
    {'closing': True},
)


def _drawn_selection(choose: Choose) -> Any:
    kind = choose(('ucb1', *METHODS, 'rule', 'formula', 'gumbel'))
    if kind == 'rule':
        return branching
    if kind == 'formula':
        return drawn_formula(choose)
    if kind == 'gumbel':  # it has no name
        return _drawn_method(choose, Gumbel)
    if choose((True, False)):
        return kind
    return _drawn_method(choose, METHODS[kind])


def _drawn_method(choose: Choose, kind: type[Method]) -> Method:
    """Return a method with drawn parameters."""
    method = kind()
    for field in attrs.fields(kind):
        usual = getattr(method, field.name)
        if isinstance(usual, int | float) and not isinstance(usual, bool):
            among: tuple[Any, ...] = (usual, 0.0, 0.5 * usual, 2.0 * usual, 1.0, 3.0)
        elif isinstance(usual, bool):
            among = usual, not usual
        elif field.name in ('prior', 'heuristic'):
            of_moves = OnPositions(liking), OnPositions(liking), likings_of_state
            of_states = OnPositions(worth), OnPositions(worth), worth_of_state
            among = (None, *(of_states if method.derived else of_moves))
        else:
            continue
        with suppress(ValueError):  # a number out of its range
            method = evolve(method, **{field.name: choose(among)})
    return method


def drawn_search(
    choose: Choose,
    family: Mapping[str, Any],
    *,
    new: bool = True,
    narrowings: Sequence[OnPositions] = (),
    max_iterations: int = 130,
) -> Search:
    """Return a search of a family; `new`: of a tree without visits.

    An option that does not go with those drawn before it is left out.
    """
    remembering, networks = family['remembering'], family.get('networks')
    options = {name: value for name, value in family.items() if name not in _PARTS}
    most = choose((12, max_iterations, max_iterations))
    options['iterations'] = choose(range(1, 1 + most))
    if remembering:
        options['playout'] = _drawn_policy(choose, narrowings, remembering)
    if networks and (network := choose(networks)):
        options |= {'network': network, 'batch': choose((*range(1, 9), 20))}
        options |= choose(({}, {}, {'collisions': 1}, {'collisions': 8}, {'sliding': True}))
    if new and isinstance(options['selection'], Gumbel) and choose((True, True, False)):
        schedule = GumbelHalving(choose(range(1, 9)), scale=choose((1.0, 0.0, 2.5)))
        options |= {'schedule': schedule} if _exists({**options, 'schedule': schedule}) else {}
    # `robust-of-all` is an error if a move has no visit; most playouts have more than nine plies.
    finals = [name for name in get_args(FinalChoice) if name != 'robust-of-all'] * 2
    plies = (*(*range(1, 9),) * 6, *range(9, 60), MAX_PLIES, 2**64)
    usual = options.get('c')  # rewards beyond 1 need one
    constants = usual, usual, 0.0, 2**0.5, choose(range(3001)) / 1000, 1e300
    rewards = OnPositions(payoff), OnPositions(payoff), payoff_of_state
    free, stops = new and 'schedule' not in options, _once(choose, 10)
    left: list[Callable[[], dict[str, Any]]] = [
        lambda: {'c': choose(constants)} if isinstance(options['selection'], str) else {},
        lambda: {'expansion': choose((None, *get_args(Expansion)))},
        lambda: {'final': choose((*finals, by_reward, 'robust-of-all'))},
        lambda: {'max_nodes': _seldom(choose, range(1, choose((13, 201))), 3 if new else 2)},
        lambda: {'max_plies': _seldom(choose, plies, 8) or MAX_PLIES},
        lambda: _drawn_playout(choose, options, narrowings),
        lambda: {'reward': _seldom(choose, rewards)},
        lambda: {'schedule': _seldom(choose, (*SCHEDULES,))} if free else {},
        # It is asked at 100 visits.
        lambda: {'stop': is_clear, 'iterations': choose(range(120, 250))} if stops else {},
        lambda: {'rollout_expand': _once(choose, 8)},
    ]
    while left:
        draw = choose(left)
        left.remove(draw)
        more = draw()
        if more and _exists({**options, **more}):
            options |= more
    return Search(**options)


_PARTS: Final = 'remembering', 'networks'  # of a family; the rest are options of `Search`


def _exists(options: Mapping[str, Any]) -> bool:
    try:
        Search(**{name: value for name, value in options.items() if name not in _PARTS})
    except ValueError:
        return False
    return True


def _once(choose: Choose, times: int) -> bool:
    """Return true once in that many times."""
    return bool(choose(range(times)) == times - 1)


def _seldom(choose: Choose, among: Sequence[Any], times: int = 3) -> Any:
    """Return one of the values, once in that many times; else `None`."""
    return choose(among) if _once(choose, times) else None


def _drawn_playout(
    choose: Choose, options: Mapping[str, Any], narrowings: Sequence[OnPositions]
) -> dict[str, Any]:
    """Return a policy, an evaluator, or both: most policies need an evaluator to come later."""
    more: dict[str, Any] = {}
    evaluate = _seldom(choose, (OnPositions(worth), OnPositions(worth), worth_of_state))
    if evaluate is not None:
        more = {'evaluate': evaluate, 'evaluate_after': choose(range(6))}
    if 'playout' in options or choose((True, False)):
        return more
    return {**more, 'playout': _drawn_policy(choose, narrowings, ())}


def _drawn_policy(
    choose: Choose, narrowings: Sequence[OnPositions], remembering: Sequence[Policy], depth: int = 2
) -> Policy:
    """Return a policy, or a mixture of policies and of mixtures, with each of `remembering`."""
    leaves: tuple[Any, ...] = (
        *(policy for policy in POLICIES.values() if not policy.memories),
        *map(Narrowing, narrowings),
        *map(Narrowing, narrowings),
    )
    own = (*leaves, *leaves, Narrowing(later_moves), ByBot(any_bot))
    if not remembering and (not depth or choose((True, False))):
        return choose(own)  # type: ignore[no-any-return]
    here = [part for part in remembering if not depth or choose((True, False))]
    below = [part for part in remembering if part not in here]
    parts = [*here]
    if below or choose((True, False)):
        parts.append(_drawn_policy(choose, narrowings, below, depth - 1))
    parts.extend(choose(leaves) for _ in range(choose(range(3))))
    if not parts:
        return choose(own)  # type: ignore[no-any-return]
    weights = [1.0 / len(parts)] * len(parts)
    if len(parts) == 2:
        weights[0] = choose(EIGHTHS if not remembering else EIGHTHS[1:8])
        weights[1] = 1.0 - weights[0]
    return Mixture(tuple(parts), tuple(weights)) if len(parts) > 1 else parts[0]
