"""Games of any number of players: every bot in every seat, with the same dice."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from typing import Any

from attrs import field, frozen

from fmcts._arguments import amount, check_bot, check_generator, shown, whole_number
from fmcts._promises import checked_players
from fmcts.errors import GameError
from fmcts.game import MAX_PLIES
from fmcts.matches._tables import ResultTable, plain
from fmcts.record import GameRecord, play_seats
from fmcts.rng import Rng


def _counted(games: tuple[Any, ...]) -> str:
    return amount(len(games), 'game')


@frozen
class Seatings:
    """The games of some bots, each round in every order of seats.

    :param records: the games, round by round.
    :param orders: who sat where in each game: the number of the bot for each of `players`.
    :param bots: how many bots there are.
    :param names: what they are called.
    """

    records: tuple[GameRecord[Any, Any, Any], ...] = field(repr=_counted)
    orders: tuple[tuple[int, ...], ...] = field(repr=_counted)
    bots: int
    names: tuple[str, ...]

    @property
    def rewards(self) -> tuple[tuple[float, ...], ...]:
        """The mean reward of each bot in each round, over the games of the round that it played."""
        found = []
        games = math.perm(self.bots, len(self.orders[0]))
        for begin in range(0, len(self.records), games):
            sums, counts = [0.0] * self.bots, [0] * self.bots
            for game in range(begin, begin + games):
                for bot, reward in zip(self.orders[game], self.records[game].rewards, strict=True):
                    sums[bot] += reward
                    counts[bot] += 1
            found.append(tuple(total / count for total, count in zip(sums, counts, strict=True)))
        return tuple(found)

    @property
    def means(self) -> tuple[float, ...]:
        """The mean reward of each bot."""
        rounds = self.rewards
        return tuple(math.fsum(column) / len(rounds) for column in zip(*rounds, strict=True))

    @property
    def errors(self) -> tuple[float, ...]:
        """The standard error of each mean, over the rounds; NaN after a single round."""
        rounds = self.rewards
        if len(rounds) < 2:
            return (math.nan,) * self.bots
        squares = (
            math.fsum((reward - mean) ** 2 for reward in column)
            for column, mean in zip(zip(*rounds, strict=True), self.means, strict=True)
        )
        return tuple(math.sqrt(total / (len(rounds) - 1) / len(rounds)) for total in squares)

    def table(self) -> ResultTable:
        """Return one row per bot: its games, its mean reward and the standard error of that.

        The error is `None` after a single round.
        """
        played = [sum(bot in order for order in self.orders) for bot in range(self.bots)]
        errors = (None if math.isnan(error) else error for error in self.errors)
        return ResultTable(
            {'bot': str, 'games': int, 'mean': float, 'error': float},
            tuple(zip(self.names, played, self.means, errors, strict=True)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the number of games and the rows of the table as values for JSON."""
        return plain({'games': len(self.records), 'standings': self.table().to_dicts()})


def seatings(
    bots: Sequence[Any] | Mapping[str, Any],
    start: Any,
    *,
    rounds: int,
    rng: Rng,
    max_plies: int = MAX_PLIES,
    watch: Callable[[GameRecord[Any, Any, Any]], object] = lambda _record: None,
) -> Seatings:
    """Play `rounds` rounds, each with every choice and order of `bots` in the seats of the game.

    All games of a round have the same generator, `rng.child(round)`, so they meet the same dice. No
    round depends on another. Of n bots in a game for k players a round has n!/(n - k)! games.

    :param bots: the bots, or a dict of names to bots; without names they are `bot 0`, `bot 1`...
    :param watch: called with each game as it ends.

    :raises GameError: the game breaks a promise, or has more players than there are bots.
    :raises TypeError: something is not a bot or a generator.
    :raises ValueError: `rounds` is not a whole number of at least 1.

    >>> from fmcts import SplitMix, monte_carlo, random_bot
    >>> from fmcts.games.chance import mnk3
    >>> bots = monte_carlo(30), random_bot, random_bot
    >>> result = seatings(bots, mnk3.start(3, 3, 3), rounds=4, rng=SplitMix.from_seed(1))
    >>> len(result.records), result.means[0] > result.means[1]
    (24, True)
    >>> result.table().to_dicts()[1]['bot']
    'bot 1'
    """
    whole_number('rounds', rounds)
    if isinstance(bots, Mapping):
        names: tuple[Any, ...] = tuple(bots)
        bots = tuple(bots.values())
    else:
        bots = tuple(bots)
        names = tuple(f'bot {number}' for number in range(len(bots)))
    for name, bot in zip(names, bots, strict=True):
        check_bot(name, bot)
    check_generator(rng)
    players = checked_players(start)
    if len(bots) < len(players):
        raise GameError(
            f'the game {type(start).__name__} has {len(players)} players: expected as many bots or '
            f'more, not {shown(len(bots))}'
        )
    records, orders = [], []
    for number in range(rounds):
        for order in permutations(range(len(bots)), len(players)):
            seated = [bots[bot] for bot in order]
            record, _ = play_seats(start, seated, rng.child(number), max_plies=max_plies)
            records.append(record)
            orders.append(order)
            watch(record)
    return Seatings(tuple(records), tuple(orders), len(bots), names)
