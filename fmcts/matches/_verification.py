"""Verify a recorded match: play every game again with its bots, and compare."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any

from attrs import evolve

from fmcts import __version__
from fmcts._arguments import amount, shown, within
from fmcts.games import GameModule
from fmcts.matches._description import Match, contents_of
from fmcts.matches._files import (
    ALTERED,
    Head,
    Recorded,
    check_of,
    game_in,
    object_in,
    values_of,
    written,
)
from fmcts.matches._game import play_number
from fmcts.matches._running import MatchState


def verify(
    recorded: Recorded,
    described: Match,
    game: GameModule,
    watch: Callable[[int], object] = lambda _number: None,
) -> str:
    """Play the games again, and return in words that all are as recorded.

    `described` is the match of the first line; `watch` receives the number of games compared.

    :raises ValueError: one is not; the message says what differs first.
    """
    head = recorded.head
    lines = [object_in(line) or {} for line in recorded.lines]
    if lines and not any(line.get('check') == check_of(head, line) for line in lines):
        raise ValueError('no checksum matches: the first line was altered, or every game')
    state = MatchState(described)
    for number, line in enumerate(lines):
        if state.over:
            raise ValueError(f'game {number}: {state.over}')
        try:
            there = game_in(line, number, game)
        except ValueError as error:
            raise ValueError(f'{error}{changes(head, described, game)}') from None
        with within(f'game {number}'):
            again = play_number(described, number, there.iterations)
        again = evolve(again, engines=there.engines)  # another machine may lack one
        values = values_of(head, again, game)
        if recorded.lines[number] != written(values):
            wrong = difference(line, values)
            raise ValueError(f'game {number}: {wrong}{changes(head, described, game)}')
        state = state.after(again)
        watch(number + 1)
    if state.over and not recorded.unfinished:
        time = '; the time of a move cannot be verified' if described.seconds is not None else ''
        end = changes(head, described, game)
        return f'{len(lines)} games hold, move by move{time}{end}'
    raise ValueError(
        'a line without a line feed follows the last game'
        if state.over
        else f'the match has {amount(described.games, "game")}, the file {len(lines)}'
    )


def difference(line: Mapping[str, Any], again: Mapping[str, Any]) -> str:
    """Return the first difference between a line and the game played again; of a move the ply."""
    for name, before in (('opening', 0), ('moves', len(again['opening']))):
        recorded = line.get(name)
        if isinstance(recorded, list):
            for ply, (one, two) in enumerate(zip_longest(recorded, again[name]), before + 1):
                if not _same(one, two):
                    return f'ply {ply}: {_move(one)} recorded, {_move(two)} played again'
    for name, value in again.items():
        if name not in line:
            return f'{name} is missing'
        if name != 'check' and not _same(line[name], value):
            return f'{name} {shown(line[name])} recorded, {shown(value)} played again'
    unknown = [name for name in line if name not in again]
    return f'{shown(unknown[0])} is not a field of a game' if unknown else ALTERED


def _same(one: object, two: object) -> bool:
    """Return whether both are equal as JSON; in Python, 1 equals 1.0 and `True`."""
    return json.dumps(one, sort_keys=True) == json.dumps(two, sort_keys=True)


def _move(move: object) -> str:
    return 'no move' if move is None else shown(move)


def changes(head: Head, described: Match, game: GameModule) -> str:
    """Return what a first line says otherwise than here, or nothing, as the end of a sentence.

    This is the version of the library, and the content of the game and the bots.
    """
    found = []
    if head.fmcts != __version__:
        found.append(f'by fmcts {head.fmcts}; this is {__version__}')
    now: Mapping[str, object] = contents_of(described, game)
    recorded = head.contents
    unknown = [role for role in now if not all(isinstance(it[role], str) for it in (recorded, now))]
    changed = [role for role in now if role not in unknown and recorded[role] != now[role]]
    if unknown:
        found.append(f'what {_names(head, unknown)} holds is not known')
    if changed:
        # The hash of a user's code depends on the version of Python.
        python = ' or Python' if any('@' in str(now[role]) for role in changed) else ''
        found.append(f'{_names(head, changed)}{python} changed since')
    return f' ({"; ".join(found)})' if found else ''


def _names(head: Head, roles: list[str]) -> str:
    return ' and '.join(dict.fromkeys(getattr(head, role) for role in roles))
