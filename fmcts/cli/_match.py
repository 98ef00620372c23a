"""`fmcts match` and `fmcts tournament`: many games between two bots, or every two of several."""

from __future__ import annotations

from itertools import combinations
from math import perm
from typing import Final, TypeAlias

import click
from click.core import ParameterSource

from fmcts._arguments import amount
from fmcts._promises import checked_players
from fmcts.bots import AnyBot
from fmcts.cli import _types as types
from fmcts.cli._many import IN_FOLDER, NAMED_BOT, SPRT, Run, many_games
from fmcts.cli._progress import Progress
from fmcts.cli._types import Spec, require, usage
from fmcts.game import has_rewards
from fmcts.matches import MatchResult, Sprt, TournamentResult, pairings, seatings, table_of
from fmcts.view import Facts, Listing, standings

Named: TypeAlias = tuple[str, Spec]
"""The name to print, and the bot."""

SEATED: Final = ('--games', '--seed', '--rng', '--engine', '--json', '--csv', '--table')
"""The options for games in which every bot takes every seat."""


@types.command(
    'match',
    'Play many games between two bots.',
    'fmcts match connect4 mcts:1000 mc:1000 --games 200 --opening-plies 4 --jobs 2',
    'fmcts match tictactoe mcts:500 perfect --games 100 --out games.jsonl',
    'fmcts match othello strong:500 mcts:500 --games 400 --sprt 0,50 --json',
    'fmcts match mnk3:3,3,3 mcts:100 random random --games 60',
    lists='bots',
)
@many_games('FILE', 'Write a line of JSON per game; resume an interrupted run.')
@click.argument('bots', metavar='[NAME=]SPEC [NAME=]SPEC', nargs=-1, type=NAMED_BOT)
@types.option('--sprt', SPRT, 'End when one hypothesis is accepted.')
def match_command(run: Run, bots: tuple[Named, ...], sprt: Sprt | None) -> int:
    """Play N games of GAME between two bots; report the first one's wins, draws and losses.

    Each opening is played twice with the same generator and sides swapped. The games do not depend
    on --jobs. An interrupted run resumes when started again with the same --out. Results have NAME
    in place of SPEC; files do not.

    In a game for one player or more than two, or with rewards, name a bot for every player: each
    takes every seat, as in fmcts tournament.

    Exit code: 0 when all games were played.
    """
    check_names(bots)
    if has_rewards(run.game.start):
        return play_seated(run, bots)
    if len(bots) != 2:
        several = len(bots) > 2
        specs = [bot.text for _, bot in bots] if several else ['mcts', 'random']
        words = ' '.join(('tournament' if several else 'match', run.game.name, *specs))
        why = f'a match of {run.game.name} is between 2 bots, not {len(bots)}: use fmcts {words}'
        raise click.UsageError(why)
    (one, first), (two, second) = bots
    described = run.match(first, second, sprt=sprt)
    (result,) = run.play([described], [(one, two)], in_folder=False)
    return run.show(
        page(result, run.seconds),
        result.to_dict(),
        result.table(run.game.format_move),
        table_of([((one, two), result)], {'bot': str, 'against': str}),
        lambda plots: plots.bars([result]),
    )


def check_names(bots: tuple[Named, ...]) -> None:
    """Raise an error if two different bots have one name."""
    texts: dict[str, str] = {}
    for name, spec in bots:
        # The same name with the same bot is one bot, which may play itself.
        if texts.setdefault(name, spec.text) != spec.text:
            raise click.UsageError(f'the bot {name} is named twice: name each bot once')


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


# ---- tournaments ----


@types.command(
    'tournament',
    'Play every bot against every other, and rate them.',
    'fmcts tournament tictactoe mcts:100 mc:100 random --games 40',
    'fmcts tournament connect4 mcts:500 strong:500 dehos:500 --jobs 2 --out games',
    'fmcts tournament hex:5 mcts:100 mcts:300 mcts:900 --games 20 --plot ratings.svg',
    'fmcts tournament mnk3:3,3,3 mcts:100 random random --games 60',
    lists='bots',
)
@many_games(*IN_FOLDER)
@click.argument('bots', metavar='[NAME=]SPEC...', nargs=-1, type=NAMED_BOT)
def tournament_command(run: Run, bots: tuple[Named, ...]) -> int:
    """Play a match of N games of GAME between every two of the bots, and rate them all.

    Ratings are Elo points by maximum likelihood, with mean 0 and 95 % intervals.

    Results have NAME in place of SPEC; files do not. An interrupted run resumes when started again
    with the same --out, a folder with one file per match.

    In a game for one player or more than two, or with rewards, every bot takes every seat, with the
    same dice for all games of a round, and the result is the mean reward of each bot. N is the
    number of all games, by default the most whole rounds up to 100; name a bot twice for it to take
    two seats.
    """
    check_names(bots)
    if has_rewards(run.game.start):
        return play_seated(run, bots)
    require('scipy', 'matches')
    known: dict[str, AnyBot] = {}
    for _, spec in bots:
        if spec.text in known:
            raise click.UsageError(f'the bot {spec.text} is named twice: name each bot once')
        known[spec.text] = spec.bot(run.engine)
    with usage():
        matches = pairings(known, run.game.start, rng=run.rng, **run.options)
    names = tuple(name for name, _ in bots)
    result = TournamentResult(names, run.play(matches, [*combinations(names, 2)]))
    return run.show(
        standings(result),
        result.to_dict(),
        result.table(),
        picture=lambda plots: plots.elo(result.standings, run.game.name),
    )


# ---- games of one player, of three or more, or with rewards: every bot in every seat ----


def play_seated(run: Run, named: tuple[Named, ...]) -> int:
    """Play games in which every bot takes every seat, and print the mean reward of each bot.

    :raises UsageError: an option is given that is for games of X against O only, there are too few
        bots, or the number of games is not a multiple of the number of seatings.
    """
    context = click.get_current_context()
    given = [
        it.opts[0]
        for it in context.command.params
        if context.get_parameter_source(str(it.name)) is ParameterSource.COMMANDLINE
    ]
    for option in given:
        if option.startswith('--') and option not in SEATED:
            why = f'{option} is for games of X against O, and {run.game.name} is not one'
            raise click.UsageError(why)
    bots: dict[str, AnyBot] = {}
    for name, spec in named:
        again = sum(other.partition(' (')[0] == name for other in bots)
        bots[f'{name} ({again + 1})' if again else name] = spec.bot(run.engine)
    seats, games = len(checked_players(run.game.start)), run.options['games']
    if len(bots) < seats:
        few = f'{run.game.name} has {amount(seats, "player")}: give {amount(seats, "bot")} or more'
        raise click.UsageError(few)
    ways = perm(len(bots), seats)
    near = max(ways, games - games % ways)
    if '--games' not in given:
        games = near
    if games % ways:
        raise click.UsageError(
            f'--games must be a multiple of {ways}, the ways to seat {len(bots)} bots on {seats} '
            f'seats, such as {near}, not {games}'
        )
    with Progress() as progress:
        result = seatings(
            *(bots, run.game.start),
            rounds=games // ways,
            rng=run.rng,
            watch=progress.counting('games', games),
        )
    error = '{error:.3f}' if games > ways else ''  # none after a single round
    columns = {'bot': '{bot}', 'games': '{games}', 'mean reward': '{mean:.3f}', 'error': error}
    table = result.table()
    return run.show(Listing.of(table.to_dicts(), columns), result.to_dict(), table)
