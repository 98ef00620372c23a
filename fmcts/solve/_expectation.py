"""Exact values of small games with chance, rewards or any number of players: expectimax and max^n.

Values are fractions, so that ties are exact. Weights are whole numbers. A number (a reward, the
discount) that is the float nearest to a fraction with a denominator of at most 1000, such as the
third of a draw of three, counts as that fraction; another is the number that the float is. Where
several moves are worth the same to the player who moves, the first is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, Generic

from attrs import evolve, frozen

from fmcts._arguments import amount, as_number, check_start, shown, whole_number
from fmcts._promises import (
    check_hash,
    checked_chances,
    checked_moves,
    checked_players,
    checked_seat,
    gained_of,
    rewards_of,
)
from fmcts.errors import EndlessGameError, GameError
from fmcts.game import S, chances_of, gains, players_of

Values = tuple[Fraction, ...]

DENOMINATOR: Final = 1000


@frozen(repr=False)
class Expectation(Generic[S]):
    """The values of a state and of all that follow from it.

    :param start: the state.
    :param table: for each state, what each player gets on average from there on if all play their
        best; what was gained by reaching the state is not in it. With a horizon the keys are pairs
        of a state and how many moves may still be made there.
    :param discount: the factor of what follows a move.
    :param horizon: the number of moves that are counted; `None` means without limit.
    """

    start: S
    table: Mapping[Any, Values]
    discount: Fraction = Fraction(1)
    horizon: int | None = None

    @property
    def values(self) -> Values:
        """The expected reward of each player from `start`, in the order of `players`."""
        return self.table[self._key(self.start, self.horizon)]

    @property
    def move(self) -> Any:
        """The best move of `start`, the first of equals; `None` if no player moves there."""
        return self.best(self.start)

    def best(self, state: S, left: int | None = None) -> Any:
        """Return the best move of a state in the table, the first of equals.

        `left`: how many moves may be made there, by default as many as at the start.

        :raises ValueError: `left` is more than that.
        """
        left = self._checked_left(left)
        if not state.moves or left == 0:
            return None
        mine = players_of(state).index(state.player)
        return max(state.moves, key=lambda move: self.value_of(state, move, left)[mine])

    def value_of(self, state: S, move: Any, left: int | None = None) -> Values:
        """Return what each player gets on average from a move or an outcome of a state on.

        `left`: how many moves may be made at the state, by default as many as at the start.

        :raises ValueError: `left` is more than that.
        """
        left = self._checked_left(left)
        after = state.play(move)
        return self._returned(after, self._left_after(state, left))

    def _checked_left(self, left: int | None) -> int | None:
        if left is not None and self.horizon is not None and left > self.horizon:
            raise ValueError(f'the plan has {amount(self.horizon, "move")}, not {left}')
        return self.horizon if left is None else left

    def _key(self, state: S, left: int | None) -> Any:
        return state if self.horizon is None else (state, left)

    def _left_after(self, state: S, left: int | None) -> int | None:
        return left if left is None or chances_of(state) else left - 1

    def _returned(self, state: S, left: int | None) -> Values:
        """Return what was gained by reaching a state, and what follows it, discounted."""
        following = self.table[self._key(state, left)]
        if not gains(state) and self.discount == 1:
            return following
        count = len(following)
        given = gained_of(state, count) if gains(state) else (0.0,) * count
        factor, gained = self.discount if state.moves else Fraction(1), map(fraction, given)
        return tuple(one + factor * more for one, more in zip(gained, following, strict=True))

    def _all(self, max_positions: int) -> dict[Any, Values]:
        """Return the values of every state that can be reached from the start, as a table."""
        found = evolve(self, table={})
        table: Any = found.table
        players = players_of(self.start)
        line: dict[Any, tuple[S, int | None, list[Any]]] = {}
        unknown: tuple[S, int | None] | None = (self.start, self.horizon)
        while unknown or line:
            if unknown is not None:
                state, left = unknown
                if self._key(*unknown) in line:
                    raise EndlessGameError(
                        f'a position of {type(state).__name__} can come again: expectation needs a '
                        'game that cannot go round in circles, or a horizon'
                    )
                line[self._key(*unknown)] = state, left, self._below(state, left)
                if len(line) + len(table) > max_positions:
                    raise ValueError(
                        f'more than {max_positions:,} positions can be reached: search instead, or '
                        'give a higher max_positions'
                    )
            key, (state, left, after) = next(reversed(line.items()))
            unknown = next((each for each in after if self._key(*each) not in table), None)
            if unknown is None:
                del line[key]
                table[key] = found._value(state, after, players)  # noqa: SLF001 - its own
        return table  # type: ignore[no-any-return]

    def _below(self, state: S, left: int | None) -> list[tuple[S, int | None]]:
        """Return the states that follow, each with how many moves may be made there."""
        options = [outcome for outcome, _ in checked_chances(state)]
        if not options and left != 0:
            options = [*checked_moves(state)]
        after = self._left_after(state, left)
        return [(state.play(option), after) for option in options]

    def _value(
        self, state: S, after: list[tuple[S, int | None]], players: tuple[Any, ...]
    ) -> Values:
        """Return the values of a state, given the values of the states after it in the table."""
        mine, chances = checked_seat(state, players), chances_of(state)
        if not after:  # at the horizon nothing follows
            return _rewards(state) if state.over else (Fraction(0),) * len(players)
        returns = [self._returned(*each) for each in after]
        if chances:
            weights = [weight for _, weight in chances]
            return tuple(
                sum(weight * value for weight, value in zip(weights, column, strict=True))
                / Fraction(sum(weights))
                for column in zip(*returns, strict=True)
            )
        return max(returns, key=lambda values: values[mine])

    def __repr__(self) -> str:
        values = ', '.join(map(str, self.values))
        return f'<Expectation {values}; {len(self.table)} states>'


def expectation(
    state: S,
    *,
    discount: float | Fraction = 1,
    horizon: int | None = None,
    max_positions: int = 1_000_000,
) -> Expectation[S]:
    """Return the exact values of a game in which no state comes again.

    It goes through every state that can be reached, each once; with a `horizon` once for each
    number of moves left, and then states may come again. Rewards on the way, `discount` and
    `horizon` count as in a search (see `Search`).

    :raises EndlessGameError: a state can be repeated, as in Pig: such a game needs a horizon, or
        value iteration.
    :raises GameError: the game breaks a promise of `GameState` or `ChanceState`.
    :raises ValueError: more than `max_positions` states can be reached, or that is not a whole
        number of at least 1; `discount` is not above 0 and up to 1; or `horizon` is not a whole
        number of at least 1.

    >>> from fmcts.games.chance import bearoff
    >>> state = bearoff.BearOff((0, 1, 0, 0, 0, 1), (1, 0, 0, 0, 0, 0))
    >>> expectation(state).values
    (Fraction(13, 36), Fraction(23, 36))
    """
    whole_number('max_positions', max_positions)
    if horizon is not None:
        whole_number('horizon', horizon)
    number = as_number(discount)
    if not isinstance(number, int | float | Fraction) or not 0 < number <= 1:
        raise ValueError(f'discount must be a number above 0, up to 1, not {shown(discount)}')
    check_start(state)
    check_hash(state, 'expectation')
    checked_players(state)
    found: Expectation[S] = Expectation(state, {}, fraction(number), horizon)
    return evolve(found, table=found._all(max_positions))  # noqa: SLF001 - its own


def fraction(number: float | Fraction) -> Fraction:
    """Return the fraction that a number means; see the module."""
    near = Fraction(number).limit_denominator(DENOMINATOR)
    return near if float(near) == number else Fraction(number)


def _rewards(state: Any) -> Values:
    """Return the rewards of a finished game as fractions."""
    return tuple(map(fraction, rewards_of(state)))


def check_expectation(found: Expectation[Any]) -> int:
    """Check every value by the rules alone, and return how many states were checked.

    The end of a game is worth its rewards. Where chance moves, weights times values add up. A
    player gets what the move has that is worth most to that player, and nobody has a better one.

    :raises GameError: a value is wrong, or the value of a state that follows is missing.
    """
    players = players_of(found.start)
    for key, values in found.table.items():
        state, left = (key, None) if found.horizon is None else key
        chances, mine = chances_of(state), checked_seat(state, players)
        try:
            if state.over:
                right = values == _rewards(state)
            elif chances:
                total = sum(weight for _, weight in chances)
                below = [(w, found.value_of(state, outcome, left)) for outcome, w in chances]
                right = all(
                    total * value == sum(weight * each[at] for weight, each in below)
                    for at, value in enumerate(values)
                )
            elif left == 0:
                right = not any(values)
            else:
                after = [found.value_of(state, move, left) for move in state.moves]
                right = values in after and all(other[mine] <= values[mine] for other in after)
        except KeyError:
            raise GameError(f'the table lacks a state that follows {state!r}') from None
        if not right:
            raise GameError(f'the value of {state!r} is wrong: {", ".join(map(str, values))}')
    if found._key(found.start, found.horizon) not in found.table:  # noqa: SLF001 - its own
        raise GameError('the table lacks the start')
    return len(found.table)
