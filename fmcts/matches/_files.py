"""Matches in files: JSON Lines, the description of the match first, then one game per line.

Games are written as they end, in the order of their numbers, so the file of an interrupted run is
the beginning of the complete file. An unfinished last line, left when a run was killed, is not
read; the resumed run writes it again (see `writing`). Behind the last game nothing may follow.

`read` is the only reader. It refuses invalid JSON, duplicate keys, and a first line with other
fields or types than `head_of` writes. A game's line must be exactly what `line_of` writes for its
game, whether it is resumed, replayed or verified. It contains a checksum of itself and the first
line, so that any alteration is detected (`verification` names the game and ply).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, cast

from attrs import frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts import __version__
from fmcts._arguments import cut, shown
from fmcts.game import Player
from fmcts.games import GameModule
from fmcts.matches._description import Match, contents_of
from fmcts.matches._game import ENGINES, PlayedGame
from fmcts.matches._lines import ended, follow, in_text
from fmcts.matches._sprt import Sprt
from fmcts.rng import Rng, SplitMix, format as format_rng, parse as parse_rng

FORMAT: Final = 2
"""The version of the format that is written."""

OLDER: Final = 1
"""An older version that is still read: its first line lacks `contents`."""

ALTERED: Final = 'its check does not match: this line or the first was altered'


def head_of(described: Match, game: GameModule) -> dict[str, Any]:
    """Return the first line of a match whose bots are named by specs."""
    first, second = described.names
    test = described.sprt
    return {
        'format': FORMAT,
        'fmcts': __version__,
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
        'contents': contents_of(described, game),
        **({} if described.seconds is None else {'seconds': described.seconds}),
    }


def line_of(head: Mapping[str, Any], played: PlayedGame, game: GameModule) -> dict[str, Any]:
    """Return the line of a game."""
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
    if played.iterations is not None:
        line['iterations'] = list(played.iterations)
    if played.engines is not None:
        line['engines'] = list(played.engines)
    return {**line, 'check': check_of(head, line)}


def check_of(head: Mapping[str, Any], line: Mapping[str, Any]) -> str:
    """Return the check of a game's line (without `check` itself) and the first line."""
    fields = {name: value for name, value in line.items() if name != 'check'}
    text = json.dumps([head, fields], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def written(values: Mapping[str, Any]) -> bytes:
    """Return the values as a line of the file."""
    return f'{json.dumps(values)}\n'.encode()


def same(one: object, two: object) -> bool:
    """Return whether both are equal as JSON; in Python, 1 equals 1.0 and `True`."""
    return json.dumps(one, sort_keys=True) == json.dumps(two, sort_keys=True)


@frozen
class Recorded:
    """The content of a file: the first line, the games' lines, and their size in bytes.

    `unfinished`: whether a last line without a line feed follows, which is not read.
    """

    head: dict[str, Any]
    lines: tuple[dict[str, Any], ...]
    size: int
    unfinished: bool = False


# ---- the reader ----


def read(path: Path) -> Result[Recorded, str]:
    """Return the content of a match file, or why it cannot be read."""
    return bytes_of(path).bind(
        lambda content: (
            Failure(f'{path}: there is no such file') if content is None else parsed(content, path)
        )
    )


def bytes_of(path: Path) -> Result[bytes | None, str]:
    """Return the bytes of a file, `None` if it does not exist, or why it cannot be read."""
    try:
        if not path.is_file() and path.exists():
            return Failure(f'{path}: is not a regular file')
        return Success(path.read_bytes())
    except FileNotFoundError:
        return Success(None)
    except OSError as error:
        return Failure(f'{path}: cannot be read: {error.strerror or error}')


def parsed(content: bytes, path: Path) -> Result[Recorded, str]:
    """Return the content of a match file's bytes, or why they are not a match file.

    An unfinished last line is left out: the run was killed while writing it.
    """
    whole = content[: content.rfind(b'\n') + 1]
    found: list[dict[str, Any]] = []
    for number, line in enumerate(whole.split(b'\n')[:-1], 1):
        try:
            found.append(object_in(line.decode()))
        except (ValueError, RecursionError) as error:  # RecursionError: brackets nested too deeply
            why = str(error) if isinstance(error, FieldError) else 'is not an object of JSON'
            return Failure(f'{path}: line {number} {why}')
    if not found:
        return Failure(f'{path}: is not a match file: it has no complete line')
    head, *lines = found
    wrong = _wrong_in(head)
    if wrong:
        return Failure(f'{path}: {wrong}')
    return Success(Recorded(head, tuple(lines), len(whole), len(whole) < len(content)))


class FieldError(ValueError):
    """An object of JSON that Python would read although it is ambiguous or invalid."""


def object_in(text: str | bytes) -> dict[str, Any]:
    """Return the object of JSON in a text, with unique keys.

    :raises RecursionError: it is nested too deeply.
    :raises ValueError: the text is not such an object.
    """
    values = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    if not isinstance(values, dict):
        raise ValueError  # noqa: TRY004 - as of what is not JSON
    return values


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise FieldError(f'has the key {shown(name)} twice')
        found[name] = value
    return found


def _no_number(text: str) -> None:
    raise FieldError(f'holds {text}, which is not a number of JSON')


def _is(*kinds: type) -> Callable[[object], bool]:
    return lambda value: type(value) in kinds


def _is_list_of(item: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(map(item, value))


def _is_optional(check: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or check(value)


def _is_text_or_unknown(value: object) -> bool:
    return isinstance(value, str) or (
        isinstance(value, dict) and list(value) == ['unknown'] and isinstance(value['unknown'], str)
    )


def _are_contents(value: object) -> bool:
    return (
        isinstance(value, dict)
        and list(value) == ['game', 'first', 'second']
        and all(map(_is_text_or_unknown, value.values()))
    )


HEAD_FIELDS: Final[Mapping[str, tuple[Callable[[object], bool], str]]] = {
    'format': (_is(int), 'a whole number'),
    'fmcts': (_is(str), 'text'),
    'game': (_is(str), 'text'),
    'first': (_is(str), 'text'),
    'second': (_is(str), 'text'),
    'games': (_is(int), 'a whole number'),
    'rng': (_is(str), 'text'),
    'opening_plies': (_is(int), 'a whole number'),
    'openings': (_is_optional(_is_list_of(_is_list_of(_is(str)))), 'null or lists of moves'),
    'keep_trees': (_is(bool), 'true or false'),
    'sprt': (
        _is_optional(
            lambda it: _is_list_of(_is(int, float))(it) and len(cast('list[Any]', it)) == 4
        ),
        'null or four numbers',
    ),
    'contents': (_are_contents, 'texts of the game and both bots'),
    'seconds': (_is(int, float), 'a number'),  # in matches by time only
}
"""The fields of the first line: a check of each, and a description of what is accepted."""


def _wrong_in(head: Mapping[str, Any]) -> str | None:
    """Return what is wrong with a first line, or `None`."""
    layout = head.get('format')
    if type(layout) is not int or layout not in (OLDER, FORMAT):
        it = shown(layout) if 'format' in head else 'none'
        return f'is not a match file of format {OLDER} or {FORMAT}: its format is {it}'
    expected = {
        name: it
        for name, it in HEAD_FIELDS.items()
        if (name != 'contents' or layout != OLDER) and (name != 'seconds' or name in head)
    }
    for name, (check, words) in expected.items():
        if name not in head:
            return f'the first line has no {name}'
        if not check(head[name]):
            return f'the first line has {name} {shown(head[name])}: expected {words}'
    unknown = [name for name in head if name not in expected]
    return f'the first line has the unknown field {shown(unknown[0])}' if unknown else None


# ---- games ----


def match_of(
    head: Mapping[str, Any], game: GameModule, bot_of: Callable[[str], Result[Any, str]]
) -> Result[Match, str]:
    """Return the match that a first line describes.

    :param bot_of: returns the bot that a spec names.
    """
    names = head['first'], head['second']
    bots = {name: bot_of(name) for name in names}  # equal specs are one bot
    for which, name in zip(('first', 'second'), names, strict=True):
        if not is_successful(bots[name]):
            return Failure(f'the {which} bot: {bots[name].failure()}')
    openings = []
    for number, line in enumerate(head['openings'] or (), 1):
        found = follow(game.start, line, in_text(game))
        if not is_successful(found):
            return Failure(f'opening {number}: {found.failure()}')
        openings.append(found.unwrap().moves)
    options = {name: head[name] for name in ('games', 'opening_plies', 'keep_trees')}
    first, second = (bots[name].unwrap() for name in names)

    def described(rng: Rng) -> Result[Match, str]:
        try:
            return Success(
                Match(
                    first=first,
                    second=second,
                    start=game.start,
                    rng=rng,
                    openings=tuple(openings) or None,
                    sprt=None if head['sprt'] is None else Sprt(*head['sprt']),
                    names=names,
                    seconds=head.get('seconds'),
                    **options,
                )
            )
        except ValueError as error:
            return Failure(str(error))

    return parse_rng(head['rng']).bind(described)


def games_in(recorded: Recorded, game: GameModule) -> Result[tuple[PlayedGame, ...], str]:
    """Return the games of a file, or the first line that does not match its game exactly."""
    games = []
    for number, line in enumerate(recorded.lines):
        found = game_in(line, number, game)
        if not is_successful(found):
            return Failure(found.failure())
        if not same(line, line_of(recorded.head, found.unwrap(), game)):
            return Failure(f'game {number}: {ALTERED}')
        games.append(found.unwrap())
    return Success(tuple(games))


def iterations_of(line: Mapping[str, Any]) -> tuple[int, ...] | None:
    """Return the iterations of the searches of a game by time; `None` if the line has none.

    :raises ValueError: they are something else than whole numbers of at least 1.
    """
    counts = line.get('iterations')
    if counts is None:
        return None
    if not isinstance(counts, list) or not all(type(it) is int and it >= 1 for it in counts):
        raise ValueError(f'iterations must be whole numbers of at least 1, not {shown(counts)}')
    return tuple(counts)


def engines_of(line: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the engines of the searches of a game by time; `None` if the line has none.

    :raises ValueError: they are something else than names, as many as there are searches.
    """
    names, counts = line.get('engines'), line.get('iterations')
    if names is None:  # of an earlier version
        return None
    known = isinstance(names, list) and all(name in ENGINES for name in names)
    if not known or not isinstance(counts, list) or len(names) != len(counts):
        raise ValueError(f'engines must be one of {", ".join(ENGINES)} for each of the iterations')
    return tuple(names)


def game_in(line: Mapping[str, Any], number: int, game: GameModule) -> Result[PlayedGame, str]:
    """Return the game of a line that must have that number and only legal moves."""
    try:
        opening, moves = (tuple(line[name]) for name in ('opening', 'moves'))
        winner = None if line['winner'] is None else Player[line['winner']]
        rng_in, rng_out = (parse_rng(line[name]).unwrap() for name in ('rng_in', 'rng_out'))
        counts, engines = iterations_of(line), engines_of(line)
    except Exception as error:  # noqa: BLE001 - whatever was put there
        return Failure(f'game {number}: {type(error).__name__}: {cut(str(error), 120)}')
    side, count = Player.O if number % 2 else Player.X, len(opening)
    return (
        follow(game.start, opening + moves, in_text(game))
        .bind(lambda found: ended(found, winner))
        .alt(lambda why: f'game {number}: {why}')
        .map(
            lambda found: PlayedGame(
                number,
                game.start,
                side,
                found.moves[:count],
                found.moves[count:],
                winner,
                rng_in,
                rng_out,
                counts,
                engines,
            )
        )
    )
