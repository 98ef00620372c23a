"""Verify a recorded match: play every game again with its bots, and compare."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any

from returns.result import Failure, Result, Success

from fmcts import __version__
from fmcts._arguments import amount, shown
from fmcts.games import GameModule
from fmcts.matches._description import Match, contents_of
from fmcts.matches._files import ALTERED, Recorded, check_of, iterations_of, line_of, same
from fmcts.matches._game import play_number
from fmcts.matches._running import MatchState


def verify(
    recorded: Recorded,
    described: Match,
    game: GameModule,
    watch: Callable[[int], object] = lambda _number: None,
) -> Result[int, str]:
    """Return the number of games if all are as recorded, else a failure with the first difference.

    `described` is the match of the first line; `watch` receives the number of games compared.
    """
    head, lines = recorded.head, recorded.lines
    if lines and not any(same(line.get('check'), check_of(head, line)) for line in lines):
        return Failure('no checksum matches: the first line was altered, or every game')
    state = MatchState(described)
    for number, line in enumerate(lines):
        if state.over:
            return Failure(f'game {number}: {state.over}')
        try:
            again = play_number(described, number, iterations_of(line))
        except ValueError as error:
            return Failure(f'game {number}: {error}')
        wrong = difference(line, line_of(head, again, game))
        if wrong is not None:
            return Failure(f'game {number}: {wrong}{_explanation(head, described, game)}')
        state = state.after(again)
        watch(number + 1)
    if not state.over:
        return Failure(f'the match has {amount(described.games, "game")}, the file {len(lines)}')
    return Success(len(lines))


def difference(line: Mapping[str, Any], again: Mapping[str, Any]) -> str | None:
    """Return the first difference between a line and the game played again, with its ply."""
    opening, end = len(again['opening']), len(again['opening']) + len(again['moves'])
    for name, before in (('opening', 0), ('moves', opening)):
        recorded = line.get(name)
        if isinstance(recorded, list):
            for ply, (one, two) in enumerate(zip_longest(recorded, again[name]), before + 1):
                if not same(one, two):
                    return f'ply {ply}: {_move(one)} recorded, {_move(two)} played again'
    places = {
        **dict.fromkeys(('moves', 'rng_in'), f'before ply {opening + 1}'),
        **dict.fromkeys(('winner', 'rng_out'), f'after ply {end}'),
        'check': f'plies 1 to {end}',
    }
    for name, value in again.items():
        place = places.get(name, 'before ply 1')
        if name not in line:
            return f'{place}: {name} is missing'
        if not same(line[name], value):
            if name == 'check':
                return f'{place}: {ALTERED}'
            return f'{place}: {name} {shown(line[name])} recorded, {shown(value)} played again'
    unknown = [name for name in line if name not in again]
    return f'plies 1 to {end}: {shown(unknown[0])} is not a field of a game' if unknown else None


def _move(move: object) -> str:
    return 'no move' if move is None else shown(move)


def _explanation(head: Mapping[str, Any], described: Match, game: GameModule) -> str:
    """Return an explanation: another version of the library, of a bot or of the game."""
    recorded, here = head['fmcts'], __version__
    if recorded != here:
        return f' (by fmcts {recorded}; this is {here})'
    now = contents_of(described, game)
    changed = [
        str(head[role])
        for role, text in head.get('contents', now).items()
        if isinstance(text, str) and text != now[role]
    ]
    return f' ({" and ".join(changed)} changed since)' if changed else ''
