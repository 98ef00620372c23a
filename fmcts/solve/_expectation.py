"""Exact values of small games with chance or any number of players: expectimax and max^n.

Values are fractions, so that ties are exact. Weights are whole numbers. A reward that is the float
nearest to a fraction with a denominator of at most 1000, such as the third of a draw of three,
counts as that fraction; another is the number that the float is. Where several moves are worth the
same to the player who moves, the first is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, Generic

from attrs import frozen

from fmcts._arguments import check_start, whole_number
from fmcts._promises import (
    checked_chances,
    checked_moves,
    checked_players,
    checked_seat,
    rewards_of,
)
from fmcts.errors import EndlessGameError, GameError
from fmcts.game import S, chances_of, players_of

Values = tuple[Fraction, ...]

DENOMINATOR: Final = 1000


@frozen(repr=False)
class Expectation(Generic[S]):
    """The values of a state and of all that follow from it.

    :param start: the state.
    :param table: for each state, what each player gets on average if all play their best.
    """

    start: S
    table: Mapping[S, Values]

    @property
    def values(self) -> Values:
        """The expected reward of each player from `start`, in the order of `players`."""
        return self.table[self.start]

    @property
    def move(self) -> Any:
        """The best move of `start`, the first of equals; `None` if no player moves there."""
        return self.best(self.start)

    def best(self, state: S) -> Any:
        """Return the best move of a state in the table, the first of equals."""
        if not state.moves:
            return None
        mine = players_of(state).index(state.player)
        return max(state.moves, key=lambda move: self.table[state.play(move)][mine])

    def __repr__(self) -> str:
        values = ', '.join(map(str, self.values))
        return f'<Expectation {values}; {len(self.table)} states>'


def expectation(state: S, *, max_positions: int = 1_000_000) -> Expectation[S]:
    """Return the exact values of a game in which no state comes again.

    It goes through every state that can be reached, each once.

    :raises EndlessGameError: a state can be repeated, as in Pig: such a game needs value iteration.
    :raises GameError: the game breaks a promise of `GameState` or `ChanceState`.
    :raises ValueError: more than `max_positions` states can be reached, or that is not a whole
        number of at least 1.

    >>> from fmcts.games.chance import bearoff
    >>> state = bearoff.BearOff((0, 1, 0, 0, 0, 1), (1, 0, 0, 0, 0, 0))
    >>> expectation(state).values
    (Fraction(13, 36), Fraction(23, 36))
    """
    whole_number('max_positions', max_positions)
    check_start(state)
    players = checked_players(state)
    table: dict[S, Values] = {}
    line: dict[S, list[S]] = {state: _after(state)}
    while line:
        here, after = next(reversed(line.items()))
        unknown = next((below for below in after if below not in table), None)
        if unknown is None:
            del line[here]
            table[here] = _value(here, after, table, players)
            continue
        if unknown in line:
            raise EndlessGameError(
                f'a position of {type(state).__name__} can come again: expectation needs a game '
                'that cannot go round in circles'
            )
        line[unknown] = _after(unknown)
        if len(line) + len(table) > max_positions:
            raise ValueError(
                f'more than {max_positions:,} positions can be reached: search instead, or give a '
                'higher max_positions'
            )
    return Expectation(state, table)


def _after(state: S) -> list[S]:
    chances = checked_chances(state)
    options = [outcome for outcome, _ in chances] or checked_moves(state)
    return [state.play(option) for option in options]


def _rewards(state: Any) -> Values:
    """Return the rewards of a finished game as fractions."""
    pairs = [(it, Fraction(it).limit_denominator(DENOMINATOR)) for it in rewards_of(state)]
    return tuple(near if float(near) == it else Fraction(it) for it, near in pairs)


def _value(state: S, after: list[S], table: Mapping[S, Values], players: tuple[Any, ...]) -> Values:
    mine = checked_seat(state, players)
    if not after:
        return _rewards(state)
    chances = checked_chances(state)
    if chances:
        weights = [weight for _, weight in chances]
        return tuple(
            sum(weight * value for weight, value in zip(weights, column, strict=True))
            / Fraction(sum(weights))
            for column in zip(*(table[below] for below in after), strict=True)
        )
    return max((table[below] for below in after), key=lambda values: values[mine])


def check_expectation(found: Expectation[Any]) -> int:
    """Check every value by the rules alone, and return how many states were checked.

    The end of a game is worth its rewards. Where chance moves, weights times values add up. A
    player gets what the move has that is worth most to that player, and nobody has a better one.

    :raises GameError: a value is wrong, or the value of a state that follows is missing.
    """
    players = players_of(found.start)
    for state, values in found.table.items():
        chances, mine = chances_of(state), checked_seat(state, players)
        try:
            if state.over:
                right = values == _rewards(state)
            elif chances:
                total = sum(weight for _, weight in chances)
                right = all(
                    total * value
                    == sum(w * found.table[state.play(outcome)][at] for outcome, w in chances)
                    for at, value in enumerate(values)
                )
            else:
                below = [found.table[state.play(move)] for move in state.moves]
                right = values in below and all(other[mine] <= values[mine] for other in below)
        except KeyError:
            raise GameError(f'the table lacks a state that follows {state!r}') from None
        if not right:
            raise GameError(f'the value of {state!r} is wrong: {", ".join(map(str, values))}')
    if found.start not in found.table:
        raise GameError('the table lacks the start')
    return len(found.table)
