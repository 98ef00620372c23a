"""Laws of a state's members: its moves, whose turn it is, and the end."""

from __future__ import annotations

from typing import Final

from fmcts._arguments import shown
from fmcts.game import Player, equal, reward
from fmcts.testing._laws.cases import (
    OPTIONAL,
    Case,
    ask,
    differences,
    has,
    look,
    named,
    playable,
)
from fmcts.testing._laws.law import Law

SMALL: Final = 64
"""The number of moves up to which all are compared, even if their hashes differ."""


def _members(case: Case) -> str | None:
    look(case.state)
    ask(case.state, 'play')
    for name in OPTIONAL:
        if has(case.state, name) != has(case.game.start, name):
            return f'{shown(case.state)} and the start do not both have {name}'
    return None


def _tuple(case: Case) -> str | None:
    moves = ask(case.state, 'moves')
    return (
        None if isinstance(moves, tuple) else f'moves is a {type(moves).__name__}: {shown(moves)}'
    )


def _stable(case: Case) -> str | None:
    first, second = look(case.state), look(case.state)
    other = differences(first, second)
    return f'asked twice, a state says {other}' if other else None


def _equal_to_itself(case: Case) -> str | None:
    for move in ask(case.state, 'moves'):
        if not equal(move, move):
            return f'the move {named(move)} does not equal itself'
    return None


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


def _over(case: Case) -> str | None:
    over = ask(case.state, 'over')
    return None if isinstance(over, bool) else f'over is {shown(over)}'


def _player(case: Case) -> str | None:
    player = ask(case.state, 'player')
    return None if isinstance(player, Player) else f'player is {shown(player)}, not a Player'


def _end(case: Case) -> str | None:
    moves, over = playable(case.state), ask(case.state, 'over')
    if over and len(moves):
        return f'the state is over but has the moves {shown(moves, 80)}'
    if not over and not len(moves):
        return 'the state has no moves but is not over'
    return None


def _no_winner_yet(case: Case) -> str | None:
    winner = ask(case.state, 'winner')
    if ask(case.state, 'over') or winner is None:
        return None
    return f'the state is not over but its winner is {shown(winner)}'


def _winner(case: Case) -> str | None:
    if not ask(case.state, 'over'):
        return None
    winner = ask(case.state, 'winner')
    if sum(reward(winner, player) for player in Player) == 1.0:
        return None
    return f'the winner is {shown(winner)}'


MEMBERS: Final = Law[Case](
    'a state has all members',
    'A state has `player`, `moves`, `over`, `winner` and `play`, and can be asked for each.',
    _members,
    basic=True,
)
MOVES_AS_VALUES: Final[tuple[Law[Case], ...]] = (
    Law(
        'moves are a tuple',
        '`moves` is a tuple, so that nobody can change it.',
        _tuple,
        basic=True,
    ),
    Law(
        'moves equal themselves',
        'Each move equals itself, which NaN does not.',
        _equal_to_itself,
        basic=True,
    ),
    Law(
        'answers are stable',
        'Asked twice, a state gives the same moves in the same order, player, end and winner.',
        _stable,
        basic=True,
    ),
)

BASIC_LAWS: Final[tuple[Law[Case], ...]] = (
    MEMBERS,
    Law(
        'two players',
        '`player` is `Player.X` or `Player.O`, also at the end: a game has two players.',
        _player,
        basic=True,
    ),
    *MOVES_AS_VALUES,
)
"""Laws that all others rely on."""

MOVES: Final[tuple[Law[Case], ...]] = (
    Law('moves are unique', 'No two moves of a state are equal.', _unique),
    Law('over is a bool', '`over` is `True` or `False`.', _over),
)

END: Final = Law[Case](
    'no moves at the end', '`moves` is `()` exactly when the game is over.', _end
)
LAWS_OF_MOVES: Final[tuple[Law[Case], ...]] = (
    *MOVES,
    END,
    Law(
        'no winner before the end',
        '`winner` is `None` while the game is not over.',
        _no_winner_yet,
    ),
    Law(
        'the winner is a player',
        'At the end `winner` is `Player.X`, `Player.O` or, for a draw, `None`: so what the end is '
        'worth to the two adds to 1.',
        _winner,
    ),
)
