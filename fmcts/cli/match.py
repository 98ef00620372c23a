"""`fmcts match`: many games between two bots, and what they say."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Any

import click
from attrs import frozen
from returns.io import IOResult
from returns.result import Result

from fmcts.cli import options
from fmcts.cli.ending import DONE, carry_out
from fmcts.cli.inputs import Generator, to_engine, to_generator
from fmcts.cli.keeping import kept, played
from fmcts.cli.matches import (
    Form,
    executor_of,
    games,
    installed,
    rounded,
    scores,
    shown_as,
    to_form,
    to_jobs,
    to_limit,
    to_path,
    to_picture,
    to_sprt,
)
from fmcts.cli.named import named_game
from fmcts.cli.progress import Progress
from fmcts.cli.recorded import described, options_of
from fmcts.games import GameModule
from fmcts.matches import Match, MatchResult
from fmcts.rng import format as format_rng
from fmcts.view.parts import Facts

__all__ = ['command']


@frozen
class Request:
    """What is asked for."""

    game: GameModule
    match: Match
    rng: Generator
    jobs: int
    move_limit: float | None
    dask: str | None
    out: Path | None
    plot: Path | None
    form: Form


EXAMPLES = options.examples(
    'fmcts match connect4 mcts:1000 mc:1000 --games 200 --opening-plies 4 --jobs 2',
    'fmcts match tictactoe mcts:500 perfect --games 100 --out games.jsonl',
    'fmcts match othello strong:500 mcts:500 --games 400 --sprt 0,50 --json',
)


@click.command(
    'match',
    short_help='Play many games between two bots.',
    epilog=f'{options.names_in_words()}\n\n{EXAMPLES}',
)
@options.game
@click.argument('first', metavar='SPEC')
@click.argument('second', metavar='SPEC')
@games
@options.generator
@click.option('--out', metavar='FILE', help='Write a line of JSON a game; an ended run goes on.')
@click.option('--sprt', metavar='ELO0,ELO1', help='End when one lead is far likelier.')
@options.engine
def command(game: str, first: str, second: str, **given: Any) -> int:
    """Play N games of GAME between two bots, and tell the first one's wins, draws and losses.

    Each opening is played twice, with sides swapped, by the same generator. The games are the same
    whatever --jobs is, and a run that is broken off goes on with the same --out.

    Exit code: 0 when all games were played.
    """
    names = first.strip(), second.strip()
    request = IOResult.from_result(
        Result.do(
            Request(module, match, rng, jobs, limit, given['dask'], out, plot, form)
            for _ in installed('statsmodels', 'matches')
            for form in to_form(given['as_json'], given['as_csv'])
            for engine in to_engine(given['engine'])
            for module in named_game(game)
            for jobs in to_jobs(given['jobs'], given['dask'])
            for limit in to_limit(given['move_limit'], given['dask'])
            for sprt in to_sprt(given['sprt'])
            for rng in to_generator(given['seed'], given['rng'])
            for out in to_path(given['out'])
            for plot in to_picture(given['plot'])
            for more in options_of(module, given)
            for match in described(module, names, engine, rng=rng, sprt=sprt, **more)
        )
    )
    return carry_out(request, act)


def act(request: Request) -> int:
    """Play, keeping a file if there is one, and print what came of it."""
    began = monotonic()
    match = request.match
    with (
        executor_of(request.dask, request.jobs, request.move_limit) as executor,
        Progress() as progress,
    ):
        told = scores(progress, [match.names], match.games)
        known = kept(match, request.game, request.out)
        result = played(known, executor, told)
    seconds = monotonic() - began
    shown_as(
        request.form,
        lambda: page(result, seconds),
        lambda: result.table(request.game.format_move),
        lambda: in_json(request, result, seconds),
    )
    if request.plot is not None:
        from fmcts.matches.plots import bars, saved  # noqa: PLC0415 - matplotlib takes a second

        saved(bars([result]), request.plot)
    return DONE


def in_json(request: Request, result: MatchResult, seconds: float) -> dict[str, object]:
    """The result as a tool reads it; only `seconds` and `jobs` differ between two runs."""
    first, second = result.match.names
    return {
        'game': request.game.name,
        'first': first,
        'second': second,
        'games': len(result.games),
        'wins': result.wins,
        'draws': result.draws,
        'losses': result.losses,
        'score': rounded(result.score),
        'interval': [rounded(end) for end in result.interval],
        'elo': rounded(result.elo),
        'elo_interval': [rounded(end) for end in result.elo_interval],
        'accepted': result.accepted,
        'rng': format_rng(request.rng),
        'seconds': round(seconds, 3),
        'jobs': request.jobs,
    }


def page(result: MatchResult, seconds: float) -> Facts:
    """The result as a person reads it."""
    low, high = result.interval
    lowest, highest = result.elo_interval
    first, second = result.match.names
    test = (('accepted', result.accepted or 'nothing yet'),) if result.match.sprt else ()
    return Facts(
        (
            (first, f'{result.score:.1%} against {second}'),
            ('games', f'{result.wins} won, {result.draws} drawn, {result.losses} lost'),
            ('interval', f'{low:.1%} to {high:.1%} (95 %)'),
            ('Elo', f'{result.elo:+.0f}, {lowest:+.0f} to {highest:+.0f}'),
            *test,
            ('time', f'{seconds:.1f} s'),
        )
    )
