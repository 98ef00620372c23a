"""A tournament of a game for one player or more than two: every bot in every seat."""

from __future__ import annotations

from collections.abc import Mapping
from math import perm
from time import monotonic
from types import MappingProxyType
from typing import Any

import click
from attrs import frozen
from click.core import ParameterSource
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts._arguments import amount
from fmcts.cli._ending import DONE
from fmcts.cli._inputs import to_bot
from fmcts.cli._keeping import Run
from fmcts.cli._matches import rounded
from fmcts.cli._progress import Progress
from fmcts.game import checked_players
from fmcts.matches import Seatings, seatings
from fmcts.view._parts import Listing


@frozen
class Seated:
    """The request: the bots by their names, and the number of rounds and of games."""

    run: Run
    bots: Mapping[str, Any]
    rounds: int
    games: int


def seated(
    run: Run, specs: tuple[str, ...], others: Mapping[str, bool] = MappingProxyType({})
) -> Result[Seated, str]:
    """Return the request, or what is wrong with it; `others` are more options that do not fit."""
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
    seats, games = len(checked_players(game.start)), options['games']
    if len(specs) < seats:
        return Failure(
            f'{game.name} has {amount(seats, "player")}: give {amount(seats, "bot")} or more'
        )
    round_of = perm(len(specs), seats)
    source = click.get_current_context().get_parameter_source('games')
    if source is ParameterSource.DEFAULT:
        games = max(round_of, games - games % round_of)
    if not games or games % round_of:
        near = max(round_of, games - games % round_of)
        return Failure(
            f'--games must be a multiple of {round_of}, the ways to seat {len(specs)} bots on '
            f'{seats} seats, such as {near}, not {games}'
        )
    return _bots(specs, run.engine).map(lambda bots: Seated(run, bots, games // round_of, games))


def _bots(specs: tuple[str, ...], engine: str) -> Result[Mapping[str, Any], str]:
    """Return the bots by their specs, with a number where a spec is given again."""
    found: dict[str, Any] = {}
    for place, text in enumerate(specs):
        spec = text.strip()
        bot = to_bot(spec, engine)
        if not is_successful(bot):
            return Failure(bot.failure())
        again = sum(other.strip() == spec for other in specs[:place])
        found[f'{spec} ({again + 1})' if again else spec] = bot.unwrap()
    return Success(found)


def play_seated(request: Seated) -> int:
    """Play the games, and print the mean reward of each bot."""
    run, began = request.run, monotonic()
    with Progress() as progress:
        result = seatings(
            request.bots,
            run.game.start,
            rounds=request.rounds,
            rng=run.rng,
            watch=progress.counting('games', request.games),
        )
    seconds = monotonic() - began
    run.show(lambda: _page(result), result.table, lambda: _in_json(result), seconds)
    return DONE


def _in_json(result: Seatings) -> dict[str, object]:
    """Return the result as values for JSON."""
    return {
        'games': len(result.records),
        'standings': [
            row | {name: row[name] and rounded(row[name]) for name in ('mean', 'error')}
            for row in result.table().to_dicts()
        ],
    }


def _page(result: Seatings) -> Listing:
    """Return one row per bot, in the order given."""
    rows = tuple(
        (
            row['bot'],
            str(row['games']),
            f'{row["mean"]:.3f}',
            '' if row['error'] is None else f'{row["error"]:.3f}',
        )
        for row in result.table().to_dicts()
    )
    return Listing(('bot', 'games', 'mean reward', 'error'), rows)
