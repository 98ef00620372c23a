"""Write match files: new ones, or resume where an earlier run ended.

A run writes each line at its own place in the file, and only if the file has nothing there but the
beginning of that very line. So existing content never changes. If the file system has locks, a
second run of the same match is refused; otherwise both runs write the same bytes in the same
places.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from attrs import define
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts._extras import loaded
from fmcts.games import GameModule
from fmcts.matches._files import FORMAT, Recorded, bytes_of, games_in, parsed, same, written
from fmcts.matches._game import PlayedGame

LOCKED: Final = (errno.EACCES, errno.EAGAIN)  # other error numbers mean a file system without locks
SHOWN: Final = 60  # characters to show of two texts, from where they differ


def resumed(
    path: Path, head: Mapping[str, Any], game: GameModule
) -> Result[tuple[Recorded | None, tuple[PlayedGame, ...]], str]:
    """Return the content of the file of the match with that first line, and its games.

    Fails if the file is of another match, or a line was altered; then nothing may be written.
    """
    return (
        bytes_of(path)
        .bind(lambda content: _read_back(content or b'', path, head))
        .bind(lambda recorded: _with_games(path, recorded, head, game))
        .alt(lambda why: f'{why}; nothing was written')
    )


def _read_back(content: bytes, path: Path, head: Mapping[str, Any]) -> Result[Recorded | None, str]:
    """Return the content of the bytes, `None` if there is at most a part of the first line."""
    if b'\n' not in content and written(head).startswith(content):
        return Success(None)
    return parsed(content, path)


def _with_games(
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


# ---- writing ----


@define
class Writer:
    """A match file open for writing, up to `place`."""

    path: Path
    file: Any
    place: int = 0

    def put(self, values: Mapping[str, Any]) -> None:
        """Write a line.

        :raises OSError: it cannot be written, or another line is already there.
        """
        line = written(values)
        self.file.seek(self.place)
        if not line.startswith(self.file.read(len(line))):
            raise self._other()
        self.file.seek(self.place)
        self.place += len(line)
        while line:
            line = line[self.file.write(line) :]

    def expect_end(self) -> None:
        """Raise `OSError` if anything follows what was written."""
        self.file.seek(self.place)
        if self.file.read(1):
            raise self._other()

    def _other(self) -> OSError:
        return OSError(
            f'{self.path}: something else follows byte {self.place}, perhaps from another run; '
            'nothing more was written'
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.file.close()


def append_to(path: Path, recorded: Recorded | None, head: Mapping[str, Any]) -> Writer:
    """Return the file, open for more lines, and locked if that is possible.

    :param recorded: its content when it was read.
    :raises ImportError: portalocker is not installed.
    :raises OSError: it cannot be written to, or another run writes to it, or has written since.
    """
    path.touch()
    file = path.open('r+b', buffering=0)
    writer = Writer(path, file)
    try:
        _lock(file, path)
        _expect_as_read(file, path, recorded, head)
        if recorded is None:
            writer.put(head)
        else:
            writer.place = recorded.size
    except BaseException:
        file.close()
        raise
    return writer


def _expect_as_read(
    file: Any, path: Path, recorded: Recorded | None, head: Mapping[str, Any]
) -> None:
    # Read through the open file: on some systems no other handle may read it while locked.
    if _read_back(file.readall(), path, head) != Success(recorded):
        raise OSError(f'{path}: another run has written to it meanwhile; nothing was written')


def _lock(file: Any, path: Path) -> None:
    """Lock the file until it is closed, however this process ends.

    A file system may have no locks; `Writer.put` does not rely on them.
    """
    portalocker = loaded('portalocker', 'files need', 'fmcts[matches]')
    try:
        portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
    except portalocker.LockException as error:
        number = getattr(error.args[0] if error.args else None, 'errno', None)
        if isinstance(error, portalocker.AlreadyLocked) or number in LOCKED:
            raise OSError(f'{path}: another run writes to it; nothing was written') from None
