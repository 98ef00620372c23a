"""A run of matches and their files: new, or resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Self

from attrs import field, frozen
from returns.result import Failure, Result

from fmcts._arguments import amount
from fmcts.cli._ending import BAD_INPUT, EndedError
from fmcts.cli._inputs import Generator, to_engine, to_generator
from fmcts.cli._matches import (
    Form,
    executor_of,
    scores,
    shown_as,
    to_bundle,
    to_form,
    to_jobs,
    to_limit,
    to_path,
    to_picture,
)
from fmcts.cli._named import named_game
from fmcts.cli._progress import Progress
from fmcts.cli._recorded import options_of
from fmcts.cli._sources import sources_of
from fmcts.games import GameModule
from fmcts.matches import Match, MatchResult, PlayedGame, play_match
from fmcts.matches._files import Recorded, head_of, line_of, written
from fmcts.matches._processes import Processes
from fmcts.matches._state import MatchState
from fmcts.matches._tables import Table
from fmcts.matches._writing import append_to, resumed
from fmcts.notices import info
from fmcts.rng import format as format_rng
from fmcts.view._parts import Part


@frozen
class Run:
    """The request of any command that plays many games; `options` are those of each match."""

    game: GameModule
    engine: str
    rng: Generator
    jobs: int
    move_limit: float | None
    dask: str | None
    out: Path | None
    plot: Path | None
    bundle: Path | None
    form: Form
    options: Mapping[str, Any]

    @classmethod
    def of(cls, game: str, given: Mapping[str, Any]) -> Result[Self, str]:
        """Return the request that the command line makes, or what is wrong with it."""
        return Result.do(
            cls(module, engine, rng, jobs, limit, given['dask'], out, plot, bundle, form, more)
            for form in to_form(given['as_json'], given['as_csv'], given['table'])
            for engine in to_engine(given['engine'])
            for module in named_game(game)
            for jobs in to_jobs(given['jobs'], given['dask'])
            for limit in to_limit(given['move_limit'], given['dask'])
            for rng in to_generator(given['seed'], given['rng'])
            for out in to_path(given['out'])
            for plot in to_picture(given['plot'])
            for bundle in to_bundle(given['bundle'])
            for more in options_of(module, given)
        )

    def played(
        self, matches: Callable[[], Iterable[Kept]], pairs: Iterable[tuple[str, str]], total: int
    ) -> tuple[tuple[MatchResult, ...], float]:
        """Play the matches, `total` games between `pairs` of bots; return results and seconds."""
        began = monotonic()
        with (
            executor_of(self.dask, self.jobs, self.move_limit) as executor,
            Progress() as progress,
        ):
            told = scores(progress, pairs, total)
            kept = [*matches()]
            sources = partial(
                sources_of, {self.game.name, *(b for it in kept for b in it.match.names)}
            )
            before = sources() if self.bundle is not None else {}
            results = tuple(played(it, executor, told) for it in kept)
        for result in results:
            if len(result.games) > 2 * result.distinct:
                one, two = result.match.names
                info(
                    f'{one} against {two}: {amount(len(result.games), "game")}, '
                    f'{result.distinct} of them different: repeated games prove nothing more; '
                    'give --opening-plies or --opening'
                )
        if self.bundle is not None:
            from fmcts.cli._bundle import write_bundle  # noqa: PLC0415 - few matches have one

            records = [_as_file(it, result) for it, result in zip(kept, results, strict=True)]
            write_bundle(self.bundle, records, before, sources())
        return results, monotonic() - began

    def show(
        self,
        page: Callable[[], Part],
        table: Callable[[], Table],
        values: Callable[[], Mapping[str, object]],
        seconds: float,
        summary: Callable[[], Table] | None = None,
    ) -> None:
        """Print the results; in JSON only `seconds` and `jobs` differ between two runs.

        `summary` is what `--table` prints, the table if left out.
        """
        tail = {'rng': format_rng(self.rng), 'seconds': round(seconds, 3), 'jobs': self.jobs}
        found = {'game': self.game.name}
        shown_as(self.form, page, table, lambda: {**found, **values(), **tail}, summary or table)

    def draw(self, picture: Callable[[Any], Any]) -> None:
        """Save the picture if one is requested; `picture` receives the module of plots."""
        if self.plot is not None:
            from fmcts.matches import plots  # noqa: PLC0415 - matplotlib takes a second

            plots.saved(picture(plots), self.plot)


@frozen
class Kept:
    """A match, its file and first line if it has one, and the games of an earlier run."""

    match: Match
    game: GameModule
    path: Path | None = None
    head: Mapping[str, Any] = field(factory=dict)
    recorded: Recorded | None = None
    games: tuple[PlayedGame, ...] = ()


def _as_file(it: Kept, result: MatchResult) -> bytes:
    """Return the file of a match."""
    head = it.head or head_of(it.match, it.game)
    lines = (line_of(head, game, it.game) for game in result.games)
    return b''.join(map(written, (head, *lines)))


def kept(match: Match, game: GameModule, path: Path | None) -> Kept:
    """Return the match with the games in its file; write nothing yet.

    Send a notice if the run cannot be resumed because a bot cannot be identified.

    :raises EndedError: the file is from another match, or is damaged.
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
    """Return several matches, each with a numbered file in the folder: `1.jsonl`, `2.jsonl`...

    All files are read before any is written.

    :raises EndedError: a file is from another match, or the folder is not a folder.
    :raises OSError: the folder does not exist and cannot be created.
    """
    if folder is None:
        return [Kept(match, game) for match in matches]
    if folder.exists() and not folder.is_dir():
        raise EndedError(BAD_INPUT, f'{folder}: is not a folder; each match needs a file in it')
    found = [
        kept(match, game, folder / f'{number}.jsonl') for number, match in enumerate(matches, 1)
    ]
    folder.mkdir(exist_ok=True)
    return found


def played(
    it: Kept, executor: Executor | Processes | None, told: Callable[[PlayedGame], object]
) -> MatchResult:
    """Play the match to its end; write every game as it ends, and pass it to `told`.

    :raises OSError: the file cannot be written.
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
