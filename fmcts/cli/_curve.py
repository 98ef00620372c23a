"""`fmcts curve`: a bot at several budgets against the same opponent."""

from __future__ import annotations

from typing import Any

import click

from fmcts._arguments import shown
from fmcts.bots._presets import AnyBot
from fmcts.bots._spec import with_number
from fmcts.cli import _options as options
from fmcts.cli._ending import BAD_INPUT, EndedError, accepted
from fmcts.cli._inputs import to_bot
from fmcts.cli._keeping import Run
from fmcts.cli._matches import games
from fmcts.cli._sweep import play_each, show_each
from fmcts.matches import SweepResult

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
    run = Run.of(game, given)
    names = spec.strip(), against.strip()
    bots = by_budgets(names[0], given['budgets'], run.engine)
    specs = [with_number(names[0], budget) for budget in bots]
    results, seconds = play_each(run, specs, [*bots.values()], names[1])
    found = SweepResult(('budget',), tuple((budget,) for budget in bots), results)
    labels = [f'{budget:,}' for budget in bots]
    return show_each(run, found, names, labels, [{'budget': it} for it in bots], seconds)


def by_budgets(spec: str, text: str, engine: str) -> dict[int, AnyBot]:
    """Return the bot at each of the budgets.

    :raises EndedError: a budget or the bot is not accepted.
    """
    found: dict[int, AnyBot] = {}
    for word in map(str.strip, text.split(',')):
        if not (word.isascii() and word.isdecimal() and len(word) < 18):
            why = f'--budgets must be whole numbers such as 10,100, not {shown(text)}'
            raise EndedError(BAD_INPUT, why)
        accepted(to_bot(spec, engine))  # without a budget, which its errors would name
        budget = int(word)
        bot = accepted(to_bot(with_number(spec, budget), engine))
        if budget in found:
            why = f'--budgets: {budget} is given twice: give each budget once'
            raise EndedError(BAD_INPUT, why)
        found[budget] = bot
    return found
