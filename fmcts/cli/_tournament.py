"""`fmcts tournament`: a match between every two of several bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import perm
from time import monotonic
from types import MappingProxyType
from typing import Any

import click
from click.core import ParameterSource
from returns.result import Failure, Result, Success

from fmcts._arguments import amount
from fmcts._promises import checked_players
from fmcts.bots._presets import AnyBot
from fmcts.cli import _options as options
from fmcts.cli._ending import BAD_INPUT, DONE, EndedError, accepted
from fmcts.cli._inputs import to_bot
from fmcts.cli._keeping import Run
from fmcts.cli._matches import by_time, figures, games, installed, renamed, rounded, to_name
from fmcts.cli._progress import Progress
from fmcts.game import has_rewards
from fmcts.matches import seatings
from fmcts.matches._tournaments import TournamentResult, pairings
from fmcts.view._parts import Listing

EXAMPLES = options.examples(
    'fmcts tournament tictactoe mcts:100 mc:100 random --games 40',
    'fmcts tournament connect4 mcts:500 strong:500 dehos:500 --jobs 2 --out games',
    'fmcts tournament hex:5 mcts:100 mcts:300 mcts:900 --games 20 --plot ratings.svg',
    'fmcts tournament mnk3:3,3,3 mcts:100 random random --games 60',
)


@click.command(
    'tournament',
    short_help='Play every bot against every other, and rate them.',
    epilog=f'{options.names_in_words()}\n\n{EXAMPLES}',
)
@options.game
@click.argument('specs', metavar='[NAME=]SPEC...', nargs=-1)
@games
@by_time
@options.generator
@click.option('--out', metavar='FOLDER', help='Keep one file per match; resume an interrupted run.')
@options.engine
def command(game: str, specs: tuple[str, ...], **given: Any) -> int:
    """Play a match of N games of GAME between every two of the bots, and rate them all.

    Ratings are Elo points by maximum likelihood, with mean 0 and 95 % intervals.

    Results have NAME in place of SPEC; files do not. An interrupted run resumes when started again
    with the same --out, a folder with one file per match.

    In a game for one player or more than two, or with rewards, every bot takes every seat, with the
    same dice for all games of a round, and the result is the mean reward of each bot. N is the
    number of all games, by default the most whole rounds up to 100; name a bot twice for it to take
    two seats.
    """
    run = Run.of(game, given)
    if has_rewards(run.game.start):
        return play_seated(run, specs)
    accepted(installed('scipy', 'matches'))
    bots: dict[str, AnyBot] = {}
    names: dict[str, str] = {}
    for name, spec in map(to_name, specs):
        bot = accepted(to_bot(spec, run.engine))
        if spec in bots or name in names.values():
            again = spec if spec in bots else name
            raise EndedError(BAD_INPUT, f'the bot {again} is named twice: name each bot once')
        bots[spec], names[spec] = bot, name
    if len(bots) < 2:
        raise EndedError(BAD_INPUT, f'a tournament needs at least 2 bots, not {len(bots)}')
    try:
        matches = pairings(bots, run.game.start, rng=run.rng, **run.options)
    except ValueError as error:
        raise EndedError(BAD_INPUT, str(error)) from None
    results, seconds = run.play(matches)
    named = (renamed(it, (names[it.match.names[0]], names[it.match.names[1]])) for it in results)
    result = TournamentResult(tuple(names.values()), tuple(named))
    run.show(lambda: standings(result), result.table, lambda: in_json(result), seconds)
    run.draw(lambda plots: plots.elo(result.standings, run.game.name))
    return DONE


def in_json(result: TournamentResult) -> dict[str, object]:
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


def play_seated(
    run: Run, specs: tuple[str, ...], others: Mapping[str, bool] = MappingProxyType({})
) -> int:
    """Play games in which every bot takes every seat, and print the mean reward of each bot.

    `others` says for further options for games of X against O whether they are given.
    """
    accepted(check_options(run, others))
    games = accepted(to_games(run, len(specs)))
    bots: dict[str, AnyBot] = {}
    for name, spec in map(to_name, specs):
        bot = accepted(to_bot(spec, run.engine))
        again = sum(other.partition(' (')[0] == name for other in bots)
        bots[f'{name} ({again + 1})' if again else name] = bot
    began = monotonic()
    with Progress() as progress:
        seats = len(checked_players(run.game.start))
        result = seatings(
            *(bots, run.game.start),
            rounds=games // perm(len(bots), seats),
            rng=run.rng,
            watch=progress.counting('games', games),
        )
    seconds = monotonic() - began
    rows = result.table().to_dicts()
    run.show(
        lambda: mean_rewards(rows), result.table, lambda: rewards_in_json(games, rows), seconds
    )
    return DONE


def check_options(run: Run, others: Mapping[str, bool]) -> Result[None, str]:
    """Return why an option does not fit the game, if one does not."""
    game, options = run.game, run.options
    unsupported = {
        '--opening': options['openings'] is not None,
        '--opening-plies': options['opening_plies'],
        '--keep-trees': options['keep_trees'],
        '--time': 'seconds' in options,
        '--jobs': run.jobs != 1,
        '--dask': run.dask is not None,
        '--move-limit': run.move_limit is not None,
        '--out': run.out is not None,
        '--plot': run.plot is not None,
        '--bundle': run.bundle is not None,
        **others,
    }
    for name, given in unsupported.items():
        if given:
            return Failure(f'{name} is for games of X against O, and {game.name} is not one')
    return Success(None)


def to_games(run: Run, bots: int) -> Result[int, str]:
    """Return the number of games, which is a multiple of the number of seatings."""
    seats, games = len(checked_players(run.game.start)), run.options['games']
    if bots < seats:
        return Failure(
            f'{run.game.name} has {amount(seats, "player")}: give {amount(seats, "bot")} or more'
        )
    seatings = perm(bots, seats)
    near = max(seatings, games - games % seatings)
    if click.get_current_context().get_parameter_source('games') is ParameterSource.DEFAULT:
        games = near
    if not games or games % seatings:
        return Failure(
            f'--games must be a multiple of {seatings}, the ways to seat {bots} bots on '
            f'{seats} seats, such as {near}, not {games}'
        )
    return Success(games)


def rewards_in_json(games: int, rows: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """Return the mean rewards as values for JSON."""
    standings = [
        {**row, **{name: row[name] and rounded(row[name]) for name in ('mean', 'error')}}
        for row in rows
    ]
    return {'games': games, 'standings': standings}


def mean_rewards(rows: Sequence[Mapping[str, Any]]) -> Listing:
    """Return one row per bot, in the order given."""
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
