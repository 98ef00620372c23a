"""One bot by one or two parameters, against the same opponent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from itertools import product
from typing import Any

from attrs import frozen

from fmcts._arguments import shown
from fmcts.game import GameState
from fmcts.matches._description import Match, both_names
from fmcts.matches._result import MatchResult
from fmcts.matches._running import Watch, play_match, players
from fmcts.matches._tables import Table
from fmcts.rng import Rng

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

    def table(self) -> Table:
        """Return a row for each match.

        It has the parameters, wins, draws, losses, the score, the ends of its 95 % interval, and
        the number of distinct games.
        """
        kinds = {
            name: type(value) for name, value in zip(self.parameters, self.cells[0], strict=True)
        }
        return table_of(zip(self.cells, self.results, strict=True), kinds)


def table_of(rows: Iterable[tuple[Cell, MatchResult]], columns: Mapping[str, type]) -> Table:
    """Return a row for each match, which begins with the values of these columns."""
    counts = dict.fromkeys(('wins', 'draws', 'losses'), int)
    shares = dict.fromkeys(('score', 'low', 'high'), float)
    return Table(
        {**columns, **counts, **shares, 'distinct': int},
        tuple(
            (*cell, it.wins, it.draws, it.losses, it.score, *it.interval, it.distinct)
            for cell, it in rows
        ),
    )


def sweep(  # noqa: PLR0913 - as `curve`, by name
    bot: Callable[..., Any],
    parameters: Mapping[str, Sequence[Any]],
    against: Any,
    start: GameState[Any],
    *,
    executor: Executor | None = None,
    jobs: int = 1,
    move_limit: float | None = None,
    watch: Watch = lambda _game: None,
    **options: Any,
) -> SweepResult:
    """Play a match for each combination of values of one or two parameters; return the results.

    :param bot: makes the bot, as `lambda c: mcts(Search(500, c=c))`; its arguments are the
        parameters by name.
    :param parameters: the values of each.
    :param against: the opponent in all of the matches.
    :param executor: like `jobs`, `move_limit` and `watch`, an argument of `play_match`; `options`
        are arguments of `points_of_sweep`.
    :raises ValueError: as in `points_of_sweep` and `play_match`, before a game is played.
    """
    matches = points_of_sweep(bot, parameters, against, start, **options)
    with players(executor, jobs, move_limit) as there:
        results = tuple(play_match(it, executor=there, watch=watch) for it in matches)
    return SweepResult(tuple(parameters), cells_of(parameters), results)


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


def points_of_sweep(
    bot: Callable[..., Any],
    parameters: Mapping[str, Sequence[Any]],
    against: Any,
    start: GameState[Any],
    *,
    rng: Rng,
    games: int = 100,
    names: tuple[str, str] = ('bot', 'opponent'),
    **options: Any,
) -> tuple[Match, ...]:
    """Return the matches of a sweep, each with its own generator.

    :param games: the number of games of each match, even; `options` are other fields of `Match`.
    :raises ValueError: as in `cells_of`, or as in `Match`.
    """
    first, second = both_names(names)
    found = []
    for number, cell in enumerate(cells_of(parameters)):
        given = dict(zip(parameters, cell, strict=True))
        text = ','.join(f'{name}={value}' for name, value in given.items())
        found.append(
            Match(
                first=bot(**given),
                second=against,
                start=start,
                rng=rng.child(number),
                games=games,
                names=(f'{first}:{text}', second),
                **options,
            )
        )
    return tuple(found)
