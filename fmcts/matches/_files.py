"""Matches in files: JSON Lines, the description of the match first, then one game per line.

Games are written as they end, in the order of their numbers, so the file of an interrupted run is
the beginning of the complete file. An unfinished last line, left when a run was killed, is not
read; the resumed run writes it again. Behind the last game nothing may follow.

A line must be what `line_of` writes for its game, byte by byte, whether it is resumed, replayed or
verified. It contains a checksum of itself and the first line, so that any alteration is detected
(`_verification` names the game and ply). The file is locked while a run writes to it, and only
lines are added: what is there was read before and is the beginning of what this run would write.
"""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import attrs
from attrs import field, frozen
from attrs.validators import and_, deep_iterable, in_, instance_of, max_len, min_len, not_, optional

from fmcts import __version__
from fmcts._arguments import cut, shown, value_of, where_they_differ, within
from fmcts._extras import loaded
from fmcts.game import Player
from fmcts.games import GameModule
from fmcts.matches._description import Match, contents_of
from fmcts.matches._game import PlayedGame
from fmcts.matches._lines import follow, in_text
from fmcts.matches._result import MatchResult
from fmcts.matches._running import MatchState, play_match
from fmcts.matches._sprt import Sprt
from fmcts.rng import SplitMix, format as format_rng, parse as parse_rng

T = TypeVar('T')
FORMAT: Final = 2
"""The version of the format that is written."""

ALTERED: Final = 'its check does not match: this line or the first was altered'
LOCKED: Final = (errno.EACCES, errno.EAGAIN)  # other error numbers mean a file system without locks

TEXT: Final = instance_of(str)
LISTS: Final = optional(deep_iterable(deep_iterable(TEXT, instance_of(list)), instance_of(list)))
NUMBER: Any = and_(instance_of((int, float)), not_(instance_of(bool)))
WHOLE: Any = and_(instance_of(int), not_(instance_of(bool)))
FOUR: Final = deep_iterable(NUMBER, and_(instance_of(list), min_len(4), max_len(4)))


def _texts(_instance: object, _attribute: object, value: Any) -> None:
    known = isinstance(value, dict) and [*value] == ['game', 'first', 'second']
    if not known or not all(
        isinstance(it, str) or (isinstance(it, dict) and [*it] == ['unknown'])
        for it in value.values()
    ):
        raise ValueError('contents must be texts of the game and both bots')


@frozen(kw_only=True)
class Head:
    """The first line of a file: a match whose bots are named by specs; see `Match`.

    `contents` are the texts of the game and the bots (`contents_of`); `seconds` is in matches by
    time only.
    """

    format: int = field(validator=and_(WHOLE, in_((FORMAT,))))
    fmcts: str = field(validator=TEXT)
    game: str = field(validator=TEXT)
    first: str = field(validator=TEXT)
    second: str = field(validator=TEXT)
    games: int = field(validator=WHOLE)
    rng: str = field(validator=TEXT)
    opening_plies: int = field(validator=WHOLE)
    openings: list[list[str]] | None = field(validator=LISTS)
    keep_trees: bool = field(validator=instance_of(bool))
    sprt: list[float] | None = field(validator=optional(FOUR))
    contents: dict[str, Any] = field(validator=_texts)
    seconds: float | None = field(default=None, validator=optional(NUMBER))

    def to_json(self) -> dict[str, Any]:
        """Return the values of the line."""
        found = attrs.asdict(self)
        if self.seconds is None:
            del found['seconds']
        return found


def head_of(described: Match, game: GameModule) -> Head:
    """Return the first line of a match whose bots are named by specs."""
    test, openings = described.sprt, described.openings
    first, second = described.names
    return Head(
        format=FORMAT,
        fmcts=__version__,
        game=game.name,
        first=first,
        second=second,
        games=described.games,
        rng=format_rng(cast('SplitMix', described.rng)),
        opening_plies=described.opening_plies,
        openings=openings and [list(map(game.format_move, line)) for line in openings],  # type: ignore[arg-type]
        keep_trees=described.keep_trees,
        sprt=None if test is None else [test.elo0, test.elo1, test.alpha, test.beta],
        contents=contents_of(described, game),
        seconds=described.seconds,
    )


def values_of(head: Head, played: PlayedGame, game: GameModule) -> dict[str, Any]:
    """Return the values of a game's line."""
    line = played.to_dict((head.first, head.second), game.format_move)
    return {**line, 'check': check_of(head, line)}


def line_of(head: Head, played: PlayedGame, game: GameModule) -> bytes:
    """Return the line of a game."""
    return written(values_of(head, played, game))


def check_of(head: Head, line: Mapping[str, Any]) -> str:
    """Return the check of a game's line (without `check` itself) and the first line."""
    fields = {name: value for name, value in line.items() if name != 'check'}
    text = json.dumps([head.to_json(), fields], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def written(values: Mapping[str, Any]) -> bytes:
    """Return the values as a line of the file."""
    return f'{json.dumps(values)}\n'.encode()


# ---- reading ----


@frozen
class Recorded:
    """The content of a file: the first line, the games' lines as they are, and their size in bytes.

    `unfinished`: whether a last line without a line feed follows, which is not read.
    """

    head: Head
    lines: tuple[bytes, ...]
    size: int
    unfinished: bool = False


def read(path: Path) -> Recorded:
    """Return the content of a match file.

    :raises ValueError: it cannot be read; the message starts with the file's name.
    """
    content = bytes_of(path)
    if content is None:
        raise ValueError(f'{path}: there is no such file')
    return parsed(content, path)


def bytes_of(path: Path) -> bytes | None:
    """Return the bytes of a file, `None` if it does not exist.

    :raises ValueError: it cannot be read.
    """
    try:
        if not path.is_file() and path.exists():
            raise ValueError(f'{path}: is not a regular file')
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ValueError(f'{path}: cannot be read: {error.strerror or error}') from None


def parsed(content: bytes, path: Path) -> Recorded:
    """Return the content of a match file's bytes.

    An unfinished last line is left out: the run was killed while writing it.

    :raises ValueError: they are not a match file.
    """
    whole = content[: content.rfind(b'\n') + 1]
    lines = tuple(line + b'\n' for line in whole.split(b'\n')[:-1])
    if not whole:
        raise ValueError(f'{path}: is not a match file: it has no complete line')
    for number, line in enumerate(lines, 1):
        if object_in(line) is None:
            other = 'is not a match file: ' if number == 1 else ''
            raise ValueError(f'{path}: {other}line {number} is not an object of JSON')
    values = cast('dict[str, Any]', object_in(lines[0]))
    if values.get('format') != FORMAT:
        it = shown(values['format']) if 'format' in values else 'none'
        raise ValueError(f'{path}: is not a match file of format {FORMAT}: its format is {it}')
    with within(f'{path}: the first line was altered'):
        head = made_of(Head, values)
    # Equal values may be written in several ways, of which this library writes one.
    if written(head.to_json()) != lines[0]:
        raise ValueError(f'{path}: the first line was altered')
    return Recorded(head, lines[1:], len(whole), len(whole) < len(content))


def object_in(text: bytes) -> dict[str, Any] | None:
    """Return the object of JSON in a text; `None` if it is something else."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):  # RecursionError: brackets nested too deeply
        return None
    return values if isinstance(values, dict) else None


def made_of(kind: type[T], values: Mapping[str, Any]) -> T:
    """Return an attrs value of the fields in an object of JSON.

    :raises ValueError: a field is missing, not known, or of another type.
    """
    known = {it.name: it.default for it in attrs.fields(kind)}  # type: ignore[arg-type]
    for name in (*known, *values):
        if (name not in values and known[name] is attrs.NOTHING) or name not in known:
            raise ValueError(f'{shown(name)} is {"missing" if name in known else "not known"}')
    try:
        return kind(**values)
    except (TypeError, ValueError) as error:
        raise ValueError(error.args[0]) from None


def match_of(head: Head, game: GameModule, bot_of: Callable[[str], Any]) -> Match:
    """Return the match that a first line describes.

    :param bot_of: returns the bot that a spec names, or raises ValueError.
    :raises ValueError: it describes none.
    """
    names = head.first, head.second
    bots: dict[str, Any] = {}  # equal specs are one bot, which may play against itself
    for which, name in zip(('first', 'second'), names, strict=True):
        with within(f'the {which} bot'):
            bots[name] = bots[name] if name in bots else bot_of(name)
    openings = []
    for number, line in enumerate(head.openings or (), 1):
        with within(f'opening {number}'):
            openings.append(follow(game.start, line, in_text(game)).moves)
    return Match(
        first=bots[head.first],
        second=bots[head.second],
        start=game.start,
        games=head.games,
        rng=value_of(parse_rng(head.rng)),
        opening_plies=head.opening_plies,
        openings=tuple(openings) or None,
        keep_trees=head.keep_trees,
        sprt=None if head.sprt is None else Sprt(*head.sprt),
        names=names,
        seconds=head.seconds,
    )


def games_in(recorded: Recorded, game: GameModule) -> tuple[PlayedGame, ...]:
    """Return the games of a file.

    :raises ValueError: a line is not that of its game; the message names the first.
    """
    games = []
    for number, line in enumerate(recorded.lines):
        games.append(game_in(object_in(line) or {}, number, game))
        if line_of(recorded.head, games[-1], game) != line:
            raise ValueError(f'game {number}: {ALTERED}')
    return tuple(games)


def game_in(line: Mapping[str, Any], number: int, game: GameModule) -> PlayedGame:
    """Return the game of a line that must have that number and only legal moves.

    :raises ValueError: it does not.
    """
    try:
        opening, moves = (tuple(line[name]) for name in ('opening', 'moves'))
        winner = None if line['winner'] is None else Player[line['winner']]
        rng_in, rng_out = (value_of(parse_rng(line[name])) for name in ('rng_in', 'rng_out'))
        counts, engines = (
            None if line.get(name) is None else tuple(line[name])
            for name in ('iterations', 'engines')
        )
    except Exception as error:  # noqa: BLE001 - whatever was put there
        why = f'{type(error).__name__}: {cut(str(error), 120)}'
        raise ValueError(f'game {number}: {why}') from None
    count = len(opening)
    with within(f'game {number}'):
        found = follow(game.start, opening + moves, in_text(game)).ended(count, winner)
    return PlayedGame(
        number,
        game.start,
        Player.O if number % 2 else Player.X,
        found.moves[:count],
        found.moves[count:],
        winner,
        rng_in,
        rng_out,
        counts,
        engines,
    )


# ---- writing ----


@frozen
class MatchFile:
    """A match whose bots are named by specs, and its file, if it has one.

    :param head: the first line.
    :param recorded: the content of the file when it was read; `None` of a new one.
    :param games: those of an earlier run.
    """

    match: Match
    game: GameModule
    path: Path | None
    head: Head
    recorded: Recorded | None = None
    games: tuple[PlayedGame, ...] = ()

    @classmethod
    def of(cls, match: Match, game: GameModule, path: Path | None) -> MatchFile:
        """Return the match with the games in its file; write nothing yet.

        :raises ValueError: the file is of another match, or is damaged.
        """
        head = head_of(match, game)
        if path is None:
            return cls(match, game, None, head)
        try:
            recorded = _read_back(bytes_of(path) or b'', path, head)
            if recorded is None:
                return cls(match, game, path, head)
            with within(str(path)):
                _check_same(recorded.head, head)
                try:
                    games = games_in(recorded, game)
                except ValueError as error:
                    raise ValueError(f'{error} (fmcts verify {path} names the ply)') from None
                MatchState.of(match, games)
        except ValueError as error:
            raise ValueError(f'{error}; nothing was written') from None
        return cls(match, game, path, head, recorded, games)

    @property
    def unknown(self) -> str | None:
        """Why a run of this match cannot be resumed, if it cannot: a bot that has no text."""
        for role, text in self.head.contents.items():
            if not isinstance(text, str):
                return f'{getattr(self.head, role)} holds {text["unknown"]}'
        return None

    def content(self, games: Iterable[PlayedGame]) -> bytes:
        """Return the file with these games."""
        lines = (line_of(self.head, game, self.game) for game in games)
        return b''.join((written(self.head.to_json()), *lines))

    def play(self, executor: Executor | None, watch: Callable[[PlayedGame], object]) -> MatchResult:
        """Play the match to its end; write every game as it ends, and pass it to `watch`.

        :raises OSError: the file cannot be written, or another run writes to it or has written.
        """
        if self.path is None:
            return play_match(self.match, executor=executor, watch=watch)
        for earlier in self.games:
            watch(earlier)
        with self._opened(self.path) as put:

            def keep(ended: PlayedGame) -> None:
                put(line_of(self.head, ended, self.game))
                watch(ended)

            return play_match(self.match, executor=executor, watch=keep, before=self.games)

    @contextmanager
    def _opened(self, path: Path) -> Iterator[Callable[[bytes], None]]:
        """Yield a function that writes a line to the file, which is locked meanwhile."""
        path.touch()
        with path.open('r+b', buffering=0) as file:
            _lock(file, path)
            # Read through the open file: on some systems no other handle may read it while locked.
            content = file.readall() or b''
            if _read_back(content, path, self.head) != self.recorded:
                raise OSError(f'{path}: another run has written to it; nothing was written')
            size = 0 if self.recorded is None else self.recorded.size
            # A run that was killed leaves the beginning of a game's line, which is written again.
            rest, begun = content[size:], written({'number': len(self.games)}).rstrip(b'}\n')
            if self.recorded is not None and rest[: len(begun)] != begun[: len(rest)]:
                raise OSError(f'{path}: something else follows byte {size}; nothing was written')
            file.seek(size)
            file.truncate()

            def put(line: bytes) -> None:
                while line:
                    line = line[file.write(line) :]

            if self.recorded is None:
                put(written(self.head.to_json()))
            yield put


def _read_back(content: bytes, path: Path, head: Head) -> Recorded | None:
    """Return the content of the bytes, `None` if there is at most a part of the first line."""
    if b'\n' not in content and written(head.to_json()).startswith(content):
        return None
    return parsed(content, path)


def _check_same(recorded: Head, head: Head) -> None:
    """Raise ValueError if two first lines show that the matches differ or may differ."""
    for name, value in attrs.asdict(head).items():
        old = getattr(recorded, name)
        if name != 'contents' and json.dumps(old) != json.dumps(value):
            raise ValueError(f'holds another match, with {name} {shown(old)}, not {shown(value)}')
    for role, value in head.contents.items():
        old, name = recorded.contents[role], getattr(head, role)
        what = f'the game {name}' if role == 'game' else f'the {role} bot {name}'
        for text in (old, value):
            if not isinstance(text, str):
                raise ValueError(  # noqa: TRY004 - of the user's files
                    f'cannot be resumed, because it is not known whether {what} has changed: it '
                    f'holds {text["unknown"]}; give another file'
                )
        if old != value:
            one, two = where_they_differ(old, value)
            raise ValueError(f'{what} has changed: it was {one}, and is {two}; give another file')


def _lock(file: Any, path: Path) -> None:
    """Lock the file until it is closed, however this process ends, if its file system has locks."""
    portalocker = loaded('portalocker', 'files need', 'fmcts[matches]')
    try:
        portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
    except portalocker.LockException as error:
        number = getattr(error.args[0] if error.args else None, 'errno', None)
        if isinstance(error, portalocker.AlreadyLocked) or number in LOCKED:
            raise OSError(f'{path}: another run writes to it; nothing was written') from None
