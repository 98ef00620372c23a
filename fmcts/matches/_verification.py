"""Verify a recorded match: play every game again with its bots, and compare."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any

from attrs import evolve
from returns.result import Failure, Result, Success

from fmcts import __version__
from fmcts._arguments import amount, shown
from fmcts.games import GameModule
from fmcts.matches._description import Match, contents_of
from fmcts.matches._files import (
    ALTERED,
    Recorded,
    check_of,
    engines_of,
    iterations_of,
    line_of,
    same,
)
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
            again = evolve(again, engines=engines_of(line))  # another machine may lack one
        except ValueError as error:
            return Failure(f'game {number}: {error}')
        wrong = difference(line, line_of(head, again, game))
        if wrong is not None:
            return Failure(f'game {number}: {wrong}{changes(head, described, game)}')
        state = state.after(again)
        watch(number + 1)
    if state.over and not recorded.unfinished:
        return Success(len(lines))
    return Failure(
        'a line without a line feed follows the last game'
        if state.over
        else f'the match has {amount(described.games, "game")}, the file {len(lines)}'
    )


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


def changes(head: Mapping[str, Any], described: Match, game: GameModule) -> str:
    """Return what a first line says otherwise than here, or nothing, as the end of a sentence.

    This is the version of the library, and the content of the game and the bots.
    """
    found = []
    if head['fmcts'] != __version__:
        found.append(f'by fmcts {head["fmcts"]}; this is {__version__}')
    now: Mapping[str, object] = contents_of(described, game)
    recorded = {**now, **head.get('contents', {})}  # none in files of format 1
    unknown = [role for role in now if not all(isinstance(it[role], str) for it in (recorded, now))]
    changed = [role for role in now if role not in unknown and recorded[role] != now[role]]
    if unknown:
        found.append(f'what {_names(head, unknown)} holds is not known')
    if changed:
        # The hash of a user's code depends on the version of Python.
        python = ' or Python' if any('@' in str(now[role]) for role in changed) else ''
        found.append(f'{_names(head, changed)}{python} changed since')
    return f' ({"; ".join(found)})' if found else ''


def _names(head: Mapping[str, Any], roles: list[str]) -> str:
    return ' and '.join(dict.fromkeys(str(head[role]) for role in roles))
