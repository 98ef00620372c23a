"""Options, matches and figures of results, for the commands that play many games."""

from __future__ import annotations

import importlib.util
import math
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar

import click
from attrs import evolve
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.cli import _options as options
from fmcts.cli._inputs import to_bot, to_new_file
from fmcts.cli._named import named_game
from fmcts.cli._timed import to_seconds
from fmcts.games import GameModule
from fmcts.matches import Match, MatchResult, Sprt
from fmcts.matches._lines import follow, in_text
from fmcts.matches._running import check_limit
from fmcts.rng import parse as parse_rng

GAMES: Final = 100
NAMED: Final = re.compile(r'([^=:,]*[^=:,\s][^=:,]*)=(.+)')
"""NAME=SPEC; an option of a SPEC comes after a colon."""
SPRT: Final = '--sprt must be two numbers such as 0,20, the larger last'
LONGEST: Final = 18  # digits of a number

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
            help='Processes that play.',
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
    return (
        _in_a_folder('--plot', text)
        .bind(lambda _: installed('matplotlib', 'plot'))
        .bind(lambda _: to_new_file('--plot', text))
    )


def to_bundle(text: str | None) -> Result[Path | None, str]:
    """Return the file of a bundle."""
    if text is None:
        return Success(None)
    if not text.lower().endswith('.zip'):
        return Failure(f'--bundle must name a .zip file, not {shown(text)}')
    return _in_a_folder('--bundle', text)


def _in_a_folder(option: str, text: str) -> Result[Path | None, str]:
    """Return the file if its folder exists, which is checked before the games are played."""
    path = Path(text)
    missing = f'{option} {text}: there is no folder {path.parent}'
    return Success(path) if path.parent.is_dir() else Failure(missing)


# ---- matches ----


def to_name(text: str) -> tuple[str, str]:
    """Return the name to print and the spec of a bot that is given as SPEC or as NAME=SPEC.

    >>> to_name('Tuned = mcts:c=2'), to_name('mcts:c=2')
    (('Tuned', 'mcts:c=2'), ('mcts:c=2', 'mcts:c=2'))
    """
    named = NAMED.fullmatch(text)
    return (named[1].strip(), named[2].strip()) if named else (text.strip(), text.strip())


def renamed(result: MatchResult, names: tuple[str, str]) -> MatchResult:
    """Return the result with these names of its bots; files have their specs."""
    return evolve(result, match=evolve(result.match, names=names))


def match_between(
    game: GameModule, names: tuple[str, str], engine: str, **options: Any
) -> Result[Match, str]:
    """Return the match between the bots of those specs."""
    known = {name: to_bot(name, engine) for name in names}  # equal specs are one bot
    bots = [known[name] for name in names]
    for which, bot in zip(('first', 'second'), bots, strict=True):
        if not is_successful(bot):
            return Failure(f'the {which} bot: {bot.failure()}')
    first, second = (bot.unwrap() for bot in bots)
    return to_match(first=first, second=second, start=game.start, names=names, **options)


def to_match(**given: Any) -> Result[Match, str]:
    """Return the match with these fields, or what is wrong with them."""
    try:
        return Success(Match(**given))
    except ValueError as error:
        return Failure(str(error))


def options_of(game: GameModule, given: Mapping[str, Any]) -> Result[dict[str, Any], str]:
    """Return the options of every match of a command."""
    lines = [[move.strip() for move in line.split(',')] for line in given['opening']]
    return Result.do(
        {
            'games': count,
            'opening_plies': plies,
            'openings': openings,
            'keep_trees': given['keep_trees'],
            **({} if seconds is None else {'seconds': seconds}),
        }
        for seconds in to_seconds(given.get('time'))
        for count in to_whole('--games', given['games'])
        for plies in to_whole('--opening-plies', given['opening_plies'])
        for openings in to_openings(game, lines or None)
    )


def to_openings(
    game: GameModule, lines: Sequence[Sequence[str]] | None
) -> Result[tuple[tuple[Any, ...], ...] | None, str]:
    """Return lines of moves in the game's own notation; each move must be legal."""
    if lines is None:
        return Success(None)
    found = []
    for number, line in enumerate(lines, 1):
        known = follow(game.start, line, in_text(game))
        if not is_successful(known):
            return Failure(f'opening {number}: {known.failure()}')
        found.append(known.unwrap().moves)
    return Success(tuple(found))


def match_of(head: Mapping[str, Any], engine: str) -> Result[tuple[GameModule, Match], str]:
    """Return the game and the match that the first line of a file describes."""
    names = head['first'], head['second']
    options = {name: head[name] for name in ('games', 'opening_plies', 'keep_trees')}
    options['seconds'] = head.get('seconds')
    return Result.do(
        (game, match)
        for test in _to_test(head['sprt'])
        for game in named_game(head['game'])
        for rng in parse_rng(head['rng'])
        for openings in to_openings(game, head['openings'])
        for match in match_between(
            game, names, engine, rng=rng, openings=openings, sprt=test, **options
        )
    )


def _to_test(values: Sequence[float] | None) -> Result[Sprt | None, str]:
    try:
        return Success(None if values is None else Sprt(*values))
    except ValueError as error:
        return Failure(f'sprt: {error}')


# ---- results ----


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
