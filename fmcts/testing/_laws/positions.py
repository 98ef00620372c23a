"""Positions for checks of bots and searches, and shorter lines to the same breach.

The game is assumed to be correct here, and only positions that are not over are used: so every move
is followed, equal positions are merged, and errors of the game are raised. (`exploring` chooses
positions of a game under test, which may be wrong in any way.)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain, combinations, count, islice
from typing import Any, TypeVar

from attrs import frozen

from fmcts._promises import checked_chances, checked_moves
from fmcts.game import GameState, options_of
from fmcts.rng import Rng

Found = TypeVar('Found')

LONGEST_GAME = 1000
"""The number of plies that a random game is played."""

MORE_DRAWS = 8
"""The number of draws to find a move that does not end the game."""


@frozen
class Reached:
    """A position that is not over, and the moves from the start to it."""

    state: Any
    line: tuple[Any, ...] = ()


def nearest_positions(start: GameState[Any]) -> Iterator[Reached]:
    """Yield the positions where a player moves, each once, by the fewest moves from the start.

    Lines have the outcomes where chance moves. States without a hash are distinguished by the moves
    to them.

    :raises GameError: (while it runs) the game breaks a promise of `GameState`.
    """
    seen: set[Any] = set()
    first = Reached(start)
    waiting = deque([first] if _is_new(first, seen) else [])
    yield from (here for here in waiting if here.state.moves)
    while waiting:
        here = waiting.popleft()
        for move in _options(here.state):  # one after the other, as there may be thousands
            after = Reached(here.state.play(move), (*here.line, move))
            if _is_new(after, seen):
                waiting.append(after)
                if after.state.moves:
                    yield after


def _options(state: GameState[Any]) -> tuple[Any, ...]:
    """Return the moves, or the outcomes where chance moves."""
    return checked_moves(state) or tuple(outcome for outcome, _ in checked_chances(state))


def _is_new(reached: Reached, seen: set[Any]) -> bool:
    """Return whether the game is not over and the position is new; then remember it."""
    try:
        if reached.state in seen:
            return False
        seen.add(reached.state)
    except TypeError:  # states need no hash
        pass
    return bool(_options(reached.state))


def random_positions(start: GameState[Any], rng: Rng) -> Iterator[Reached]:
    """Yield positions of random games, one of each game, without end.

    In turn it is any position of a game, any of a game that continues as long as it can, and of
    such a game the last one with the fewest moves: bots fail most often where one move is left.

    :raises GameError: (while it runs) the game breaks a promise of `GameState`.
    """
    for number in count():
        draws, long = rng.child(number), number % 3 > 0
        passed: list[Reached] = []
        here = Reached(start)
        while (moves := _options(here.state)) and len(passed) < LONGEST_GAME:
            if here.state.moves:
                passed.append(here)
            for _ in range(MORE_DRAWS if long else 1):
                index, draws = draws.uniform(0, len(moves) - 1)
                after = here.state.play(moves[index])
                if not after.over:
                    break
            here = Reached(after, (*here.line, moves[index]))
        index, _ = draws.uniform(0, len(passed) - 1)
        narrow = min(reversed(passed), key=lambda one: len(one.state.moves))
        yield narrow if number % 3 == 2 else passed[index]


def positions_of(start: GameState[Any], rng: Rng, number: int) -> Iterator[Reached]:
    """Yield `number` positions: half of them the nearest to the start, the others of random games.

    :raises GameError: (while it runs) the game breaks a promise of `GameState`.
    """
    near = islice(nearest_positions(start), (number + 1) // 2)
    return chain(near, islice(random_positions(start, rng), number // 2))


def _replayed(start: GameState[Any], line: tuple[Any, ...]) -> Reached | None:
    """Return the position after these moves, if they are legal and the game is not over then."""
    state: Any = start
    for move in line:
        if move not in options_of(state):
            return None
        state = state.play(move)
    return Reached(state, line) if state.moves else None


def _shorter(start: GameState[Any], line: tuple[Any, ...]) -> Iterator[Reached]:
    """Yield positions by parts of the line: beginnings, then all but one or two moves."""
    plies = range(len(line))
    beginnings = (line[:length] for length in plies)
    without = (
        tuple(move for ply, move in enumerate(line) if ply not in left_out)
        for number in (2, 1)
        for left_out in combinations(plies, number)
    )
    for shorter in chain(beginnings, without):
        reached = _replayed(start, shorter)
        if reached is not None:
            yield reached


def shortened(
    start: GameState[Any],
    reached: Reached,
    found: Found,
    finds: Callable[[Reached], Found | None],
    tries: int,
) -> tuple[Reached, Found]:
    """Return the shortest line to a position in which something is `found`, and what that is.

    It is the shortest of all if at most `tries` positions are nearer to the start; otherwise the
    shortest found within `tries`.
    """
    left = tries

    def first(among: Iterator[Reached]) -> tuple[Reached, Found] | None:
        nonlocal left
        for candidate in among:
            if not left or len(candidate.line) >= len(reached.line):
                return None
            left -= 1
            better = finds(candidate)
            if better is not None:
                return candidate, better
        return None

    while better := first(_shorter(start, reached.line)):
        reached, found = better
    return first(nearest_positions(start)) or (reached, found)
