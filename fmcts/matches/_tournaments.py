"""Tournaments: a match between every two bots."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from itertools import combinations
from typing import Any

from attrs import frozen

from fmcts._arguments import shown
from fmcts._declared import shown_by
from fmcts.bots import MctsBot
from fmcts.game import GameState
from fmcts.matches._description import Match, keeps_trees
from fmcts.matches._result import MatchResult
from fmcts.matches._running import Watch, play_matches
from fmcts.matches._statistics import Encounter, Rating, ratings
from fmcts.matches._tables import INTERVAL, ResultTable
from fmcts.rng import Rng


@frozen
class Standing:
    """The standing of a bot in a tournament."""

    name: str
    points: float
    games: int
    rating: Rating


@frozen
class TournamentResult:
    """The matches of a tournament, one for every two bots, in the order of their names."""

    names: tuple[str, ...]
    results: tuple[MatchResult, ...]

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The bots from the highest rating to the lowest."""
        pairs = list(combinations(range(len(self.names)), 2))
        encounters = [
            Encounter(one, two, result.score * len(result.games), len(result.games))
            for (one, two), result in zip(pairs, self.results, strict=True)
        ]
        found = ratings(encounters, len(self.names))
        rows = [
            Standing(
                name,
                sum(it.points for it in encounters if it.first == place)
                + sum(it.games - it.points for it in encounters if it.second == place),
                sum(it.games for it in encounters if place in (it.first, it.second)),
                rating,
            )
            for place, (name, rating) in enumerate(zip(self.names, found, strict=True))
        ]
        return tuple(sorted(rows, key=lambda row: -row.rating.elo))

    _repr_html_ = shown_by('_notebook.tournament_html')

    def table(self) -> ResultTable:
        """Return the standings as rows of texts and numbers, for JSON, CSV and frames."""
        return ResultTable(
            {'bot': str, 'points': float, 'games': int, 'elo': float, 'low': float, 'high': float},
            tuple(
                (it.name, it.points, it.games, it.rating.elo, it.rating.low, it.rating.high)
                for it in self.standings
            ),
            INTERVAL,
        )


def tournament(
    bots: Mapping[str, Any],
    start: GameState[Any],
    *,
    executor: Executor | None = None,
    jobs: int = 1,
    move_limit: float | None = None,
    watch: Watch = lambda _game: None,
    **options: Any,
) -> TournamentResult:
    """Play a match between every two bots, each with its own generator; return the results.

    :param bots: at least two bots by name.
    :param executor: like `jobs`, `move_limit` and `watch`, an argument of `play_match`.
    :param options: arguments of `pairings`: `rng`, `games`, `keep_trees`, `seconds`, and other
        fields of `Match`.
    :raises ValueError: as in `pairings` and `play_match`, before a game is played.
    """
    matches = pairings(bots, start, **options)
    return TournamentResult(tuple(bots), play_matches(matches, executor, jobs, move_limit, watch))


def pairings(
    bots: Mapping[str, Any],
    start: GameState[Any],
    *,
    rng: Rng,
    games: int = 100,
    keep_trees: bool = False,
    seconds: float | None = None,
    **options: Any,
) -> tuple[Match, ...]:
    """Return the matches of a tournament.

    :param bots: at least two bots by name.
    :param games: the number of games of each match, even; `options` are other fields of `Match`.
    :param keep_trees: whether tree searches reuse their trees; at least one bot must be one.
    :param seconds: the time that tree searches have for a move; at least one bot must be one.
    :raises TypeError: `bots` is not a dict.
    :raises ValueError: there are fewer than two bots, or as in `Match`.
    """
    if not isinstance(bots, Mapping):
        raise TypeError(f'bots must be a dict of bots by name, not {shown(bots)}')
    names = tuple(bots)
    if len(names) < 2:
        raise ValueError(f'a tournament needs at least 2 bots, not {len(names)}')
    if keep_trees and not any(map(keeps_trees, bots.values())):
        raise ValueError('keep_trees needs a tree search without a schedule, and no bot is one')
    if seconds is not None and not any(isinstance(bot, MctsBot) for bot in bots.values()):
        raise ValueError('seconds needs a tree search, and no bot is one')
    return tuple(
        Match(
            first=bots[one],
            second=bots[two],
            start=start,
            rng=rng.child(number),
            games=games,
            names=(one, two),
            keep_trees=keep_trees and (keeps_trees(bots[one]) or keeps_trees(bots[two])),
            seconds=seconds if MctsBot in map(type, (bots[one], bots[two])) else None,
            **options,
        )
        for number, (one, two) in enumerate(combinations(names, 2))
    )
