"""Laws of a state's members: its moves and chances, whose turn it is, and the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from attrs import evolve

from fmcts._arguments import shown
from fmcts._promises import checked_chances, checked_players, gained_of, rewards_of
from fmcts.errors import GameError
from fmcts.game import Player, equal, players_of, reward
from fmcts.testing._laws.cases import (
    OPTIONAL,
    Case,
    ask,
    differences,
    has,
    look,
    named,
    playable,
    same,
)
from fmcts.testing._laws.law import Law, law

SMALL: Final = 64
"""The number of moves up to which all are compared, even if their hashes differ."""


@law(
    'a state has all members',
    'A state has `player`, `moves`, `over`, `winner` and `play`, and can be asked for each.',
    basic=True,
)
def a_state_has_all_members(case: Case) -> str | None:
    look(case.state)
    ask(case.state, 'play')
    for name in OPTIONAL:
        if has(case.state, name) != has(case.game.start, name):
            return f'{shown(case.state)} and the start do not both have {name}'
    return None


@law('moves are a tuple', '`moves` is a tuple, so that nobody can change it.', basic=True)
def _tuple(case: Case) -> str | None:
    moves = ask(case.state, 'moves')
    return (
        None if isinstance(moves, tuple) else f'moves is a {type(moves).__name__}: {shown(moves)}'
    )


@law(
    'answers are stable',
    'Asked twice, a state gives the same moves in the same order, player, end and winner.',
    basic=True,
)
def _stable(case: Case) -> str | None:
    first, second = look(case.state), look(case.state)
    other = differences(first, second)
    return f'reading the state twice gives {other}' if other else None


@law('moves equal themselves', 'Each move equals itself, which NaN does not.', basic=True)
def _equal_to_itself(case: Case) -> str | None:
    for move in ask(case.state, 'moves'):
        if not equal(move, move):
            return f'the move {named(move)} does not equal itself'
    return None


@law('moves are unique', 'No two moves of a state are equal.')
def _unique(case: Case) -> str | None:
    moves = ask(case.state, 'moves')
    try:
        if len(moves) > SMALL and len(set(moves)) == len(moves):
            return None
    except TypeError:  # moves need not be hashable
        pass
    for index, move in enumerate(moves):
        for earlier in range(index):
            if equal(move, moves[earlier]):
                return f'the move {named(move)} at {earlier} and at {index}'
    return None


@law('over is a bool', '`over` is `True` or `False`.')
def _over(case: Case) -> str | None:
    over = ask(case.state, 'over')
    return None if isinstance(over, bool) else f'over is {shown(over)}'


@law(
    'two players',
    '`player` is `Player.X` or `Player.O`, also at the end: a game has two players.',
    basic=True,
)
def _player(case: Case) -> str | None:
    player = ask(case.state, 'player')
    return None if isinstance(player, Player) else f'player is {shown(player)}, not a Player'


@law('no moves at the end', '`moves` is `()` exactly when the game is over.')
def no_moves_at_the_end(case: Case) -> str | None:
    moves, over = playable(case.state), ask(case.state, 'over')
    if over and len(moves):
        return f'the state is over but has the moves {shown(moves, 80)}'
    if not over and not case.options:
        return (
            'the state has no moves but is not over (moves that cannot be listed are proposed, by '
            'Search(proposals=...): then give the check proposals=, too)'
        )
    return None


@law('no winner before the end', '`winner` is `None` while the game is not over.')
def _no_winner_yet(case: Case) -> str | None:
    winner = ask(case.state, 'winner')
    if ask(case.state, 'over') or winner is None:
        return None
    return f'the state is not over but its winner is {shown(winner)}'


@law(
    'the winner is a player',
    'At the end `winner` is `Player.X`, `Player.O` or, for a draw, `None`: so what the end is '
    'worth to the two adds to 1.',
)
def _winner(case: Case) -> str | None:
    if not ask(case.state, 'over'):
        return None
    winner = ask(case.state, 'winner')
    if sum(reward(winner, player) for player in Player) == 1.0:
        return None
    return f'the winner is {shown(winner)}'


MOVES_AS_VALUES: Final[tuple[Law[Case], ...]] = (
    _tuple,
    _equal_to_itself,
    _stable,
)

BASIC_LAWS: Final[tuple[Law[Case], ...]] = (
    a_state_has_all_members,
    _player,
    *MOVES_AS_VALUES,
)
"""Laws that all others rely on."""

MOVES: Final[tuple[Law[Case], ...]] = (
    _unique,
    _over,
)


LAWS_OF_MOVES: Final[tuple[Law[Case], ...]] = (
    *MOVES,
    no_moves_at_the_end,
    _no_winner_yet,
    _winner,
)


def _complaint(check: Callable[[Any], object], case: Case) -> str | None:
    """Return the message of the `GameError` that a check of the state raises, if it raises one."""
    try:
        check(case.state)
    except GameError as error:
        return str(error)
    return None


@law(
    'players are the same everywhere',
    'Every state has the same tuple of distinct players, and `player` is one of them.',
    basic=True,
)
def _same_players(case: Case) -> str | None:
    players = players_of(case.state)
    if not same(players, players_of(case.game.start)):
        return f'the players are {shown(players)} here'
    return _complaint(checked_players, case)


@law(
    'ends have rewards',
    'A finished game has a reward from 0 to 1 for each player, or a winner who is a player or '
    'None, and a winner has the highest reward; before the end there are none. What is gained on '
    'the way, if states say it, is a finite number for each player.',
)
def _rewarded(case: Case) -> str | None:
    state = case.state
    if has(state, 'gained'):
        count = len(players_of(state))
        wrong = _complaint(lambda state: gained_of(state, count), case)
        if wrong is not None:
            return wrong
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
    for player, worth in zip(players_of(state), rewards_of(state), strict=True):
        if equal(player, winner) and worth == max(state.rewards):
            return None
    return f'the winner is {shown(winner)}, and the rewards are {shown(state.rewards)}'


def _chances(case: Case) -> str | None:
    drawn = case.game.proposals and callable(getattr(case.state, 'chances', None))
    return None if drawn else _complaint(checked_chances, case)


BASIC_CHANCE_LAWS: Final[tuple[Law[Case], ...]] = (
    evolve(
        a_state_has_all_members,
        sentence='A state has `player`, `moves`, `over`, `play`, and `winner`, `rewards` or '
        '`gained`, and can be asked for each; `players`, `chances`, `rewards` and `gained` are '
        'there in every state or in none.',
    ),
    _same_players,
    *MOVES_AS_VALUES,
    Law(
        'chances are outcomes with weights',
        'Chances are pairs of an outcome and a whole number of at least 1, no outcome comes twice, '
        'and where there are any the game is not over and has no moves.',
        _chances,
        basic=True,
    ),
)
"""Laws that all others rely on."""

LAWS_OF_OPTIONS: Final[tuple[Law[Case], ...]] = (
    *MOVES,
    evolve(
        no_moves_at_the_end,
        name='who is asked has a move',
        sentence='Where chance does not move and the game is not over, the player has a move; a '
        'finished game has none.',
    ),
    _rewarded,
)
