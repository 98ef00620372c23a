"""Whether a recorded match is what its bots play: every game is played again and compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any

from returns.result import Failure, Result, Success

from fmcts.arguments import shown
from fmcts.games import GameModule
from fmcts.matches.description import Match
from fmcts.matches.files import ALTERED, Recorded, line_of
from fmcts.matches.game import expect_searches, play_number, points

__all__ = ['verify']


def verify(
    recorded: Recorded,
    described: Match,
    game: GameModule,
    watch: Callable[[int], object] = lambda _number: None,
) -> Result[int, str]:
    """`Success` with the number of games, when all are as recorded, else the first difference.

    `described` is the match that the first line names; `watch` is told how many were compared.
    """
    expect_searches(described)
    played = []
    for number, line in enumerate(recorded.lines):
        again = play_number(described, number)
        wrong = difference(line, line_of(recorded.head, again, game))
        if wrong is not None:
            return Failure(f'game {number}: {wrong}')
        played.append(again)
        watch(number + 1)
    test = described.sprt
    ended = test is not None and test.accepted(points(tuple(played))) is not None
    if len(played) != described.games and not ended:
        return Failure(f'{described.games} games were to be played, and {len(played)} are there')
    return Success(len(played))


def difference(line: Mapping[str, Any], again: Mapping[str, Any]) -> str | None:
    """What differs between a line and the game played again, if anything."""
    for name in ('opening', 'moves'):
        recorded = line.get(name)
        if isinstance(recorded, list):
            ply = len(again['opening']) if name == 'moves' else 0
            for place, (one, two) in enumerate(zip_longest(recorded, again[name]), 1):
                if one != two:
                    return f'ply {ply + place}: {_move(one)} recorded, {_move(two)} played again'
    for name, value in again.items():
        if name not in line:
            return f'{name} is missing'
        if line[name] != value:
            if name == 'check':
                return ALTERED
            return f'{name}: {shown(line[name])} recorded, {shown(value)} played again'
    unknown = [name for name in line if name not in again]
    return f'{shown(unknown[0])} is no field of a game' if unknown else None


def _move(move: object) -> str:
    return 'no move' if move is None else shown(move)
