"""Several matches: all against all, and one bot at several budgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from attrs import frozen

from fmcts.game import GameState
from fmcts.matches.ratings import Encounter, Rating, ratings
from fmcts.matches.result import MatchResult
from fmcts.matches.running import match
from fmcts.matches.tables import Table
from fmcts.rng import Rng

__all__ = ['Standing', 'TournamentResult', 'curve', 'tournament']


@frozen
class Standing:
    """How a bot did in a tournament."""

    name: str
    points: float
    games: int
    rating: Rating


@frozen
class TournamentResult:
    """The matches of a tournament: of every two bots, in the order of their names' places."""

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

    def table(self) -> Table:
        """The standings as rows of texts and numbers: for JSON, CSV and frames."""
        return Table(
            {'bot': str, 'points': float, 'games': int, 'elo': float, 'low': float, 'high': float},
            tuple(
                (it.name, it.points, it.games, it.rating.elo, it.rating.low, it.rating.high)
                for it in self.standings
            ),
        )


def tournament(
    bots: Mapping[str, Any], start: GameState[Any], *, rng: Rng, games: int = 100, **options: Any
) -> TournamentResult:
    """A match between every two bots, each with a generator of its own.

    :param bots: by their names, at least two.
    :param games: of each match, an even number; `options` are those of `match`.
    :raises ValueError: there are fewer than two bots, or as `match` says.
    """
    names = tuple(bots)
    if len(names) < 2:
        raise ValueError(f'a tournament needs at least 2 bots, not {len(names)}')
    results = tuple(
        match(
            bots[one],
            bots[two],
            start,
            rng=rng.child(number),
            games=games,
            names=(one, two),
            **options,
        )
        for number, (one, two) in enumerate(combinations(names, 2))
    )
    return TournamentResult(names, results)


def curve(
    bot: Callable[[int], Any],
    budgets: Sequence[int],
    against: Any,
    start: GameState[Any],
    *,
    rng: Rng,
    games: int = 100,
    names: tuple[str, str] = ('bot', 'opponent'),
    **options: Any,
) -> tuple[MatchResult, ...]:
    """A match at each budget: how a bot's strength grows.

    :param bot: gives the bot for a budget, as `lambda n: mcts(Search(n))`.
    :param against: the opponent in all of them.
    :param games: of each match, an even number; `options` are those of `match`.
    :raises ValueError: there is no budget, or as `match` says.
    """
    if not budgets:
        raise ValueError('a curve needs at least one budget')
    first, second = names
    return tuple(
        match(
            bot(budget),
            against,
            start,
            rng=rng.child(number),
            games=games,
            names=(f'{first}:{budget}', second),
            **options,
        )
        for number, budget in enumerate(budgets)
    )
