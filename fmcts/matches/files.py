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
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TextIO, cast

from attrs import frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts.arguments import cut, shown
from fmcts.game import Player
from fmcts.games import GameModule
from fmcts.matches.description import Match
from fmcts.matches.game import PlayedGame
from fmcts.matches.lines import follow, in_text
from fmcts.rng import SplitMix
from fmcts.rng import format as format_rng
from fmcts.rng import parse as parse_rng

__all__ = [
    'ALTERED',
    'FORMAT',
    'Recorded',
    'append_to',
    'check_of',
    'game_in',
    'head_of',
    'line_of',
    'read',
    'resumed',
    'written',
]

FORMAT: Final = 1
"""What the lines hold; another number is another layout."""

ALTERED: Final = 'its check is not that of the first line and this one: one was altered'

FIRST: Final = b'{"format": '
"""How every file begins."""


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
    x, o = names[::-1] if played.number % 2 else names
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
        if not path.is_file() and path.exists():
            return Failure(f'{path}: is no file, or one without an end')
        content = path.read_bytes()
    except FileNotFoundError:
        return Success(None)
    except OSError as error:
        return Failure(f'{path}: cannot be read: {error.strerror or error}')
    return _recorded(path, content)


def _recorded(path: Path, content: bytes) -> Result[Recorded | None, str]:
    whole = content[: content.rfind(b'\n') + 1]
    if not whole and FIRST.startswith(content[: len(FIRST)]):  # killed in its first line
        return Success(None)
    return _parsed(whole).alt(lambda why: f'{path}: {why}')


def _parsed(whole: bytes) -> Result[Recorded | None, str]:
    found: list[dict[str, Any]] = []
    for number, line in enumerate(whole.split(b'\n')[:-1], 1):
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):  # the second of brackets within brackets
            values = None
        if not isinstance(values, dict):
            return Failure(f'line {number} is no object of JSON')
        found.append(values)
    head, *lines = found or [{}]
    if head.get('format') != FORMAT:
        it = shown(head['format']) if 'format' in head else 'none'
        return Failure(f'is no record of a match of format {FORMAT}: its format is {it}')
    return Success(Recorded(head, tuple(lines), len(whole)))


def resumed(
    path: Path, head: Mapping[str, Any], game: GameModule
) -> Result[tuple[Recorded | None, tuple[PlayedGame, ...]], str]:
    """What a run of the match with that first line finds already played.

    Fails where the file holds something else, or a line was altered: nothing is overwritten.
    """
    return read(path).bind(lambda kept: _played_already(path, kept, head, game))


def _played_already(
    path: Path, kept: Recorded | None, head: Mapping[str, Any], game: GameModule
) -> Result[tuple[Recorded | None, tuple[PlayedGame, ...]], str]:
    if kept is None:
        return Success((None, ()))
    for name, value in head.items():
        if kept.head.get(name) != value:
            old = shown(kept.head.get(name))
            return Failure(
                f'{path}: holds another match, with {name} {old}, not {shown(value)}; '
                'nothing was written'
            )
    games = []
    for number, line in enumerate(kept.lines):
        found = game_in(line, number, game)
        if not is_successful(found) or line != line_of(head, found.unwrap(), game):
            return Failure(
                f'{path}: game {number} was altered; nothing was written '
                f'(fmcts verify {path} tells where)'
            )
        games.append(found.unwrap())
    return Success((kept, tuple(games)))


def game_in(line: Mapping[str, Any], number: int, game: GameModule) -> Result[PlayedGame, str]:
    """The game of a line that must have that number, each of its moves legal where it stands."""
    try:
        opening, moves = (tuple(line[name]) for name in ('opening', 'moves'))
        winner = None if line['winner'] is None else Player[line['winner']]
        rngs = [parse_rng(line[name]).unwrap() for name in ('rng_in', 'rng_out')]
    except Exception as error:  # noqa: BLE001 - whatever was put there
        return Failure(f'game {number}: {type(error).__name__}: {cut(str(error), 120)}')
    side, count = Player.O if number % 2 else Player.X, len(opening)
    return (
        follow(game.start, opening + moves, in_text(game))
        .alt(lambda why: f'game {number}: {why}')
        .map(
            lambda found: PlayedGame(
                number, game.start, side, found.moves[:count], found.moves[count:], winner, *rngs
            )
        )
    )


def append_to(path: Path, kept: Recorded | None, head: Mapping[str, Any]) -> TextIO:
    """The file, open for more lines, and locked as long; a line that was not ended is cut off.

    :param kept: what it held when it was read.
    :raises ImportError: portalocker is not installed.
    :raises OSError: it cannot be written to, or another run writes to it, or has since it was read.
    """
    file = path.open('a+', encoding='utf-8', newline='\n')
    try:
        _lock(file, path, kept)
        file.truncate(0 if kept is None else kept.size)
        if kept is None:
            file.write(written(head))
            file.flush()
    except BaseException:
        file.close()
        raise
    return file


def _lock(file: TextIO, path: Path, kept: Recorded | None) -> None:
    """Keep other runs from it until it is closed, however this process ends."""
    try:
        import portalocker  # noqa: PLC0415 - it is of an extra
    except ImportError as error:
        raise ImportError("files need portalocker: pip install 'fmcts[matches]'") from error
    try:
        portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
    except portalocker.LockException:
        raise OSError(f'{path}: another run writes to it; nothing was written') from None
    file.seek(0)  # through the file itself: on some systems nobody else may read it now
    if _recorded(path, file.buffer.read()) != Success(kept):
        raise OSError(f'{path}: another run has written to it meanwhile; nothing was written')
