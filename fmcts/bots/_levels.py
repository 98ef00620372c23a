"""Bots that play below their strength: a move drawn by visits, and ten levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import Attribute, field, frozen

from fmcts._arguments import is_number, shown
from fmcts._arithmetic import exponential, logarithm, real
from fmcts._running import analyse, known_engine
from fmcts._validators import as_count, positive_count
from fmcts.game import GameState, M
from fmcts.rng import R
from fmcts.search import MoveStats, Search, check_search

COOLEST: Final = 1e-300  # logarithms divided by smaller numbers are infinite
WARMEST: Final = 1e9
HIGHEST: Final = 10


def check_temperature(temperature: object) -> None:
    """Raise `ValueError` unless it is 0 or a number from 1e-300 to 1e9."""
    if not is_number(temperature) or not (temperature == 0 or COOLEST <= temperature <= WARMEST):  # type: ignore[operator]
        raise ValueError(
            f'temperature must be 0 or a number from 1e-300 to 1e9, not {shown(temperature)}'
        )


def shares(logs: Sequence[float]) -> tuple[float, ...]:
    """Return numbers that add up to 1, in proportion to the exponentials of `logs`."""
    most = max(logs, default=0.0)
    # Less the greatest, which changes no share: so none becomes infinite.
    weights = [exponential(number - most) for number in logs]
    total = 0.0  # not by `sum`, which rounds otherwise from Python 3.12 on
    for weight in weights:
        total += weight
    return tuple(weight / total for weight in weights)


def by_visits(stats: Sequence[MoveStats[Any]], rng: R, temperature: float = 1.0) -> tuple[Any, R]:
    """Draw a move in proportion to its visits to the power of `1 / temperature`.

    A temperature of 0 takes the most visited move, the first of equals, without a draw.

    :raises ValueError: `temperature` is not 0 or a number from 1e-300 to 1e9, or no move has a
        visit.
    """
    check_temperature(temperature)
    visited = [row for row in stats if row.visits]
    if not visited:
        raise ValueError('no move has visits')
    if temperature == 0:
        return max(visited, key=lambda row: row.visits).move, rng
    weights = shares([logarithm(float(row.visits)) / temperature for row in visited])
    u, rng = real(rng)
    for row, weight in zip(visited, weights, strict=True):
        u -= weight
        if u < 0.0:
            return row.move, rng
    return visited[-1].move, rng  # the shares may add up to a little less than 1


@frozen
class AtTemperature:
    """A bot that searches and draws its move by visits, as `by_visits` does.

    The higher the temperature, the more its games differ, and the weaker it plays.

    >>> from fmcts.games import connect4
    >>> from fmcts.rng import SplitMix
    >>> bot = AtTemperature(Search(100), 0.5)
    >>> [bot(connect4.start, SplitMix.from_seed(seed))[0] for seed in range(8)]
    [4, 3, 2, 6, 3, 5, 4, 1]
    """

    search: Search = field(validator=lambda _bot, _field, it: check_search(it))
    temperature: float = field(
        default=1.0, validator=lambda _bot, _field, it: check_temperature(it)
    )
    engine: str = field(default='auto', kw_only=True, validator=known_engine)

    def __call__(self, state: GameState[M], rng: R) -> tuple[M, R]:
        """Return the move drawn, and the generator to use next.

        :raises FinishedGameError: the game is over.
        """
        analysis, rng = analyse(state, rng, self.search, engine=self.engine)
        return by_visits(analysis.stats, rng, self.temperature)


def _up_to_ten(_bot: object, attribute: Attribute[Any], value: int) -> None:
    positive_count(_bot, attribute, value)
    if value > HIGHEST:
        raise ValueError(f'{attribute.name} must be at most {HIGHEST}, not {value}')


@frozen
class Level:
    """A bot of a level from 1, for beginners, to 10, for any game.

    Level n makes `10 * 2 ** n` iterations and has the temperature `(10 - n) / 10`. Each level wins
    more than half of its games against the one below, in small games less so.
    """

    level: int = field(default=5, converter=as_count, validator=_up_to_ten)

    def __call__(self, state: GameState[M], rng: R) -> tuple[M, R]:
        """Return the level's move, and the generator to use next.

        :raises FinishedGameError: the game is over.
        """
        search = Search(10 * 2**self.level)
        return AtTemperature(search, (HIGHEST - self.level) / HIGHEST)(state, rng)
