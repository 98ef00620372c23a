"""Laws of networks and evaluators: answers depend on neither time nor batch, and prefer who wins.

The value of a position few plies before an end is known exactly. Positions are compared in pairs
with the same side to move, one won for X and one lost: a function that knows nothing prefers the
won one as often as the other, however it favours a side. If the probability that it prefers the
lost one as often as it does is less than one in 10**9, the sign of its values is wrong. A value for
the side to move where one for X is wanted is found too, as it is wrong whenever O is to move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from returns.result import Failure, Result, Success

from fmcts._arguments import whole_number
from fmcts.errors import MethodError
from fmcts.game import MAX_PLIES, GameState, Player, is_plain, reward
from fmcts.rng import Rng, SplitMix
from fmcts.search.networks import Network, answers_of
from fmcts.testing._laws.law import Answer, Unchecked
from fmcts.testing._laws.statistics import is_weaker

GAMES: Final = 400
LAST: Final = 4
"""The number of a game's last positions that are looked at."""

NODES: Final = 1_000
"""The most lines that are played to know one position's value."""

PAIRS: Final = 60
ENOUGH: Final = 40
"""The fewest pairs, with one side to move, by which a function is judged."""


def known_value(state: Any, plies: int) -> float | None:
    """Return what a position is worth to X, if every line that matters ends within `plies`.

    >>> from fmcts.games import tictactoe
    >>> state = tictactoe.parse('XX.OO....').unwrap()
    >>> known_value(state, 1), known_value(state.play(8), 1), known_value(tictactoe.start, 2)
    (1.0, 0.0, None)
    """
    if state.over:
        return reward(state.winner, Player.X)
    if not plies:
        return None
    best = reward(state.player, Player.X)
    values: list[float | None] = []
    for move in state.moves:
        value = known_value(state.play(move), plies - 1)
        if value == best:  # the other moves, known or not, cannot be better
            return best
        values.append(value)
    known = [value for value in values if value is not None]
    return None if len(known) < len(values) else (max if best else min)(known)


def decided_positions(start: Any, rng: Rng) -> Iterator[tuple[Any, float]]:
    """Yield positions near ends of drawn games that are won or lost, each with its value to X."""
    for number in range(GAMES):
        draws, passed = rng.child(number), [start]
        while not passed[-1].over and len(passed) < MAX_PLIES:
            moves = passed[-1].moves
            index, draws = draws.uniform(0, len(moves) - 1)
            passed.append(passed[-1].play(moves[index]))
        for state in passed[-2 : -2 - LAST : -1]:
            value = known_value(state, 3 if len(state.moves) ** 3 <= NODES else 2)
            if value in (0.0, 1.0):
                yield state, float(value)


def wrong_sign(start: Any, rng: Rng, values: Callable[[Sequence[Any]], Sequence[float]]) -> Answer:
    """Return in words how `values`, what states are worth to X, prefer what is lost.

    `Unchecked`: near the ends of drawn games there are too few positions to compare.
    """
    found: dict[tuple[Player, float], dict[Any, None]] = {
        (player, worth): {} for player in Player for worth in (0.0, 1.0)
    }
    for state, worth in decided_positions(start, rng):
        found[state.player, worth][state] = None
        if min(map(len, found.values())) >= PAIRS:
            break
    judged = False
    for player in Player:
        won, lost = (found[player, worth] for worth in (1.0, 0.0))
        pairs = [*islice(zip(won, lost, strict=False), PAIRS)]
        if len(pairs) < ENOUGH:
            continue
        judged = True
        better, worse = (values([pair[place] for pair in pairs]) for place in (0, 1))
        both = [*zip(better, worse, strict=True)]
        wrong = [one < two for one, two in both]
        if is_weaker(wrong, [one > two for one, two in both]):
            return (
                f'of {len(pairs)} pairs of positions near an end with {player.value} to move, one '
                f'won and one lost for X, {sum(wrong)} have the higher value where X has lost: are '
                'the values for the right side?'
            )
    few = 'near the ends of drawn games too few positions are known to be won or lost'
    return None if judged else Unchecked(few)


STATES: Final = 64


def check_network(
    network: Network, start: GameState[Any], *, states: int = STATES, rng: Rng | None = None
) -> Result[int, str]:
    """Check that a network answers as `Search.network` requires, and always the same.

    It receives states of random games from `start`: all of them at once, twice, then in the
    opposite order, and each alone. Return `Success` with the number of states, or `Failure` with
    the difference. Answers are compared as rounded (`fmcts.search.networks.GRID`). In a game of two
    players without chance, values near ends that are known exactly must have the right sign, where
    random games have enough such positions.

    :raises Exception: the network raises it.
    """
    given = rng or SplitMix.from_seed(0)
    asked = _states(start, whole_number('states', states), given)

    def described() -> list[Any]:  # what a change of a state changes
        return [(repr(state), hash(state), state.moves) for state in asked]

    before = described()
    try:
        first = answers_of(network, asked)
        ways = {
            'asked again': answers_of(network, asked),
            'asked in the opposite order': answers_of(network, asked[::-1])[::-1],
            'asked about it alone': [answers_of(network, [state])[0] for state in asked],
        }
    except MethodError as error:
        return Failure(str(error))
    if described() != before:
        return Failure('the network changes the states that it is asked about')
    for way, answers in ways.items():
        for state, one, two in zip(asked, first, answers, strict=True):
            pairs = zip((*one.priors, one.for_x), (*two.priors, two.for_x), strict=True)
            differ = next((pair for pair in pairs if pair[0] != pair[1]), None)
            if differ is not None:
                return Failure(
                    f'the network answers differently when {way}: {differ[0]!r}, then '
                    f'{differ[1]!r} for {state!r}'
                )
    if is_plain(start):
        wrong = wrong_sign(
            start, given.child(0), lambda some: [each.for_x for each in answers_of(network, some)]
        )
        if isinstance(wrong, str):
            return Failure(wrong)
    return Success(len(asked))


def _states(start: Any, count: int, rng: Any) -> list[Any]:
    """Return the first `count` unfinished states of random games."""
    found: list[Any] = []
    state = start
    while len(found) < count:
        if not state.moves:
            state = start
        found.append(state)
        index, rng = rng.uniform(0, len(state.moves) - 1)
        state = state.play(state.moves[index])
    return found
