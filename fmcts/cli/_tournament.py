"""`fmcts tournament`: a match between every two of several bots."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, TypeAlias

import click
from returns.io import IOResult
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts.cli import _options as options
from fmcts.cli._ending import DONE, carry_out
from fmcts.cli._inputs import to_bot
from fmcts.cli._keeping import Run, all_kept
from fmcts.cli._matches import by_time, figures, games, installed, planned, rounded
from fmcts.cli._seated import Seated, play_seated, seated
from fmcts.game import has_rewards
from fmcts.matches import Match
from fmcts.matches._tournaments import TournamentResult, pairings
from fmcts.view._parts import Listing

Paired: TypeAlias = tuple[Run, tuple[str, ...], tuple[Match, ...]]
"""A tournament of matches: the run, the names of the bots, and the matches."""

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
@click.argument('specs', metavar='SPEC...', nargs=-1)
@games
@by_time
@options.generator
@click.option('--out', metavar='FOLDER', help='Keep one file per match; resume an interrupted run.')
@options.engine
def command(game: str, specs: tuple[str, ...], **given: Any) -> int:
    """Play a match of N games of GAME between every two of the bots, and rate them all.

    Ratings are Elo points by maximum likelihood, with mean 0 and 95 % intervals.

    An interrupted run resumes when started again with the same --out, a folder with one file per
    match.

    In a game for one player or more than two, or with rewards, every bot takes every seat, with the
    same dice for all games of a round, and the result is the mean reward of each bot. N is the
    number of all games, by default the most whole rounds up to 100; name a bot twice for it to take
    two seats.
    """
    request = Run.of(game, given).bind(lambda run: requested(run, specs))
    return carry_out(
        IOResult.from_result(request),
        lambda plan: play_seated(plan) if isinstance(plan, Seated) else act(plan),
    )


def requested(run: Run, specs: tuple[str, ...]) -> Result[Seated | Paired, str]:
    """Return what to play: all seatings, or a match between every two bots."""
    return seated(run, specs) if has_rewards(run.game.start) else paired(run, specs)


def paired(run: Run, specs: tuple[str, ...]) -> Result[Paired, str]:
    """Return the matches of a game of X against O."""
    return Result.do(
        (run, tuple(bots), matches)
        for _ in installed('scipy', 'matches')
        for bots in several(specs, run.engine)
        for matches in planned(pairings, bots, run.game.start, rng=run.rng, **run.options)
    )


def several(specs: tuple[str, ...], engine: str) -> Result[Mapping[str, Any], str]:
    """Return the bots by their specs, which must differ."""
    found = {}
    for spec in map(str.strip, specs):
        bot = to_bot(spec, engine)
        if not is_successful(bot):
            return Failure(bot.failure())
        if spec in found:
            return Failure(f'the bot {spec} is named twice: name each bot once')
        found[spec] = bot.unwrap()
    if len(found) < 2:
        return Failure(f'a tournament needs at least 2 bots, not {len(found)}')
    return Success(found)


def act(request: Paired) -> int:
    """Play the matches, and print the standings."""
    run, names, matches = request
    pairs = list(combinations(names, 2))
    results, seconds = run.played(
        lambda: all_kept(matches, run.game, run.out), pairs, len(pairs) * run.options['games']
    )
    result = TournamentResult(names, results)
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
