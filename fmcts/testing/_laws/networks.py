"""Laws of networks: answers depend on neither time nor batch, and values have the right sign."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from returns.result import Failure, Result, Success

from fmcts._arguments import whole_number
from fmcts.errors import MethodError
from fmcts.game import GameState, is_plain
from fmcts.rng import Rng, SplitMix
from fmcts.search.networks import Answer, Network, answers_of
from fmcts.testing._laws.signs import wrong_sign

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
    before = [*map(_described, asked)]
    try:
        first = answers_of(network, asked)
        ways = {
            'asked again': answers_of(network, asked),
            'asked in the opposite order': answers_of(network, asked[::-1])[::-1],
            'asked about it alone': [answers_of(network, [state])[0] for state in asked],
        }
    except MethodError as error:
        return Failure(str(error))
    if [*map(_described, asked)] != before:
        return Failure('the network changes the states that it is asked about')
    for way, answers in ways.items():
        found = _difference(way, asked, first, answers)
        if found is not None:
            return Failure(found)
    if is_plain(start):
        wrong = wrong_sign(
            start, given.child(0), lambda some: [each.for_x for each in answers_of(network, some)]
        )
        if isinstance(wrong, str):
            return Failure(wrong)
    return Success(len(asked))


def _described(state: Any) -> tuple[Any, ...]:
    """Return what a change of a state changes."""
    return repr(state), hash(state), state.moves


def _difference(
    way: str, states: Sequence[Any], first: Sequence[Answer], second: Sequence[Answer]
) -> str | None:
    for state, one, two in zip(states, first, second, strict=True):
        if one != two:
            pairs = zip((*one.priors, one.for_x), (*two.priors, two.for_x), strict=True)
            number, other = next(pair for pair in pairs if pair[0] != pair[1])
            return (
                f'the network answers differently when {way}: {number!r}, then {other!r} for '
                f'{state!r}'
            )
    return None


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
