"""`fmcts tournament`: every two of several bots play a match."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from time import monotonic
from typing import Any

import click
from attrs import frozen
from returns.io import IOResult
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts.cli import options
from fmcts.cli.ending import DONE, carry_out
from fmcts.cli.inputs import Generator, to_bot, to_engine, to_generator
from fmcts.cli.keeping import all_kept, played
from fmcts.cli.matches import (
    Form,
    executor_of,
    games,
    installed,
    planned,
    rounded,
    scores,
    shown_as,
    to_form,
    to_jobs,
    to_limit,
    to_path,
    to_picture,
)
from fmcts.cli.named import named_game
from fmcts.cli.progress import Progress
from fmcts.cli.recorded import options_of
from fmcts.games import GameModule
from fmcts.matches.tournaments import TournamentResult, pairings
from fmcts.rng import format as format_rng
from fmcts.view.parts import Listing

__all__ = ['command', 'several']


@frozen
class Request:
    """What is asked for."""

    game: GameModule
    bots: Mapping[str, Any]
    rng: Generator
    jobs: int
    move_limit: float | None
    dask: str | None
    out: Path | None
    plot: Path | None
    form: Form
    options: Mapping[str, Any]


EXAMPLES = options.examples(
    'fmcts tournament tictactoe mcts:100 mc:100 random --games 40',
    'fmcts tournament connect4 mcts:500 strong:500 dehos:500 --jobs 2 --out games',
    'fmcts tournament hex:5 mcts:100 mcts:300 mcts:900 --games 20 --plot ratings.svg',
)


@click.command(
    'tournament',
    short_help='Play all against all, and rate the bots.',
    epilog=f'{options.names_in_words()}\n\n{EXAMPLES}',
)
@options.game
@click.argument('specs', metavar='SPEC...', nargs=-1)
@games
@options.generator
@click.option('--out', metavar='FOLDER', help='Keep a file a match; an ended run goes on.')
@options.engine
def command(game: str, specs: tuple[str, ...], **given: Any) -> int:
    """Play a match of N games of GAME between every two of the bots, and rate them all.

    Ratings are Elo points by maximum likelihood, 0 for the mean, with intervals of 95 %.

    A run that is broken off goes on with the same --out, a folder with a file for each match.
    """
    request = IOResult.from_result(
        Result.do(
            Request(module, bots, rng, jobs, limit, given['dask'], out, plot, form, more)
            for _ in installed('statsmodels', 'matches')
            for form in to_form(given['as_json'], given['as_csv'])
            for engine in to_engine(given['engine'])
            for module in named_game(game)
            for bots in several(specs, engine)
            for jobs in to_jobs(given['jobs'], given['dask'])
            for limit in to_limit(given['move_limit'], given['dask'])
            for rng in to_generator(given['seed'], given['rng'])
            for out in to_path(given['out'])
            for plot in to_picture(given['plot'])
            for more in options_of(module, given)
            for _ in planned(pairings, bots, module.start, rng=rng, **more)
        )
    )
    return carry_out(request, act)


def several(specs: tuple[str, ...], engine: str) -> Result[Mapping[str, Any], str]:
    """The bots by their specs, each of which stands there once."""
    found = {}
    for spec in map(str.strip, specs):
        bot = to_bot(spec, engine)
        if not is_successful(bot):
            return Failure(bot.failure())
        if spec in found:
            return Failure(f'the bot {spec} is named twice')
        found[spec] = bot.unwrap()
    if len(found) < 2:
        return Failure(f'a tournament needs at least 2 bots, not {len(found)}')
    return Success(found)


def act(request: Request) -> int:
    """Play, and print the standings."""
    began = monotonic()
    pairs = list(combinations(request.bots, 2))
    matches = pairings(request.bots, request.game.start, rng=request.rng, **request.options)
    with (
        executor_of(request.dask, request.jobs, request.move_limit) as executor,
        Progress() as progress,
    ):
        told = scores(progress, pairs, len(pairs) * request.options['games'])
        known = all_kept(matches, request.game, request.out)
        results = [played(it, executor, told) for it in known]
    result = TournamentResult(tuple(request.bots), tuple(results))
    shown_as(
        request.form,
        lambda: standings(result),
        result.table,
        lambda: in_json(request, result, monotonic() - began),
    )
    if request.plot is not None:
        from fmcts.matches.plots import elo, saved  # noqa: PLC0415 - matplotlib takes a second

        saved(elo(result.standings, request.game.name), request.plot)
    return DONE


def in_json(request: Request, result: TournamentResult, seconds: float) -> dict[str, object]:
    """The result as a tool reads it; only `seconds` and `jobs` differ between two runs."""
    return {
        'game': request.game.name,
        'standings': [
            {
                'bot': row.name,
                'points': row.points,
                'games': row.games,
                'elo': rounded(row.rating.elo),
                'elo_interval': [rounded(row.rating.low), rounded(row.rating.high)],
            }
            for row in result.standings
        ],
        'matches': [
            {
                'first': it.match.names[0],
                'second': it.match.names[1],
                'wins': it.wins,
                'draws': it.draws,
                'losses': it.losses,
            }
            for it in result.results
        ],
        'rng': format_rng(request.rng),
        'seconds': round(seconds, 3),
        'jobs': request.jobs,
    }


def standings(result: TournamentResult) -> Listing:
    """A row a bot, the highest rating first."""
    rows = tuple(
        (
            row.name,
            f'{row.points:g}',
            str(row.games),
            f'{row.rating.elo:+.0f}',
            f'{row.rating.low:+.0f} to {row.rating.high:+.0f}',
        )
        for row in result.standings
    )
    return Listing(('bot', 'points', 'games', 'Elo', '95 %'), rows)
