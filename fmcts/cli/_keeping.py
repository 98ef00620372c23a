"""A run of matches, with their files: begun anew, or continued where an earlier run ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from pathlib import Path
from time import monotonic
from typing import Any, Self

from attrs import field, frozen
from returns.result import Failure, Result

from fmcts.cli._ending import BAD_INPUT, EndedError
from fmcts.cli._inputs import Generator, to_engine, to_generator
from fmcts.cli._matches import (
    Form,
    executor_of,
    installed,
    scores,
    shown_as,
    to_form,
    to_jobs,
    to_limit,
    to_path,
    to_picture,
)
from fmcts.cli._named import named_game
from fmcts.cli._progress import Progress
from fmcts.cli._recorded import options_of
from fmcts.games import GameModule
from fmcts.matches import Match, MatchResult, PlayedGame, play_match
from fmcts.matches._files import Recorded, head_of, line_of
from fmcts.matches._processes import Processes
from fmcts.matches._state import MatchState
from fmcts.matches._tables import Table
from fmcts.matches._writing import append_to, resumed
from fmcts.notices import info
from fmcts.rng import format as format_rng
from fmcts.view._parts import Part

__all__ = ['Kept', 'Run', 'all_kept', 'kept', 'played']


@frozen
class Run:
    """What every command that plays many games is asked for; `options` are those of each match."""

    game: GameModule
    engine: str
    rng: Generator
    jobs: int
    move_limit: float | None
    dask: str | None
    out: Path | None
    plot: Path | None
    form: Form
    options: Mapping[str, Any]

    @classmethod
    def of(cls, game: str, given: Mapping[str, Any]) -> Result[Self, str]:
        """Return what the words on the command line ask for, or what is wrong with them."""
        return Result.do(
            cls(module, engine, rng, jobs, limit, given['dask'], out, plot, form, more)
            for _ in installed('statsmodels', 'matches')
            for form in to_form(given['as_json'], given['as_csv'])
            for engine in to_engine(given['engine'])
            for module in named_game(game)
            for jobs in to_jobs(given['jobs'], given['dask'])
            for limit in to_limit(given['move_limit'], given['dask'])
            for rng in to_generator(given['seed'], given['rng'])
            for out in to_path(given['out'])
            for plot in to_picture(given['plot'])
            for more in options_of(module, given)
        )

    def played(
        self, matches: Callable[[], Iterable[Kept]], pairs: Iterable[tuple[str, str]], total: int
    ) -> tuple[tuple[MatchResult, ...], float]:
        """Play the matches, between `pairs` of bots and `total` games in all; give the seconds."""
        began = monotonic()
        with (
            executor_of(self.dask, self.jobs, self.move_limit) as executor,
            Progress() as progress,
        ):
            told = scores(progress, pairs, total)
            results = tuple(played(it, executor, told) for it in matches())
        return results, monotonic() - began

    def show(
        self,
        page: Callable[[], Part],
        table: Callable[[], Table],
        values: Callable[[], Mapping[str, object]],
        seconds: float,
    ) -> None:
        """Print the results; as JSON only `seconds` and `jobs` differ between two runs."""
        tail = {'rng': format_rng(self.rng), 'seconds': round(seconds, 3), 'jobs': self.jobs}
        shown_as(self.form, page, table, lambda: {'game': self.game.name, **values(), **tail})

    def draw(self, picture: Callable[[Any], Any]) -> None:
        """Save the picture that is asked for, if one is; `picture` is given the module of plots."""
        if self.plot is not None:
            from fmcts.matches import plots  # noqa: PLC0415 - matplotlib takes a second

            plots.saved(picture(plots), self.plot)


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
    state = MatchState.of(match, games)
    if isinstance(state, Failure):
        raise EndedError(BAD_INPUT, f'{path}: {state.failure()}; nothing was written')
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
