"""Matches with their files: begun anew, or gone on with where an earlier run ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from attrs import field, frozen
from returns.result import Failure

from fmcts.cli.ending import BAD_INPUT, EndedError
from fmcts.games import GameModule
from fmcts.matches import Match, MatchResult, PlayedGame, play_match
from fmcts.matches.course import Course
from fmcts.matches.files import Recorded, head_of, line_of
from fmcts.matches.processes import Processes
from fmcts.matches.writing import append_to, resumed
from fmcts.search.notices import info

__all__ = ['Kept', 'all_kept', 'kept', 'played']


@frozen
class Kept:
    """A match, its file with that first line if it has one, and what an earlier run has played."""

    match: Match
    game: GameModule
    path: Path | None = None
    head: Mapping[str, Any] = field(factory=dict)
    recorded: Recorded | None = None
    games: tuple[PlayedGame, ...] = ()


def kept(match: Match, game: GameModule, path: Path | None) -> Kept:
    """The match with what its file holds; nothing is written yet.

    A notice says if the run cannot be resumed, since it is not known what a bot is.

    :raises EndedError: the file holds something else.
    """
    if path is None:
        return Kept(match, game)
    head = head_of(match, game)
    found = resumed(path, head, game)
    if isinstance(found, Failure):
        raise EndedError(BAD_INPUT, found.failure())
    recorded, games = found.unwrap()
    course = Course.of(match, games)
    if isinstance(course, Failure):
        raise EndedError(BAD_INPUT, f'{path}: {course.failure()}; nothing was written')
    for role, text in head['contents'].items():
        if not isinstance(text, str):
            info(f'{path}: cannot be resumed if interrupted: {head[role]} holds {text["unknown"]}')
    return Kept(match, game, path, head, recorded, games)


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
    with append_to(it.path, it.recorded, it.head) as file:

        def keep(ended: PlayedGame) -> None:
            file.put(line_of(it.head, ended, it.game))
            told(ended)

        result = play_match(it.match, executor=executor, watch=keep, before=it.games)
        file.expect_end()
        return result
