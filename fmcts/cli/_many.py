"""The parts shared by commands that play many games: options, files, executors, printed results."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from functools import partial, wraps
from json import dumps
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeVar, cast

import click
from attrs import evolve, field, frozen

from fmcts._arguments import amount, cut, shown, within
from fmcts._extras import loaded
from fmcts.cli import _types as types
from fmcts.cli._progress import Progress
from fmcts.cli._screen import page as show_page
from fmcts.cli._types import COUNT, DONE, NUMBER, Generator, Spec, require, usage
from fmcts.errors import MoveLimitError
from fmcts.games import GameModule
from fmcts.matches import (
    Match,
    MatchFile,
    MatchResult,
    PlayedGame,
    ResultTable,
    Sprt,
    UnsentError,
    follow,
    in_text,
    players,
)
from fmcts.notices import info
from fmcts.rng import format as format_rng
from fmcts.view import Part

F = TypeVar('F', bound=Callable[..., Any])

GAMES: Final = 100
ADDRESS: Final = types.Parsed('ADDRESS', str)
PICTURE: Final = types.to_file('.png', '.svg')
ZIP: Final = types.to_file('.zip', new=False, name='FILE.zip')
BY_TIME: Final = 'Time of a tree search for a move, in place of its iterations, which are recorded.'
IN_FOLDER: Final = ('FOLDER', 'Keep one file per match; resume an interrupted run.')
NAMED: Final = re.compile(r'([^=:,]*[^=:,\s][^=:,]*)=(.+)')
"""NAME=SPEC; an option of a SPEC comes after a colon."""
LONGEST: Final = 160  # characters of an error message from another library
ANSWER: Final = 5  # seconds that a scheduler has to answer


def to_named(text: str) -> Any:
    """Return the name to print and the bot that is given as SPEC or as NAME=SPEC."""
    named = NAMED.fullmatch(text)
    name, spec = (named[1], named[2]) if named else (text, text)
    return name.strip(), types.to_bot(spec)


NAMED_BOT: Final = types.Parsed('[NAME=]SPEC', to_named)


def to_sprt(text: str) -> Sprt:
    """Return the test that --sprt names.

    :raises ValueError: it is not one.
    """
    numbers = 'expected two numbers such as 0,20, the larger last'
    try:
        low, high = map(float, text.split(','))
    except ValueError:
        raise ValueError(f'{numbers}: not {shown(text)}') from None
    with within(numbers):
        return Sprt(low, high)


SPRT: Final = types.Parsed('ELO0,ELO1', to_sprt)


@frozen
class Run:
    """The options of a command that plays many games; `options` are for each match."""

    game: GameModule
    engine: str
    rng: Generator
    jobs: int
    move_limit: float | None
    dask: str | None
    out: Path | None
    plot: Path | None
    bundle: Path | None
    form: str
    options: Mapping[str, Any]
    began: float = field(factory=monotonic)

    @property
    def seconds(self) -> float:
        """The time since the command began."""
        return monotonic() - self.began

    def match(self, one: Spec, two: Spec, **options: Any) -> Match:
        """Return a match of this run.

        :raises UsageError: its options contradict each other.
        """
        first = one.bot(self.engine)
        second = first if one.text == two.text else two.bot(self.engine)  # equal specs are one bot
        bots = {'first': first, 'second': second, 'names': (one.text, two.text)}
        with usage():
            return Match(
                start=self.game.start, **{'rng': self.rng, **bots, **self.options, **options}
            )

    def play(
        self,
        matches: Sequence[Match],
        names: Sequence[tuple[str, str]] = (),
        *,
        in_folder: bool = True,
    ) -> tuple[MatchResult, ...]:
        """Play the matches, with files in a folder or in one file, and return the results.

        Their bots are called by `names`, if there are any; in files by their specs.
        """
        if self.options['seconds'] is not None:
            both = (pair for it in matches for pair in zip(it.names, it.bots, strict=True))
            for name, bot in dict(both).items():
                types.tell_of_number('--time', name, bot)
        with self._executor() as executor, Progress() as progress:
            watch = _scores(progress, matches)
            # Files and sources are read before the first game: a wrong folder costs none, and a bot
            # may change its own module.
            files = self._files(matches, in_folder=in_folder)
            if self.bundle is not None:
                from fmcts.cli import _bundle as bundles  # noqa: PLC0415 - few matches have one

                bundles.check_ours(self.bundle)
                specs = {self.game.name, *(it for one in matches for it in one.names)}
                sources = bundles.sources_of(specs)
            results = tuple(file.play(executor, watch) for file in files)
        for result in results:
            if len(result.games) > 2 * result.distinct:
                one, two = result.match.names
                info(
                    f'{one} against {two}: {amount(len(result.games), "game")}, '
                    f'{result.distinct} of them different: repeated games add no evidence; '
                    'give more --opening-plies, or --opening'
                )
        if self.bundle is not None:
            records = [file.content(it.games) for file, it in zip(files, results, strict=True)]
            # At the end of the command: results are shown even if the bundle cannot be written.
            write = partial(bundles.write_bundle, self.bundle, records, sources)
            click.get_current_context().call_on_close(write)
        if not names:
            return results
        pairs = zip(results, names, strict=True)
        return tuple(evolve(it, match=evolve(it.match, names=both)) for it, both in pairs)

    def _files(self, matches: Sequence[Match], *, in_folder: bool) -> list[MatchFile]:
        """Return the matches with their files: numbered ones in a folder, or one file.

        All files are read before any is written.

        :raises UsageError: a file is from another match, or the folder is not a folder.
        :raises OSError: the folder does not exist and cannot be created.
        """
        out = self.out
        if in_folder and out is not None and out.exists() and not out.is_dir():
            raise click.UsageError(f'{out}: is not a folder; each match needs a file in it')
        files = []
        for number, match in enumerate(matches, 1):
            path = out / f'{number}.jsonl' if in_folder and out is not None else out
            with usage():
                file = MatchFile.of(match, self.game, path)
            if path is not None and (unknown := file.unknown):
                info(f'{path}: cannot be resumed if interrupted: {unknown}')
            files.append(file)
        if in_folder and out is not None:
            out.mkdir(exist_ok=True)
        return files

    @contextmanager
    def _executor(self) -> Iterator[Executor | None]:
        """Yield Dask's executor if an address is given, else one with `jobs` processes."""
        workers: AbstractContextManager[Executor | None] = (
            players(None, self.jobs, self.move_limit)
            if self.dask is None
            else dask_executor(self.dask)
        )
        try:
            with workers as there:
                yield there
        except (BrokenProcessPool, MoveLimitError, UnsentError) as error:
            raise click.UsageError(str(error)) from None

    def show(
        self,
        page: Part,
        values: Mapping[str, object],
        table: ResultTable,
        summary: ResultTable | None = None,
        picture: Callable[[Any], Any] | None = None,
    ) -> int:
        """Print the results, save their picture if one is asked for, and return the exit code.

        In JSON only `seconds` and `jobs` differ between two runs. `summary` is what `--table`
        prints, the table if left out; `picture` receives the module of plots.
        """
        match self.form:
            case 'page':
                show_page(page)
            case 'json':
                tail = {'rng': format_rng(self.rng), 'seconds': round(self.seconds, 3)}
                print(dumps({'game': self.game.name, **values, **tail, 'jobs': self.jobs}))
            case 'csv':
                print(table.to_csv(), end='')
            case form:
                print(getattr(summary or table, f'to_{form}')(), end='')
        if self.plot is not None and picture is not None:
            from fmcts.matches import plots  # noqa: PLC0415 - matplotlib takes a second

            plots.saved(picture(plots), self.plot)
        return DONE


def many_games(out: str, what: str, *, by_time: bool = True) -> Callable[[F], F]:
    """Add GAME and the options of commands that play many games; the command receives a `Run`.

    :param out: the metavar of --out, and `what` its help.
    """
    shared = (
        click.argument('game', metavar='GAME', type=types.GAME, is_eager=True),
        types.option('--games', COUNT, 'An even number.', default=GAMES),
        types.option('--opening-plies', NUMBER, 'Random moves at the start of each game.'),
        types.option('--opening', types.WORDS, 'Moves to start from; repeatable.', multiple=True),
        types.option('--keep-trees', None, 'Tree searches reuse their previous tree.'),
        types.option('--move-limit', types.SECONDS, 'Seconds a bot may take for a move.'),
        types.option('--jobs', COUNT, 'Processes that play.', default=1),
        types.option('--dask', ADDRESS, 'A Dask scheduler, or local.'),
        types.option('--bundle', ZIP, 'Write all that fmcts verify needs.'),
        types.option('--plot', PICTURE, 'Draw the result, .png or .svg.'),
        click.option(
            '--table',
            metavar='markdown|latex',
            type=click.Choice(('markdown', 'latex')),
            help='Print a table for a paper.',
        ),
        click.option('--csv', 'as_csv', is_flag=True, help='Print comma-separated values.'),
        types.json,
    )
    own = (types.option('--time', types.SECONDS, BY_TIME),) if by_time else ()
    kept = types.option('--out', types.to_file(new=False, name=out), what)
    options = (*shared, *own, types.generator, kept, types.engine)

    def add(command: F) -> F:
        own = [it.name for it in vars(command)['__click_params__']]

        @wraps(command)
        def parsed(**given: Any) -> Any:
            return command(**{name: given.pop(name) for name in own}, run=run_of(given))

        # Decorators apply from the inside out, and help lists options in this order.
        for option in reversed(options):
            parsed = option(parsed)
        return cast('F', parsed)

    return add


def run_of(given: dict[str, Any]) -> Run:
    """Return the run with the options of a command.

    :raises UsageError: options exclude each other, or a library is missing.
    """
    forms = {'--json': given.pop('as_json'), '--csv': given.pop('as_csv')}
    table = given.pop('table')
    asked = [name for name, there in {**forms, '--table': table}.items() if there]
    if len(asked) > 1:
        types.exclude(*asked[:2])
    for name, there in (('--jobs', given['jobs'] != 1), ('--move-limit', given['move_limit'])):
        if there and given['dask'] is not None:
            types.exclude(name, '--dask')
    for needed, library, extra in (
        (table, 'tabulate', 'matches'),
        (given['out'], 'portalocker', 'matches'),
        (given['plot'], 'matplotlib', 'plot'),
    ):
        if needed is not None:
            require(library, extra)
    options = {
        'games': given.pop('games'),
        'opening_plies': given.pop('opening_plies') or 0,
        'openings': _openings(given['game'], given.pop('opening')),
        'keep_trees': given.pop('keep_trees'),
        'seconds': given.pop('time', None),
    }
    return Run(**given, form=table or (asked or ['--page'])[0][2:], options=options)


def _openings(game: GameModule, lines: Sequence[str]) -> tuple[tuple[Any, ...], ...] | None:
    found = []
    for number, line in enumerate(lines, 1):
        words = [move.strip() for move in line.split(',')]
        with usage(f'opening {number}: '):
            found.append(follow(game.start, words, in_text(game)).moves)
    return tuple(found) or None


def _scores(progress: Progress, matches: Sequence[Match]) -> Callable[[PlayedGame], None]:
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
def dask_executor(address: str) -> Iterator[Executor]:
    """Yield the executor of the scheduler at an address, or of a new cluster on this machine.

    :raises UsageError: none answers, for which a client alone would wait for ever; or several
        workers ended that were to play a game.
    """
    distributed = loaded('distributed', '--dask needs', 'fmcts[dask]')
    try:
        scheduler: Any = address
        if address == 'local':
            scheduler = distributed.LocalCluster(threads_per_worker=1, dashboard_address=':0')
        else:
            _expect_answer(address)
        client = distributed.Client(scheduler, timeout=ANSWER)
    except Exception as error:  # noqa: BLE001 - what answers there may be anything
        said = f'{type(error).__name__}: {str(error) or f"no answer within {ANSWER} s"}'
        why = f'--dask {address}: no scheduler answers at this address: {cut(said, LONGEST)}'
        raise click.UsageError(why) from None
    with client:
        try:
            yield client.get_executor(pure=False)
        except distributed.KilledWorker:
            why = f'--dask {address}: the workers that played a game ended: does a bot end them?'
            raise click.UsageError(why) from None


def _expect_answer(address: str) -> None:
    """Connect to a scheduler; a client goes on for half a minute, and logs each of its tries."""
    import asyncio  # noqa: PLC0415 - only Dask needs it

    from distributed.comm import connect  # noqa: PLC0415 - the same

    async def ask() -> None:
        (await asyncio.wait_for(connect(address, timeout=ANSWER), ANSWER + 1)).abort()

    asyncio.run(ask())
