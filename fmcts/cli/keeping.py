"""Matches with their files: begun anew, or gone on with where an earlier run ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from pathlib import Path

from attrs import frozen
from returns.result import Failure

from fmcts.cli.ending import BAD_INPUT, EndedError
from fmcts.games import GameModule
from fmcts.matches import Match, MatchResult, PlayedGame, play_match
from fmcts.matches.course import Course
from fmcts.matches.files import Recorded, append_to, head_of, line_of, resumed, written
from fmcts.matches.processes import Processes

__all__ = ['Kept', 'all_kept', 'kept', 'played']


@frozen
class Kept:
    """A match, its file if there is to be one, and what an earlier run has played of it."""

    match: Match
    game: GameModule
    path: Path | None = None
    recorded: Recorded | None = None
    games: tuple[PlayedGame, ...] = ()


def kept(match: Match, game: GameModule, path: Path | None) -> Kept:
    """The match with what its file holds; nothing is written yet.

    :raises EndedError: the file holds something else.
    """
    if path is None:
        return Kept(match, game)
    found = resumed(path, head_of(match, game), game)
    if isinstance(found, Failure):
        raise EndedError(BAD_INPUT, found.failure())
    recorded, games = found.unwrap()
    course = Course.of(match, games)
    if isinstance(course, Failure):
        raise EndedError(BAD_INPUT, f'{path}: {course.failure()}; nothing was written')
    return Kept(match, game, path, recorded, games)


def all_kept(matches: Iterable[Match], game: GameModule, folder: Path | None) -> list[Kept]:
    """Several matches, each with a file in the folder, by its number: `1.jsonl`, `2.jsonl`...

    All files are looked at before any is written to.

    :raises EndedError: one holds something else, or the folder is none.
    :raises OSError: there is no such folder, and it cannot be made.
    """
    if folder is None:
        return [Kept(match, game) for match in matches]
    if folder.exists() and not folder.is_dir():
        raise EndedError(BAD_INPUT, f'{folder}: is no folder; each match has a file in it')
    found = [
        kept(match, game, folder / f'{number}.jsonl') for number, match in enumerate(matches, 1)
    ]
    folder.mkdir(exist_ok=True)
    return found


def played(
    it: Kept, executor: Executor | Processes | None, told: Callable[[PlayedGame], object]
) -> MatchResult:
    """The match, played to its end; every game is written as it ends, and told.

    :raises OSError: the file cannot be written to.
    """
    if it.path is None:
        return play_match(it.match, executor=executor, watch=told)
    for earlier in it.games:
        told(earlier)
    head = head_of(it.match, it.game)
    with append_to(it.path, it.recorded, head) as file:

        def keep(ended: PlayedGame) -> None:
            file.write(written(line_of(head, ended, it.game)))
            file.flush()
            told(ended)

        return play_match(it.match, executor=executor, watch=keep, before=it.games)
