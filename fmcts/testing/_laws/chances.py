"""The laws that only games with chance, rewards or other players have."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from attrs import evolve

from fmcts._arguments import shown
from fmcts._promises import checked_chances, checked_players, rewards_of
from fmcts.errors import GameError
from fmcts.game import equal, players_of
from fmcts.testing._laws.cases import Case, ask, has, same
from fmcts.testing._laws.law import Law
from fmcts.testing._laws.moves import END, MEMBERS, MOVES, MOVES_AS_VALUES
from fmcts.testing._laws.states import NO_CHANCE


def _complaint(check: Callable[[Any], object], case: Case) -> str | None:
    """Return the message of the `GameError` that a check of the state raises, if it raises one."""
    try:
        check(case.state)
    except GameError as error:
        return str(error)
    return None


def _players(case: Case) -> str | None:
    players = players_of(case.state)
    if not same(players, players_of(case.game.start)):
        return f'the players are {shown(players)} here'
    return _complaint(checked_players, case)


def _ends(case: Case) -> str | None:
    state = case.state
    if ask(state, 'over'):
        return _complaint(rewards_of, case) or _contradiction(state)
    for name, nothing in (('rewards', ()), ('winner', None)):
        if has(state, name) and (given := ask(state, name)) != nothing:
            return f'the game is not over, and {name} is {shown(given)}'
    return None


def _contradiction(state: Any) -> str | None:
    """Return how the winner of a finished game differs from whom its rewards are best for."""
    winner = state.winner if has(state, 'rewards') and has(state, 'winner') else None
    if winner is None:
        return None
    for player, reward in zip(players_of(state), rewards_of(state), strict=True):
        if equal(player, winner) and reward == max(state.rewards):
            return None
    return f'the winner is {shown(winner)}, and the rewards are {shown(state.rewards)}'


BASIC_CHANCE_LAWS: Final[tuple[Law[Case], ...]] = (
    evolve(
        MEMBERS,
        sentence='A state has `player`, `moves`, `over`, `play`, and `winner` or `rewards`, and '
        'can be asked for each; `players`, `chances` and `rewards` are there in every state or in '
        'none.',
    ),
    Law(
        'players are the same everywhere',
        'Every state has the same tuple of distinct players, and `player` is one of them.',
        _players,
        basic=True,
    ),
    *MOVES_AS_VALUES,
    Law(
        'chances are outcomes with weights',
        'Chances are pairs of an outcome and a whole number of at least 1, no outcome comes twice, '
        'and where there are any the game is not over and has no moves.',
        partial(_complaint, checked_chances),
        basic=True,
    ),
)
"""Laws that all others rely on."""

NOTHING_DRAWN: Final = evolve(
    NO_CHANCE,
    name='nothing is drawn inside play',
    sentence='The same moves and outcomes from the same start always lead to the same state: what '
    'is drawn belongs in `chances`.',
)

LAWS_OF_OPTIONS: Final[tuple[Law[Case], ...]] = (
    *MOVES,
    evolve(
        END,
        name='who is asked has a move',
        sentence='Where chance does not move and the game is not over, the player has a move; a '
        'finished game has none.',
    ),
    Law(
        'ends have rewards',
        'A finished game has a reward from 0 to 1 for each player, or a winner who is a player or '
        'None, and a winner has the highest reward; before the end there are none.',
        _ends,
    ),
)
