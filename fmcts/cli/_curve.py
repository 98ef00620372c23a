"""`fmcts curve`: a bot at several budgets against the same opponent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import click
from returns.io import IOResult
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.bots._spec import with_number
from fmcts.cli import _options as options
from fmcts.cli._ending import DONE, carry_out
from fmcts.cli._inputs import to_bot
from fmcts.cli._keeping import Run, all_kept
from fmcts.cli._matches import figures, games, planned, score_in_words
from fmcts.cli._recorded import with_names
from fmcts.matches import Match, MatchResult
from fmcts.matches._sweeps import table_of
from fmcts.matches._tables import Table
from fmcts.matches._tournaments import points_of_curve
from fmcts.view._parts import Listing

ByBudget: TypeAlias = Mapping[int, MatchResult]

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
@click.option('--budgets', metavar='A,B,...', required=True, help='The numbers to give to SPEC.')
@click.option('--against', metavar='SPEC', required=True, help='The opponent.')
@games
@options.generator
@click.option('--out', metavar='FOLDER', help='Keep one file per match; resume an interrupted run.')
@options.engine
def command(game: str, spec: str, against: str, **given: Any) -> int:
    """Play a match of N games of GAME at each budget of a bot, always against the same opponent.

    An interrupted run resumes when started again with the same --out, a folder with one file per
    match.
    """
    names = spec.strip(), against.strip()
    request = Result.do(
        (run, names, tuple(bots), matches)
        for run in Run.of(game, given)
        for bots in by_budgets(names[0], given['budgets'], run.engine)
        for other in to_bot(names[1], run.engine).alt('--against: {}'.format)
        for matches in planned(
            points_of_curve,
            bots.__getitem__,
            tuple(bots),
            other,
            run.game.start,
            rng=run.rng,
            **run.options,
        )
    )
    return carry_out(IOResult.from_result(request), act)


def by_budgets(spec: str, text: str, engine: str) -> Result[Mapping[int, Any], str]:
    """Return the bot at each of the budgets."""
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
            return Failure(f'--budgets: {int(word)} is given twice: give each budget once')
        found[int(word)] = bot.unwrap()
    return Success(found)


def act(request: tuple[Run, tuple[str, str], tuple[int, ...], tuple[Match, ...]]) -> int:
    """Play the matches, and print one row per budget."""
    run, (spec, other), budgets, plain = request
    pairs = [(with_number(spec, budget), other) for budget in budgets]
    matches = [*map(with_names, plain, pairs)]
    results, seconds = run.played(
        lambda: all_kept(matches, run.game, run.out), pairs, len(pairs) * run.options['games']
    )
    points = dict(zip(budgets, results, strict=True))
    run.show(
        lambda: listing(points),
        lambda: table(points),
        lambda: {'bot': spec, 'against': other, 'points': in_json(points)},
        seconds,
    )
    labels = [f'{budget:,}' for budget in budgets]
    title = f'{run.game.name}, {spec} against {other}'
    run.draw(lambda plots: plots.bars(results, labels, title, across='budget'))
    return DONE


def in_json(points: ByBudget) -> list[dict[str, object]]:
    """Return the results as values for JSON."""
    return [
        {'budget': budget, **figures(it, 'wins', 'draws', 'losses', 'score', 'interval')}
        for budget, it in points.items()
    ]


def table(points: ByBudget) -> Table:
    """Return one row per budget, for CSV."""
    return table_of([((budget,), it) for budget, it in points.items()], {'budget': int})


def listing(points: ByBudget) -> Listing:
    """Return one row per budget, for reading."""
    rows = tuple(
        (f'{budget:,}', *map(str, (it.wins, it.draws, it.losses)), *score_in_words(it))
        for budget, it in points.items()
    )
    return Listing(('budget', 'won', 'drawn', 'lost', 'score', '95 %'), rows)
