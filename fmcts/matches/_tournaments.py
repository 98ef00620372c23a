"""Several matches: tournaments, in which all bots meet, and sweeps of a bot over its parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from itertools import combinations, product
from typing import Any

from attrs import frozen

from fmcts._arguments import shown
from fmcts._declared import shown_by
from fmcts.bots import MctsBot
from fmcts.game import GameState
from fmcts.matches._description import Match, both_names, game_named, keeps_trees
from fmcts.matches._result import MatchResult
from fmcts.matches._running import Watch, play_matches
from fmcts.matches._statistics import Encounter, Rating, ratings
from fmcts.matches._tables import INTERVAL, ResultTable, plain
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

    def to_dict(self) -> dict[str, Any]:
        """Return the standings and the counts of each match as values for JSON."""
        standings = self.table().to_dicts()
        for row in standings:
            row['elo_interval'] = row.pop('low'), row.pop('high')
        counts = ('first', 'second', 'wins', 'draws', 'losses')
        matches = [
            {name: it[name] for name in counts} for it in map(MatchResult.to_dict, self.results)
        ]
        return plain({'standings': standings, 'matches': matches})


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


# ---- sweeps ----


Cell = tuple[Any, ...]
"""A value for each parameter."""


@frozen
class SweepResult:
    """The matches of a sweep.

    `parameters` are the names; `cells` has a value for each of them, for each of the `results`. The
    last parameter changes first.
    """

    parameters: tuple[str, ...]
    cells: tuple[Cell, ...]
    results: tuple[MatchResult, ...]

    def table(self) -> ResultTable:
        """Return a row for each match.

        It has the parameters, wins, draws, losses, the score, the ends of its 95 % interval, and
        the number of distinct games.
        """
        kinds = {
            name: type(value) for name, value in zip(self.parameters, self.cells[0], strict=True)
        }
        return table_of(zip(self.cells, self.results, strict=True), kinds)


def table_of(rows: Iterable[tuple[Cell, MatchResult]], columns: Mapping[str, type]) -> ResultTable:
    """Return a row for each match, which begins with the values of these columns."""
    counts = dict.fromkeys(('wins', 'draws', 'losses'), int)
    shares = dict.fromkeys(('score', 'low', 'high'), float)
    return ResultTable(
        {**columns, **counts, **shares, 'distinct': int},
        tuple(
            (*cell, it.wins, it.draws, it.losses, it.score, *it.interval, it.distinct)
            for cell, it in rows
        ),
        INTERVAL,
        tuple(columns),
    )


def summary(results: Iterable[MatchResult]) -> ResultTable:
    """Return a row for each match, of any games, which begins with the game and both bots.

    The other columns are those of `SweepResult.table`.

    >>> from fmcts import SplitMix, random_bot
    >>> from fmcts.games import connect4, tictactoe
    >>> from fmcts.matches import match
    >>> starts = tictactoe.start, connect4.start
    >>> rng = SplitMix.from_seed(1)
    >>> table = summary(match(random_bot, random_bot, it, games=2, rng=rng) for it in starts)
    >>> [(row['game'], row['bot'], row['against']) for row in table.to_dicts()]
    [('tictactoe', 'first', 'second'), ('connect4', 'first', 'second')]
    """
    names = dict.fromkeys(('game', 'bot', 'against'), str)
    rows = (((game_named(it.match.start), *it.match.names), it) for it in results)
    return table_of(rows, names)


def sweep(  # noqa: PLR0913 - by name
    bot: Callable[..., Any],
    parameters: Mapping[str, Sequence[Any]],
    against: Any,
    start: GameState[Any],
    *,
    rng: Rng,
    names: tuple[str, str] = ('bot', 'opponent'),
    executor: Executor | None = None,
    jobs: int = 1,
    move_limit: float | None = None,
    watch: Watch = lambda _game: None,
    **options: Any,
) -> SweepResult:
    """Play a match for each combination of values of one or two parameters; return the results.

    Each match has its own generator, a child of `rng`.

    :param bot: makes the bot, as `lambda c: mcts(Search(500, c=c))`; its arguments are the
        parameters by name.
    :param parameters: the values of each.
    :param against: the opponent in all of the matches.
    :param names: of the bot and its opponent.
    :param executor: like `jobs`, `move_limit` and `watch`, an argument of `play_match`.
    :param options: `games` (the number of games of each match, even), and other fields of `Match`.
    :raises ValueError: there are not one or two parameters, one has no value or one twice, or as in
        `Match` and `play_match`, before a game is played.
    """
    cells = cells_of(parameters)
    first, second = both_names(names)
    matches = []
    for number, cell in enumerate(cells):
        given = dict(zip(parameters, cell, strict=True))
        text = ','.join(f'{name}={value}' for name, value in given.items())
        both = {'first': bot(**given), 'second': against, 'names': (f'{first}:{text}', second)}
        matches.append(Match(**both, start=start, rng=rng.child(number), **options))
    results = play_matches(matches, executor, jobs, move_limit, watch)
    return SweepResult(tuple(parameters), cells, results)


def cells_of(parameters: Mapping[str, Sequence[Any]]) -> tuple[Cell, ...]:
    """Return the combinations of values, the last parameter changing first.

    :raises ValueError: there are not one or two parameters, or one has no value or one twice.
    """
    if not 1 <= len(parameters) <= 2:
        raise ValueError(f'a sweep has one or two parameters, not {len(parameters)}')
    for name, values in parameters.items():
        if not values:
            raise ValueError(f'the parameter {name} needs at least one value')
        for place, value in enumerate(values):
            if value in values[:place]:
                raise ValueError(f'the parameter {name} has {shown(value)} twice: give it once')
    return tuple(product(*parameters.values()))
