"""Options, executors and numbers shared by the commands that play many games."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar

import click
from returns.result import Failure, Result, Success

from fmcts._arguments import cut, shown
from fmcts._extras import loaded
from fmcts.cli import _options as options
from fmcts.cli._ending import BAD_INPUT, EndedError
from fmcts.cli._inputs import to_new_file
from fmcts.cli._progress import Progress
from fmcts.cli._screen import Screen, print_json
from fmcts.errors import MoveLimitError
from fmcts.matches import Match, MatchResult, PlayedGame, Sprt
from fmcts.matches._limits import check_limit
from fmcts.matches._processes import Processes, UnsentError
from fmcts.matches._running import players
from fmcts.matches._tables import Table
from fmcts.view._parts import Part

GAMES: Final = 100
SPRT: Final = '--sprt must be two numbers such as 0,20, the larger last'
LONGEST: Final = 18  # digits of a number
LONGEST_WORD: Final = 160  # characters of an error message from another library
ANSWER: Final = 5  # seconds that a scheduler has to answer

Form: TypeAlias = Literal['page', 'csv', 'json', 'markdown', 'latex']
"""The format of a printed result."""

PRINTED: Final[Mapping[str, Form]] = {'markdown': 'markdown', 'latex': 'latex'}

F = TypeVar('F', bound=Callable[..., Any])


def games(command: F) -> F:
    """Add the options common to these commands, from --games to --json."""
    for option in (
        options.json,
        click.option('--csv', 'as_csv', is_flag=True, help='Print comma-separated values.'),
        click.option('--table', metavar='markdown|latex', help='Print a table for a paper.'),
        click.option('--plot', metavar='FILE', help='Draw the result, .png or .svg.'),
        click.option('--bundle', metavar='FILE.zip', help='Write all that fmcts verify needs.'),
        click.option('--dask', metavar='ADDRESS', help='A Dask scheduler, or local.'),
        click.option(
            '--jobs',
            metavar='K',
            default='1',
            show_default=True,
            help='Processes, including this one.',
        ),
        click.option('--move-limit', metavar='SECONDS', help='Seconds a bot may take for a move.'),
        click.option('--keep-trees', is_flag=True, help='Tree searches reuse their previous tree.'),
        click.option(
            '--opening', metavar='A,B,...', multiple=True, help='Moves to start from; repeatable.'
        ),
        click.option(
            '--opening-plies',
            metavar='N',
            default='0',
            help='Random moves at the start of each game.',
        ),
        click.option(
            '--games', metavar='N', default=str(GAMES), show_default=True, help='An even number.'
        ),
    ):
        command = option(command)
    return command


by_time: Final = click.option(
    '--time',
    metavar='SECONDS',
    help='Time of a tree search for a move, in place of its iterations, which are recorded.',
)


def installed(library: str, extra: str) -> Result[str, str]:
    """Return the library's name if it is installed; called before the games are played."""
    if importlib.util.find_spec(library):
        return Success(library)
    return Failure(f'this needs {library}: install fmcts[{extra}]')


def to_whole(name: str, text: str) -> Result[int, str]:
    """Return the whole number that an option gives."""
    if text.isascii() and text.isdecimal() and len(text) <= LONGEST:
        return Success(int(text))
    return Failure(f'{name} must be a whole number, not {shown(text)}')


def to_jobs(text: str, dask: str | None) -> Result[int, str]:
    """Return the number of processes that --jobs gives."""
    if dask is not None and text != '1':
        return Failure('--jobs and --dask exclude each other: give one of them')
    return to_whole('--jobs', text).bind(
        lambda jobs: Success(jobs) if jobs else Failure('--jobs must be at least 1, not 0')
    )


def to_limit(text: str | None, dask: str | None) -> Result[float | None, str]:
    """Return the seconds that a bot may take for a move; `None` for no limit."""
    if text is None:
        return Success(None)
    if dask is not None:
        return Failure('--move-limit and --dask exclude each other: give --jobs')
    try:
        return Success(check_limit(float(text)))
    except ValueError:
        return Failure(f'--move-limit must be a number of seconds above 0, not {shown(text)}')


def to_sprt(text: str | None) -> Result[Sprt | None, str]:
    """Return the test that --sprt names."""
    if text is None:
        return Success(None)
    try:
        low, high = map(float, text.split(','))
    except ValueError:
        return Failure(f'{SPRT}: not {shown(text)}')
    try:
        return Success(Sprt(low, high))
    except ValueError as error:
        return Failure(f'{SPRT}: {error}')


def to_form(as_json: bool, as_csv: bool, table: str | None) -> Result[Form, str]:  # noqa: FBT001 - as click has them
    """Return the format of the printed result."""
    given = [
        name
        for name, there in (('--json', as_json), ('--csv', as_csv), ('--table', table is not None))
        if there
    ]
    if len(given) > 1:
        return Failure(f'{given[0]} and {given[1]} exclude each other: give one of them')
    if table is not None and table in PRINTED:
        form = PRINTED[table]
        return installed('tabulate', 'matches').map(lambda _: form)
    if table is not None:
        return Failure(f'--table must be markdown or latex, not {shown(table)}')
    return Success('json' if as_json else 'csv' if as_csv else 'page')


def shown_as(
    form: Form,
    page: Callable[[], Part],
    table: Callable[[], Table],
    values: Callable[[], Mapping[str, object]],
    summary: Callable[[], Table],
) -> None:
    """Print a result in that form: a page, rows of CSV, one line of JSON, or a table of results."""
    if form == 'markdown':
        print(summary().to_markdown(), end='')
    elif form == 'latex':
        print(summary().to_latex(), end='')
    elif form == 'json':
        print_json(values())
    elif form == 'csv':
        print(table().to_csv(), end='')
    else:
        Screen.of_output().page(page())


def planned(
    plan: Callable[..., tuple[Match, ...]], *given: Any, **more: Any
) -> Result[tuple[Match, ...], str]:
    """Return the matches, or what is wrong with their options, before the first one is played."""
    try:
        return Success(plan(*given, **more))
    except ValueError as error:
        return Failure(str(error))


def scores(
    progress: Progress, pairs: Iterable[tuple[str, str]], total: int
) -> Callable[[PlayedGame], None]:
    """Return a function that shows the score after each of `total` games of several matches."""
    rest, names, points, played, done = iter(pairs), ('', ''), 0.0, 0, 0

    def told(game: PlayedGame) -> None:
        nonlocal names, points, played, done
        if game.number == 0:
            names, points, played = next(rest), 0.0, 0
        points, played, done = points + game.points, played + 1, done + 1
        one, two = names
        progress.watching(f'{one} {points:g} : {played - points:g} {two}', total)(done)

    return told


def to_path(text: str | None) -> Result[Path | None, str]:
    """Return the file to write to."""
    if text is None:
        return Success(None)
    return installed('portalocker', 'matches').map(lambda _: Path(text))


def to_picture(text: str | None) -> Result[Path | None, str]:
    """Return the file of a picture, whose suffix gives the format."""
    if text is None:
        return Success(None)
    if not text.lower().endswith(('.png', '.svg')):
        return Failure(f'--plot must name a .png or .svg file, not {shown(text)}')
    if not Path(text).parent.is_dir():  # report it before the games, not after them
        return Failure(f'--plot {text}: there is no folder {Path(text).parent}')
    return installed('matplotlib', 'plot').bind(lambda _: to_new_file('--plot', text))


def to_bundle(text: str | None) -> Result[Path | None, str]:
    """Return the file of a bundle."""
    if text is None:
        return Success(None)
    if not text.lower().endswith('.zip'):
        return Failure(f'--bundle must name a .zip file, not {shown(text)}')
    if not Path(text).parent.is_dir():  # as above
        return Failure(f'--bundle {text}: there is no folder {Path(text).parent}')
    return Success(Path(text))


@contextmanager
def executor_of(
    dask: str | None, jobs: int, move_limit: float | None
) -> Iterator[Executor | Processes | None]:
    """Yield Dask's executor if an address is given, else one with `jobs` processes."""
    if dask is None:
        with players(None, jobs, move_limit) as there:
            try:
                yield there
            except (BrokenProcessPool, MoveLimitError, UnsentError) as error:
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
        said = cut(f'{type(error).__name__}: {error}', LONGEST_WORD)
        why = f'--dask {dask}: no scheduler answers at this address: {said}'
        raise EndedError(BAD_INPUT, why) from None
    with client:
        yield client.get_executor(pure=False)


def _expect_answer(address: str) -> None:
    """Raise an error if no scheduler answers there; a client would wait for ever.

    :raises Exception: any error of connecting to something else.
    """
    import asyncio  # noqa: PLC0415 - only Dask needs it

    from distributed.comm import connect  # noqa: PLC0415 - as above

    async def ask() -> None:
        asked = connect(address, timeout=ANSWER)
        (await asyncio.wait_for(asked, ANSWER + 1)).abort()

    try:
        asyncio.run(ask())
    except TimeoutError as error:
        raise TimeoutError(str(error) or f'no answer within {ANSWER} s') from None


def rounded(number: float) -> float | None:
    """Return a number for JSON; infinities are `null`."""
    return round(number, 6) if math.isfinite(number) else None


def figures(result: MatchResult, *names: str) -> dict[str, object]:
    """Return these attributes of a result as values for JSON."""
    return {name: _in_json(getattr(result, name)) for name in names}


def _in_json(value: Any) -> object:
    if isinstance(value, tuple):
        return [*map(rounded, value)]
    return rounded(value) if isinstance(value, float) else value


def score_in_words(result: MatchResult) -> tuple[str, str]:
    """Return the score of a result and its interval, for a row of a listing."""
    return f'{result.score:.1%}', '{:.1%} to {:.1%}'.format(*result.interval)
