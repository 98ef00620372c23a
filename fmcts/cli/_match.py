"""`fmcts match` and `fmcts tournament`: many games between two bots, or every two of several."""

from __future__ import annotations

from math import perm
from time import monotonic
from typing import Final, TypeAlias

import click
from attrs import evolve
from click.core import ParameterSource

from fmcts._arguments import amount
from fmcts._promises import checked_players
from fmcts.bots import AnyBot
from fmcts.cli import _types as types
from fmcts.cli._many import IN_FOLDER, NAMED_BOT, SPRT, Run, figures, many_games, rounded
from fmcts.cli._progress import Progress
from fmcts.cli._types import DONE, Spec, require, usage
from fmcts.game import has_rewards
from fmcts.matches import MatchResult, Sprt, TournamentResult, pairings, seatings, table_of
from fmcts.view import Facts, Listing

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
    bot = first.bot(run.engine)
    other = bot if first.text == second.text else second.bot(run.engine)  # equal specs are one bot
    match = run.match(bot, other, (first.text, second.text), sprt=sprt)
    (played,), seconds = run.play([match], in_folder=False)
    result = renamed(played, (one, two))
    run.show(
        lambda: page(result, seconds),
        lambda: result.table(run.game.format_move),
        lambda: in_json(result),
        seconds,
        summary=lambda: table_of([((one, two), result)], {'bot': str, 'against': str}),
    )
    run.draw(lambda plots: plots.bars([result]))
    return DONE


def check_names(bots: tuple[Named, ...]) -> None:
    """Raise an error if two different bots have one name."""
    texts: dict[str, str] = {}
    for name, spec in bots:
        # The same name with the same bot is one bot, which may play itself.
        if texts.setdefault(name, spec.text) != spec.text:
            raise click.UsageError(f'the bot {name} is named twice: name each bot once')


def renamed(result: MatchResult, names: tuple[str, str]) -> MatchResult:
    """Return the result with these names of its bots; files have their specs."""
    return evolve(result, match=evolve(result.match, names=names))


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
    names: dict[str, str] = {}
    for name, spec in bots:
        if spec.text in known:
            raise click.UsageError(f'the bot {spec.text} is named twice: name each bot once')
        known[spec.text], names[spec.text] = spec.bot(run.engine), name
    with usage():
        matches = pairings(known, run.game.start, rng=run.rng, **run.options)
    results, seconds = run.play(matches)
    named = (renamed(it, (names[it.match.names[0]], names[it.match.names[1]])) for it in results)
    result = TournamentResult(tuple(names.values()), tuple(named))
    run.show(lambda: standings(result), result.table, lambda: tournament_in_json(result), seconds)
    run.draw(lambda plots: plots.elo(result.standings, run.game.name))
    return DONE


def tournament_in_json(result: TournamentResult) -> dict[str, object]:
    """Return the result as values for JSON."""
    return {
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
            dict(zip(('first', 'second'), it.match.names, strict=True))
            | figures(it, 'wins', 'draws', 'losses')
            for it in result.results
        ],
    }


def standings(result: TournamentResult) -> Listing:
    """Return one row per bot, the highest rating first."""
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


# ---- games of one player, of three or more, or with rewards: every bot in every seat ----


def play_seated(run: Run, named: tuple[Named, ...]) -> int:
    """Play games in which every bot takes every seat, and print the mean reward of each bot."""
    check_options(run)
    bots: dict[str, AnyBot] = {}
    for name, spec in named:
        again = sum(other.partition(' (')[0] == name for other in bots)
        bots[f'{name} ({again + 1})' if again else name] = spec.bot(run.engine)
    seats = len(checked_players(run.game.start))
    games = number_of_games(run, seats, len(named))
    began = monotonic()
    with Progress() as progress:
        result = seatings(
            *(bots, run.game.start),
            rounds=games // perm(len(bots), seats),
            rng=run.rng,
            watch=progress.counting('games', games),
        )
    seconds = monotonic() - began
    rows = result.table().to_dicts()

    def listing() -> Listing:
        texts = tuple(
            (
                row['bot'],
                str(row['games']),
                f'{row["mean"]:.3f}',
                '' if row['error'] is None else f'{row["error"]:.3f}',
            )
            for row in rows
        )
        return Listing(('bot', 'games', 'mean reward', 'error'), texts)

    def values() -> dict[str, object]:
        means = [
            {**row, **{name: row[name] and rounded(row[name]) for name in ('mean', 'error')}}
            for row in rows
        ]
        return {'games': games, 'standings': means}

    run.show(listing, result.table, values, seconds)
    return DONE


def check_options(run: Run) -> None:
    """Raise UsageError if an option is given that is for games of X against O only."""
    context = click.get_current_context()
    for parameter in context.command.get_params(context):
        given = context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE
        if given and parameter.opts[0].startswith('--') and parameter.opts[0] not in SEATED:
            why = f'{parameter.opts[0]} is for games of X against O, and {run.game.name} is not one'
            raise click.UsageError(why)


def number_of_games(run: Run, seats: int, bots: int) -> int:
    """Return the number of games, which is a multiple of the number of seatings.

    :raises UsageError: there are too few bots, or the given number is not such a multiple.
    """
    games: int = run.options['games']
    if bots < seats:
        few = f'{run.game.name} has {amount(seats, "player")}: give {amount(seats, "bot")} or more'
        raise click.UsageError(few)
    ways = perm(bots, seats)
    near = max(ways, games - games % ways)
    if click.get_current_context().get_parameter_source('games') is ParameterSource.DEFAULT:
        games = near
    if not games or games % ways:
        raise click.UsageError(
            f'--games must be a multiple of {ways}, the ways to seat {bots} bots on {seats} seats, '
            f'such as {near}, not {games}'
        )
    return games
