"""Match files that are written as games end: new ones, or resumed where an earlier run ended.

The file is locked while a run writes to it, and only lines are added: what is there was read before
and is the beginning of what this run would write. An unfinished last line is written again.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts._extras import loaded
from fmcts.games import GameModule
from fmcts.matches._description import Match
from fmcts.matches._files import (
    FORMAT,
    Recorded,
    bytes_of,
    games_in,
    head_of,
    line_of,
    parsed,
    same,
    written,
)
from fmcts.matches._game import PlayedGame
from fmcts.matches._result import MatchResult
from fmcts.matches._running import MatchState, play_match

LOCKED: Final = (errno.EACCES, errno.EAGAIN)  # other error numbers mean a file system without locks
SHOWN: Final = 60  # characters to show of two texts, from where they differ


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
    head: Mapping[str, Any]
    recorded: Recorded | None = None
    games: tuple[PlayedGame, ...] = ()

    @classmethod
    def of(cls, match: Match, game: GameModule, path: Path | None) -> Result[MatchFile, str]:
        """Return the match with the games in its file; write nothing yet.

        Fails if the file is of another match, or is damaged.
        """
        head = head_of(match, game)
        if path is None:
            return Success(cls(match, game, None, head))
        return (
            bytes_of(path)
            .bind(lambda content: _read_back(content or b'', path, head))
            .bind(lambda recorded: _games(path, recorded, head, game))
            .bind(
                lambda found: (
                    MatchState.of(match, found[1])
                    .map(lambda _: cls(match, game, path, head, *found))
                    .alt(lambda why: f'{path}: {why}')
                )
            )
            .alt(lambda why: f'{why}; nothing was written')
        )

    @property
    def unknown(self) -> str | None:
        """Why a run of this match cannot be resumed, if it cannot: a bot that has no text."""
        for role, text in self.head['contents'].items():
            if not isinstance(text, str):
                return f'{self.head[role]} holds {text["unknown"]}'
        return None

    def content(self, games: Iterable[PlayedGame]) -> bytes:
        """Return the file with these games."""
        lines = (line_of(self.head, game, self.game) for game in games)
        return b''.join(map(written, (self.head, *lines)))

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
    def _opened(self, path: Path) -> Iterator[Callable[[Mapping[str, Any]], None]]:
        """Yield a function that writes a line to the file, which is locked meanwhile."""
        path.touch()
        with path.open('r+b', buffering=0) as file:
            _lock(file, path)
            # Read through the open file: on some systems no other handle may read it while locked.
            content = file.readall() or b''
            if _read_back(content, path, self.head) != Success(self.recorded):
                raise OSError(f'{path}: another run has written to it; nothing was written')
            size = 0 if self.recorded is None else self.recorded.size
            # A run that was killed leaves the beginning of a game's line, which is written again.
            rest, begun = content[size:], written({'number': len(self.games)}).rstrip(b'}\n')
            if self.recorded is not None and rest[: len(begun)] != begun[: len(rest)]:
                raise OSError(f'{path}: something else follows byte {size}; nothing was written')
            file.seek(size)
            file.truncate()

            def put(values: Mapping[str, Any]) -> None:
                line = written(values)
                while line:
                    line = line[file.write(line) :]

            if self.recorded is None:
                put(self.head)
            yield put


def _read_back(content: bytes, path: Path, head: Mapping[str, Any]) -> Result[Recorded | None, str]:
    """Return the content of the bytes, `None` if there is at most a part of the first line."""
    if b'\n' not in content and written(head).startswith(content):
        return Success(None)
    return parsed(content, path)


def _games(
    path: Path, recorded: Recorded | None, head: Mapping[str, Any], game: GameModule
) -> Result[tuple[Recorded | None, tuple[PlayedGame, ...]], str]:
    if recorded is None:
        return Success((None, ()))
    other = _other_match(recorded.head, head)
    if other is not None:
        return Failure(f'{path}: {other}')
    return (
        games_in(recorded, game)
        .map(lambda games: (recorded, games))
        .alt(lambda why: f'{path}: {why} (fmcts verify {path} names the ply)')
    )


def _other_match(recorded: Mapping[str, Any], head: Mapping[str, Any]) -> str | None:
    """Return how two first lines show that the matches differ or may differ; `None` if not."""
    for name, value in {'seconds': None, **head}.items():
        if name not in ('format', 'contents') and not same(recorded.get(name), value):
            return (
                f'holds another match, with {name} {shown(recorded.get(name))}, not {shown(value)}'
            )
    if recorded['format'] != FORMAT:
        return (
            f'was written in format {recorded["format"]}, which does not record the content of the '
            'bots, so it can be verified and replayed, but not resumed: give another file'
        )
    for role, value in head['contents'].items():
        old, name = recorded['contents'][role], head[role]
        what = f'the game {name}' if role == 'game' else f'the {role} bot {name}'
        for text in (old, value):
            if not isinstance(text, str):
                return (
                    f'cannot be resumed, because it is not known whether {what} has changed: it '
                    f'holds {text["unknown"]}; give another file'
                )
        if old != value:
            one, two = _apart(old, value)
            return f'{what} has changed: it was {one}, and is {two}; give another file'
    return None


def _apart(one: str, two: str) -> tuple[str, str]:
    """Return two texts from shortly before their first difference."""
    equal = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))
    begin = 0 if max(len(one), len(two)) <= SHOWN else max(0, equal - SHOWN // 2)
    short = (it[begin : begin + SHOWN] for it in (one, two))
    first, second = (f'{"..." * (begin > 0)}{it}' for it in short)
    return first, second


def _lock(file: Any, path: Path) -> None:
    """Lock the file until it is closed, however this process ends, if its file system has locks."""
    portalocker = loaded('portalocker', 'files need', 'fmcts[matches]')
    try:
        portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
    except portalocker.LockException as error:
        number = getattr(error.args[0] if error.args else None, 'errno', None)
        if isinstance(error, portalocker.AlreadyLocked) or number in LOCKED:
            raise OSError(f'{path}: another run writes to it; nothing was written') from None
