"""`fmcts match`: many games between two bots, and their result."""

from __future__ import annotations

from typing import Any

import click

from fmcts._arguments import amount
from fmcts.cli import _options as options
from fmcts.cli._ending import BAD_INPUT, DONE, EndedError, accepted
from fmcts.cli._keeping import Run
from fmcts.cli._matches import (
    by_time,
    figures,
    games,
    match_between,
    renamed,
    to_name,
    to_sprt,
)
from fmcts.cli._tournament import play_seated
from fmcts.game import has_rewards
from fmcts.matches import MatchResult
from fmcts.matches._sweeps import table_of
from fmcts.view._parts import Facts

EXAMPLES = options.examples(
    'fmcts match connect4 mcts:1000 mc:1000 --games 200 --opening-plies 4 --jobs 2',
    'fmcts match tictactoe mcts:500 perfect --games 100 --out games.jsonl',
    'fmcts match othello strong:500 mcts:500 --games 400 --sprt 0,50 --json',
    'fmcts match mnk3:3,3,3 mcts:100 random random --games 60',
)


@click.command(
    'match',
    short_help='Play many games between two bots.',
    epilog=f'{options.names_in_words()}\n\n{EXAMPLES}',
)
@options.game
@click.argument('specs', metavar='[NAME=]SPEC [NAME=]SPEC', nargs=-1)
@games
@by_time
@options.generator
@click.option(
    '--out', metavar='FILE', help='Write a line of JSON per game; resume an interrupted run.'
)
@click.option('--sprt', metavar='ELO0,ELO1', help='End when one hypothesis is accepted.')
@options.engine
def command(game: str, specs: tuple[str, ...], **given: Any) -> int:
    """Play N games of GAME between two bots; report the first one's wins, draws and losses.

    Each opening is played twice with the same generator and sides swapped. The games do not depend
    on --jobs. An interrupted run resumes when started again with the same --out. Results have NAME
    in place of SPEC; files do not.

    In a game for one player or more than two, or with rewards, name a bot for every player: each
    takes every seat, as in fmcts tournament.

    Exit code: 0 when all games were played.
    """
    run = Run.of(game, given)
    if has_rewards(run.game.start):
        return play_seated(run, specs, {'--sprt': given['sprt'] is not None})
    if len(specs) != 2:
        words = ' '.join((run.game.name, *(specs if len(specs) > 2 else ('mcts', 'random'))))
        command = 'tournament' if len(specs) > 2 else 'match'
        why = f'a match of {run.game.name} is between 2 bots, not {len(specs)}: '
        raise EndedError(BAD_INPUT, f'{why}use fmcts {command} {words}')
    (first, one), (second, two) = map(to_name, specs)
    names = first, second
    sprt = accepted(to_sprt(given['sprt']))
    match = accepted(
        match_between(run.game, (one, two), run.engine, rng=run.rng, sprt=sprt, **run.options)
    )
    (played,), seconds = run.play([match], in_folder=False)
    result = renamed(played, names)
    run.show(
        lambda: page(result, seconds),
        lambda: result.table(run.game.format_move),
        lambda: in_json(result),
        seconds,
        summary=lambda: table_of([(names, result)], {'bot': str, 'against': str}),
    )
    run.draw(lambda plots: plots.bars([result]))
    return DONE


def in_json(result: MatchResult) -> dict[str, object]:
    """Return the result as values for JSON."""
    first, second = result.match.names
    counts = figures(result, 'wins', 'draws', 'losses', 'distinct')
    scores = figures(result, 'score', 'interval', 'elo', 'elo_interval', 'accepted')
    games = len(result.games)
    return {'first': first, 'second': second, 'games': games, **counts, **scores}


def page(result: MatchResult, seconds: float) -> Facts:
    """Return the result for reading."""
    low, high = result.interval
    lowest, highest = result.elo_interval
    first, second = result.match.names
    test = (('accepted', result.accepted or 'nothing yet'),) if result.match.sprt else ()
    played = amount(len(result.games), 'game')
    return Facts(
        (
            (first, f'{result.score:.1%} against {second}'),
            ('games', f'{result.wins} won, {result.draws} drawn, {result.losses} lost'),
            ('distinct', f'{result.distinct} of {played}, by their moves'),
            ('interval', f'{low:.1%} to {high:.1%} (95 %)'),
            ('Elo', f'{result.elo:+.0f}, {lowest:+.0f} to {highest:+.0f}'),
            *test,
            ('time', f'{seconds:.1f} s'),
        )
    )
