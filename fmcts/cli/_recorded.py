"""Build the match described by a command's options, or by the first line of a match's file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts.cli._inputs import to_bot
from fmcts.cli._matches import to_whole
from fmcts.cli._named import named_game
from fmcts.cli._timed import to_seconds
from fmcts.games import GameModule
from fmcts.matches import Match, Sprt
from fmcts.matches._lines import follow, in_text
from fmcts.rng import parse as parse_rng


def described(
    game: GameModule, names: tuple[str, str], engine: str, **options: Any
) -> Result[Match, str]:
    """Return the match between the bots of those specs."""
    known = {name: to_bot(name, engine) for name in names}  # equal specs are one bot
    bots = [known[name] for name in names]
    for which, bot in zip(('first', 'second'), bots, strict=True):
        if not is_successful(bot):
            return Failure(f'the {which} bot: {bot.failure()}')
    first, second = (bot.unwrap() for bot in bots)
    try:
        return Success(Match(first=first, second=second, start=game.start, names=names, **options))
    except ValueError as error:
        return Failure(str(error))


def with_names(match: Match, names: tuple[str, str]) -> Match:
    """Return the match between the bots of these specs; equal specs are one bot."""
    second = match.first if names[0] == names[1] else match.second
    return evolve(match, second=second, names=names)


def options_of(game: GameModule, given: Mapping[str, Any]) -> Result[dict[str, Any], str]:
    """Return the options of every match of a command."""
    lines = [[move.strip() for move in line.split(',')] for line in given['opening']]
    return Result.do(
        {
            'games': count,
            'opening_plies': plies,
            'openings': openings,
            'keep_trees': given['keep_trees'],
            **({} if seconds is None else {'seconds': seconds}),
        }
        for seconds in to_seconds(given.get('time'))
        for count in to_whole('--games', given['games'])
        for plies in to_whole('--opening-plies', given['opening_plies'])
        for openings in to_openings(game, lines or None)
    )


def to_openings(
    game: GameModule, lines: Sequence[Sequence[str]] | None
) -> Result[tuple[tuple[Any, ...], ...] | None, str]:
    """Return lines of moves in the game's own notation; each move must be legal."""
    if lines is None:
        return Success(None)
    found = []
    for number, line in enumerate(lines, 1):
        known = follow(game.start, line, in_text(game))
        if not is_successful(known):
            return Failure(f'opening {number}: {known.failure()}')
        found.append(known.unwrap().moves)
    return Success(tuple(found))


def match_of(head: Mapping[str, Any], engine: str) -> Result[tuple[GameModule, Match], str]:
    """Return the game and the match that the first line of a file describes."""
    names = head['first'], head['second']
    options = {name: head[name] for name in ('games', 'opening_plies', 'keep_trees')}
    options['seconds'] = head.get('seconds')
    return Result.do(
        (game, match)
        for test in _to_test(head['sprt'])
        for game in named_game(head['game'])
        for rng in parse_rng(head['rng'])
        for openings in to_openings(game, head['openings'])
        for match in described(
            game, names, engine, rng=rng, openings=openings, sprt=test, **options
        )
    )


def _to_test(values: Sequence[float] | None) -> Result[Sprt | None, str]:
    try:
        return Success(None if values is None else Sprt(*values))
    except ValueError as error:
        return Failure(f'sprt: {error}')
