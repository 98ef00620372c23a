"""Matches in files: JSON Lines, what the match is on the first line, then one game a line.

Lines are added as games end, in the order of their numbers, so that a file of an interrupted run is
the beginning of the file that it would have become. What was being written when a run was killed is
no line; it is written again. Nothing that is there is ever changed, and no file of another match is
added to.

Every line but the first holds a check of itself and of the first, so that no field of either can be
altered unseen (`verification` says which game and ply was).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, Final, cast

from attrs import frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts.arguments import cut, shown
from fmcts.games import GameModule
from fmcts.matches.description import Match
from fmcts.matches.game import PlayedGame
from fmcts.rng import SplitMix
from fmcts.rng import format as format_rng
from fmcts.rng import parse as parse_rng

__all__ = ['FORMAT', 'Recorded', 'append_to', 'head_of', 'line_of', 'read', 'written']

FORMAT: Final = 1
"""What the lines hold; another number is another layout."""


def head_of(described: Match, game: GameModule) -> dict[str, Any]:
    """The first line of a match whose bots are named by specs."""
    first, second = described.names
    test = described.sprt
    return {
        'format': FORMAT,
        'fmcts': version('fmcts'),
        'game': game.name,
        'first': first,
        'second': second,
        'games': described.games,
        'rng': format_rng(cast('SplitMix', described.rng)),
        'opening_plies': described.opening_plies,
        'openings': None
        if described.openings is None
        else [list(map(game.format_move, line)) for line in described.openings],
        'keep_trees': described.keep_trees,
        'sprt': None if test is None else [test.elo0, test.elo1, test.alpha, test.beta],
    }


def line_of(head: Mapping[str, Any], played: PlayedGame, game: GameModule) -> dict[str, Any]:
    """The line of a game."""
    names = head['first'], head['second']
    x, o = names if played.number % 2 == 0 else names[::-1]
    line = {
        'number': played.number,
        'x': x,
        'o': o,
        'opening': list(map(game.format_move, played.opening)),
        'moves': list(map(game.format_move, played.moves)),
        'winner': None if played.winner is None else played.winner.name,
        'rng_in': format_rng(cast('SplitMix', played.rng_in)),
        'rng_out': format_rng(cast('SplitMix', played.rng_out)),
    }
    return {**line, 'check': check_of(head, line)}


def check_of(head: Mapping[str, Any], line: Mapping[str, Any]) -> str:
    """What tells whether the first line or this one was altered."""
    told = {name: value for name, value in line.items() if name != 'check'}
    text = json.dumps([head, told], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def written(values: Mapping[str, Any]) -> str:
    """The values as a line."""
    return json.dumps(values) + '\n'


@frozen
class Recorded:
    """What a file holds: the first line, the games' lines, and how many bytes they take."""

    head: dict[str, Any]
    lines: tuple[dict[str, Any], ...]
    size: int


def read(path: Path) -> Result[Recorded | None, str]:
    """What the file holds, `None` if there is none, or what is wrong with it.

    A last line that was not ended is left out: a run was killed while it was written.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return Success(None)
    except OSError as error:
        return Failure(f'{path}: cannot be read: {error.strerror or error}')
    whole = content[: content.rfind(b'\n') + 1]
    found: list[dict[str, Any]] = []
    for number, line in enumerate(whole.split(b'\n')[:-1], 1):
        try:
            values = json.loads(line)
        except ValueError:
            return Failure(f'{path}: line {number} is no JSON')
        if not isinstance(values, dict):
            return Failure(f'{path}: line {number} is no object of JSON, but {shown(values)}')
        found.append(values)
    if not found:
        return Success(None) if not content.strip() else Failure(f'{path}: is no record of a match')
    head, *lines = found
    if head.get('format') != FORMAT:
        return Failure(
            f'{path}: is no record of a match in format {FORMAT}, but in {shown(head.get("format"))}'
        )
    return Success(Recorded(head, tuple(lines), len(whole)))


def game_in(line: Mapping[str, Any], number: int, game: GameModule) -> Result[PlayedGame, str]:
    """The game of a line, whose number is given; every field is looked at."""
    from fmcts.game import Player  # noqa: PLC0415

    def moves(name: str) -> tuple[int, ...]:
        found = [game.parse_move(str(text)) for text in line[name]]
        wrong = [one.failure() for one in found if not is_successful(one)]
        if wrong:
            raise ValueError(wrong[0])
        return tuple(one.unwrap() for one in found)

    try:
        if line['number'] != number:
            return Failure(f'game {number}: it is number {shown(line["number"])} in the file')
        winner = None if line['winner'] is None else Player[line['winner']]
        sides = Player.O if number % 2 else Player.X
        rngs = [parse_rng(str(line[name])).unwrap() for name in ('rng_in', 'rng_out')]
        return Success(PlayedGame(number, sides, moves('opening'), moves('moves'), winner, *rngs))
    except Exception as error:  # noqa: BLE001 - whatever was put there
        return Failure(f'game {number}: {type(error).__name__}: {cut(str(error), 120)}')


def append_to(path: Path, kept: Recorded | None, head: Mapping[str, Any]) -> IO[str]:
    """The file, open for more lines; a line that was not ended is cut off.

    :raises OSError: it cannot be written to.
    """
    if kept is None:
        file = path.open('w', encoding='utf-8', newline='\n')
        file.write(written(head))
        file.flush()
        return file
    os.truncate(path, kept.size)
    return path.open('a', encoding='utf-8', newline='\n')
