"""A run of matches, new or resumed: its options, files and processes, and what is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final, Self

from attrs import field, frozen

from fmcts._arguments import amount, cut
from fmcts._content.elsewhere import OtherCodeError
from fmcts._extras import loaded
from fmcts.cli._ending import BAD_INPUT, EndedError, accepted
from fmcts.cli._inputs import Generator, to_engine, to_generator
from fmcts.cli._matches import (
    Form,
    options_of,
    to_bundle,
    to_form,
    to_jobs,
    to_limit,
    to_path,
    to_picture,
)
from fmcts.cli._named import named_game
from fmcts.cli._progress import Progress
from fmcts.cli._screen import Screen, print_json
from fmcts.errors import MoveLimitError
from fmcts.games import GameModule
from fmcts.matches import Match, MatchResult, PlayedGame, play_match
from fmcts.matches._files import Recorded, head_of, line_of, written
from fmcts.matches._running import MatchState, UnsentError, players
from fmcts.matches._tables import Table
from fmcts.matches._writing import append_to, resumed
from fmcts.notices import info
from fmcts.rng import format as format_rng
from fmcts.view._parts import Part

LONGEST: Final = 160  # characters of an error message from another library
ANSWER: Final = 5  # seconds that a scheduler has to answer


@frozen
class Run:
    """The options of a command that plays many games; `options` are those of each match."""

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
    def of(cls, game: str, given: Mapping[str, Any]) -> Self:
        """Return the run with the options of a command.

        :raises EndedError: an option is not accepted.
        """
        form = accepted(to_form(given['as_json'], given['as_csv'], given['table']))
        engine = accepted(to_engine(given['engine']))
        module = accepted(named_game(game))
        jobs = accepted(to_jobs(given['jobs'], given['dask']))
        limit = accepted(to_limit(given['move_limit'], given['dask']))
        rng = accepted(to_generator(given['seed'], given['rng']))
        out = accepted(to_path(given['out']))
        plot = accepted(to_picture(given['plot']))
        bundle = accepted(to_bundle(given['bundle']))
        options = accepted(options_of(module, given))
        dask = given['dask']
        return cls(module, engine, rng, jobs, limit, dask, out, plot, bundle, form, options)

    def play(
        self, matches: Sequence[Match], *, in_folder: bool = True
    ) -> tuple[tuple[MatchResult, ...], float]:
        """Play the matches, with files in a folder or in one file; return results and seconds."""
        began = monotonic()
        with (
            executor_of(self.dask, self.jobs, self.move_limit) as executor,
            Progress() as progress,
        ):
            show_score = scores(progress, matches)
            tasks = self._tasks(matches, in_folder=in_folder)
            before = self._sources(matches)
            results = tuple(play_task(task, executor, show_score) for task in tasks)
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

            records = [_as_file(task, result) for task, result in zip(tasks, results, strict=True)]
            write_bundle(self.bundle, records, before, self._sources(matches))
        return results, monotonic() - began

    def _tasks(self, matches: Sequence[Match], *, in_folder: bool) -> list[Task]:
        """Return the matches with their files: numbered ones in a folder, or one file.

        All files are read before any is written.

        :raises EndedError: a file is from another match, or the folder is not a folder.
        :raises OSError: the folder does not exist and cannot be created.
        """
        out = self.out
        if out is None:
            return [Task(match, self.game) for match in matches]
        if in_folder and out.exists() and not out.is_dir():
            raise EndedError(BAD_INPUT, f'{out}: is not a folder; each match needs a file in it')
        numbers = range(1, len(matches) + 1)
        paths = [out / f'{number}.jsonl' for number in numbers] if in_folder else [out]
        tasks = [with_file(*it, self.game) for it in zip(matches, paths, strict=True)]
        if in_folder:
            out.mkdir(exist_ok=True)
        return tasks

    def _sources(self, matches: Sequence[Match]) -> dict[str, bytes]:
        """Return the user's modules that the game and the bots are made of, for a bundle."""
        if self.bundle is None:
            return {}
        from fmcts.cli._bundle import sources_of  # noqa: PLC0415 - few matches have one

        return sources_of({self.game.name, *(name for match in matches for name in match.names)})

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
        match self.form:
            case 'page':
                Screen.of_output().page(page())
            case 'json':
                print_json({'game': self.game.name, **values(), **tail})
            case 'csv':
                print(table().to_csv(), end='')
            case 'markdown':
                print((summary or table)().to_markdown(), end='')
            case 'latex':
                print((summary or table)().to_latex(), end='')

    def draw(self, picture: Callable[[Any], Any]) -> None:
        """Save the picture if one is requested; `picture` receives the module of plots."""
        if self.plot is not None:
            from fmcts.matches import plots  # noqa: PLC0415 - matplotlib takes a second

            plots.saved(picture(plots), self.plot)


@frozen
class Task:
    """A match, its file and first line if it has one, and the games of an earlier run."""

    match: Match
    game: GameModule
    path: Path | None = None
    head: Mapping[str, Any] = field(factory=dict)
    recorded: Recorded | None = None
    games: tuple[PlayedGame, ...] = ()


def _as_file(task: Task, result: MatchResult) -> bytes:
    """Return the file of a match."""
    head = task.head or head_of(task.match, task.game)
    lines = (line_of(head, game, task.game) for game in result.games)
    return b''.join(map(written, (head, *lines)))


def with_file(match: Match, path: Path, game: GameModule) -> Task:
    """Return the match with the games in its file; write nothing yet.

    Send a notice if the run cannot be resumed because a bot cannot be identified.

    :raises EndedError: the file is from another match, or is damaged.
    """
    head = head_of(match, game)
    recorded, games = accepted(resumed(path, head, game))
    accepted(MatchState.of(match, games).alt(lambda why: f'{path}: {why}; nothing was written'))
    for role, text in head['contents'].items():
        if not isinstance(text, str):
            info(f'{path}: cannot be resumed if interrupted: {head[role]} holds {text["unknown"]}')
    return Task(match, game, path, head, recorded, games)


def play_task(
    task: Task, executor: Executor | None, watch: Callable[[PlayedGame], object]
) -> MatchResult:
    """Play the match to its end; write every game as it ends, and pass it to `watch`.

    :raises OSError: the file cannot be written.
    """
    if task.path is None:
        return play_match(task.match, executor=executor, watch=watch)
    for earlier in task.games:
        watch(earlier)
    with append_to(task.path, task.recorded, task.head) as file:

        def keep(ended: PlayedGame) -> None:
            file.put(line_of(task.head, ended, task.game))
            watch(ended)

        result = play_match(task.match, executor=executor, watch=keep, before=task.games)
        file.expect_end()
        return result


def scores(progress: Progress, matches: Sequence[Match]) -> Callable[[PlayedGame], None]:
    """Return a function that shows the score after each game of several matches."""
    rest, total = iter(matches), sum(match.games for match in matches)
    names, points, played, done = ('', ''), 0.0, 0, 0

    def show(game: PlayedGame) -> None:
        nonlocal names, points, played, done
        if game.number == 0:
            names, points, played = next(rest).names, 0.0, 0
        points, played, done = points + game.points, played + 1, done + 1
        one, two = names
        progress.watching(f'{one} {points:g} : {played - points:g} {two}', total)(done)

    return show


@contextmanager
def executor_of(dask: str | None, jobs: int, move_limit: float | None) -> Iterator[Executor | None]:
    """Yield Dask's executor if an address is given, else one with `jobs` processes."""
    if dask is None:
        with players(None, jobs, move_limit) as there:
            try:
                yield there
            except (BrokenProcessPool, MoveLimitError, OtherCodeError, UnsentError) as error:
                raise EndedError(BAD_INPUT, str(error)) from None
        return
    distributed = loaded('distributed', '--dask needs', 'fmcts[dask]')
    try:
        if dask != 'local':
            _expect_answer(dask)
        client = distributed.Client(
            distributed.LocalCluster(threads_per_worker=1, dashboard_address=':0')
            if dask == 'local'
            else dask,
            timeout=ANSWER,
        )
    except Exception as error:  # noqa: BLE001 - what answers there may be anything
        said = cut(f'{type(error).__name__}: {error}', LONGEST)
        why = f'--dask {dask}: no scheduler answers at this address: {said}'
        raise EndedError(BAD_INPUT, why) from None
    with client:
        yield client.get_executor(pure=False)


def _expect_answer(address: str) -> None:
    """Raise an error if no scheduler answers there; a client would wait for ever.

    :raises Exception: any error of connecting to something else.
    """
    import asyncio  # noqa: PLC0415 - only Dask needs it

    from distributed.comm import connect  # noqa: PLC0415 - only Dask needs it

    async def ask() -> None:
        asked = connect(address, timeout=ANSWER)
        (await asyncio.wait_for(asked, ANSWER + 1)).abort()

    try:
        asyncio.run(ask())
    except TimeoutError as error:
        raise TimeoutError(str(error) or f'no answer within {ANSWER} s') from None
