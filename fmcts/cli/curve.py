"""`fmcts curve`: a bot at several budgets against the same opponent."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Any

import click
from attrs import evolve, frozen
from returns.io import IOResult
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts.arguments import shown
from fmcts.bots.spec import with_number
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
from fmcts.matches import MatchResult
from fmcts.matches.tables import Table
from fmcts.matches.tournaments import points_of_curve
from fmcts.rng import format as format_rng
from fmcts.view.parts import Listing

__all__ = ['command']


@frozen
class Request:
    """What is asked for: `bots` by their budgets."""

    game: GameModule
    bots: Mapping[int, Any]
    against: Any
    names: tuple[str, str]
    rng: Generator
    jobs: int
    move_limit: float | None
    dask: str | None
    out: Path | None
    plot: Path | None
    form: Form
    options: Mapping[str, Any]


EXAMPLES = options.examples(
    'fmcts curve tictactoe mcts --budgets 10,30,100,300 --against perfect --games 200',
    'fmcts curve connect4 mcts:c=0.5 --budgets 64,256,1024 --against mcts:512 --plot curve.svg',
    'fmcts curve othello mc --budgets 10,100 --against random --games 20 --json',
)


@click.command(
    'curve',
    short_help='Play one bot at several budgets.',
    epilog=f'{options.names_in_words()}\n\n{EXAMPLES}',
)
@options.game
@click.argument('spec', metavar='SPEC')
@click.option('--budgets', metavar='A,B,...', required=True, help='The numbers that SPEC gets.')
@click.option('--against', metavar='SPEC', required=True, help='The opponent.')
@games
@options.generator
@click.option('--out', metavar='FOLDER', help='Keep a file a match; an ended run goes on.')
@options.engine
def command(game: str, spec: str, against: str, **given: Any) -> int:
    """Play a match of N games of GAME at each budget of a bot, always against the same opponent.

    A run that is broken off goes on with the same --out, a folder with a file for each match.
    """
    names = spec.strip(), against.strip()
    request = IOResult.from_result(
        Result.do(
            Request(
                module, bots, other, names, rng, jobs, limit, given['dask'], out, plot, form, more
            )
            for _ in installed('statsmodels', 'matches')
            for form in to_form(given['as_json'], given['as_csv'])
            for engine in to_engine(given['engine'])
            for module in named_game(game)
            for bots in by_budgets(names[0], given['budgets'], engine)
            for other in to_bot(names[1], engine).alt('--against: {}'.format)
            for jobs in to_jobs(given['jobs'], given['dask'])
            for limit in to_limit(given['move_limit'], given['dask'])
            for rng in to_generator(given['seed'], given['rng'])
            for out in to_path(given['out'])
            for plot in to_picture(given['plot'])
            for more in options_of(module, given)
            for _ in planned(
                points_of_curve, bots.get, tuple(bots), other, module.start, rng=rng, **more
            )
        )
    )
    return carry_out(request, act)


def by_budgets(spec: str, text: str, engine: str) -> Result[Mapping[int, Any], str]:
    """The bot at each of the budgets."""
    found = {}
    for word in text.split(','):
        if not (word.strip().isascii() and word.strip().isdecimal() and len(word) < 18):
            return Failure(f'--budgets must be whole numbers such as 10,100, not {shown(text)}')
        plain = to_bot(spec, engine)
        if not is_successful(plain):
            return Failure(plain.failure())
        bot = to_bot(with_number(spec, int(word)), engine)
        if not is_successful(bot):
            return Failure(bot.failure())
        if int(word) in found:
            return Failure(f'--budgets: {int(word)} is given twice')
        found[int(word)] = bot.unwrap()
    return Success(found)


def act(request: Request) -> int:
    """Play, and print a row a budget."""
    began = monotonic()
    spec, other = request.names
    pairs = [(with_number(spec, budget), other) for budget in request.bots]
    total = len(request.bots) * request.options['games']
    plain = points_of_curve(
        request.bots.__getitem__,
        tuple(request.bots),
        request.against,
        request.game.start,
        rng=request.rng,
        **request.options,
    )
    matches = [evolve(it, names=names) for it, names in zip(plain, pairs, strict=True)]
    with (
        executor_of(request.dask, request.jobs, request.move_limit) as executor,
        Progress() as progress,
    ):
        told = scores(progress, pairs, total)
        known = all_kept(matches, request.game, request.out)
        results = tuple(played(it, executor, told) for it in known)
    shown_as(
        request.form,
        lambda: listing(request, results),
        lambda: table(request, results),
        lambda: in_json(request, results, monotonic() - began),
    )
    if request.plot is not None:
        from fmcts.matches.plots import bars, saved  # noqa: PLC0415 - matplotlib takes a second

        title = f'{request.game.name}, {request.names[0]} against {request.names[1]}'
        labels = [f'{budget:,}' for budget in request.bots]
        saved(bars(results, labels, title, across='budget'), request.plot)
    return DONE


def in_json(
    request: Request, results: tuple[MatchResult, ...], seconds: float
) -> dict[str, object]:
    """The results as a tool reads them; only `seconds` and `jobs` differ between two runs."""
    return {
        'game': request.game.name,
        'bot': request.names[0],
        'against': request.names[1],
        'points': [
            {
                'budget': budget,
                'wins': it.wins,
                'draws': it.draws,
                'losses': it.losses,
                'score': rounded(it.score),
                'interval': [rounded(end) for end in it.interval],
            }
            for budget, it in zip(request.bots, results, strict=True)
        ],
        'rng': format_rng(request.rng),
        'seconds': round(seconds, 3),
        'jobs': request.jobs,
    }


def table(request: Request, results: tuple[MatchResult, ...]) -> Table:
    """A row a budget, for tools."""
    count = dict.fromkeys(('budget', 'wins', 'draws', 'losses'), int)
    return Table(
        {**count, 'score': float, 'low': float, 'high': float},
        tuple(
            (budget, it.wins, it.draws, it.losses, it.score, *it.interval)
            for budget, it in zip(request.bots, results, strict=True)
        ),
    )


def listing(request: Request, results: tuple[MatchResult, ...]) -> Listing:
    """A row a budget, for people."""
    rows = tuple(
        (
            f'{budget:,}',
            *map(str, (it.wins, it.draws, it.losses)),
            f'{it.score:.1%}',
            '{:.1%} to {:.1%}'.format(*it.interval),
        )
        for budget, it in zip(request.bots, results, strict=True)
    )
    return Listing(('budget', 'won', 'drawn', 'lost', 'score', '95 %'), rows)
