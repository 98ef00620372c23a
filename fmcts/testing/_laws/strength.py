"""A test of whether more iterations play worse, by the positions of a small game misplayed.

A position is misplayed if the move chosen is worth less than another, by perfect play. Of the
positions that one of two players misplays and the other does not, a player who is not weaker
misplays at most half on average. So the probability that it misplays at least as many as it does
can be computed exactly; if it is less than one in 10**9, the player is weaker.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import comb
from typing import Any, Final

from attrs import evolve, frozen

from fmcts._running.entry_points import analyse
from fmcts.search._description import Search
from fmcts.solve import AlphaBeta, move_values
from fmcts.testing._laws.positions import nearest_positions

SMALL: Final = 20_000
"""The most positions, not counting ends, of a small game."""

CHANCE: Final = 10**9
LEAST: Final = 10
"""The fewest iterations of a search; if there are more moves, as many as these."""


@frozen
class Puzzle:
    """A position whose moves differ in value, and the best of them."""

    state: Any
    best: tuple[Any, ...]


def is_small(start: Any) -> bool:
    """Return whether all positions can be visited."""
    return sum(1 for _ in islice(nearest_positions(start), SMALL + 1)) <= SMALL


def puzzles(start: Any, rng: Any, number: int) -> list[Puzzle]:
    """Return `number` positions of a small game, drawn from all, in which moves differ in value."""
    states = [reached.state for reached in nearest_positions(start)]
    return [*islice(_puzzles(states, rng), number)]


def _puzzles(states: list[Any], rng: Any) -> Iterator[Puzzle]:
    exact = AlphaBeta(distance=False)
    while states:
        index, rng = rng.uniform(0, len(states) - 1)
        states[index], states[-1] = states[-1], states[index]
        state = states.pop()
        if len(state.moves) < 2:
            continue
        rows = move_values(state, exact, engine='inplace')
        most = max(row.value for row in rows)
        best = tuple(row.move for row in rows if row.value == most)
        if len(best) < len(rows):
            yield Puzzle(state, best)


def _misplayed(given: Sequence[Puzzle], moves: Sequence[Any]) -> list[bool]:
    return [move not in puzzle.best for puzzle, move in zip(given, moves, strict=True)]


def _is_weaker(one: Sequence[bool], two: Sequence[bool]) -> bool:
    """Return whether the first misplays too many of the positions that one of the two misplays."""
    more = sum(here and not there for here, there in zip(one, two, strict=True))
    fewer = sum(there and not here for here, there in zip(one, two, strict=True))
    both = more + fewer
    ways = sum(comb(both, count) for count in range(more, both + 1))
    return bool(CHANCE * ways < 1 << both)


def weaker(search: Search, engine: str, given: Sequence[Puzzle], rng: Any) -> str | None:
    """Return how more iterations misplay more than fewer, or than random moves, in words."""
    widest = max([LEAST, *(len(puzzle.state.moves) for puzzle in given)])
    drawn = []
    for index, puzzle in enumerate(given):
        number, _ = rng.child(index).uniform(0, len(puzzle.state.moves) - 1)
        drawn.append(puzzle.state.moves[number])
    players = [('moves by lot', _misplayed(given, drawn))]
    for iterations in (widest, 4 * widest, 16 * widest):
        long = evolve(search, iterations=iterations)
        moves = [
            analyse(puzzle.state, rng.child(index), long, engine=engine)[0].move
            for index, puzzle in enumerate(given)
        ]
        players.append((f'{iterations} iterations', _misplayed(given, moves)))
    *_, (name, last) = players
    for other, misplayed in players[:-1]:
        if _is_weaker(last, misplayed):
            return (
                f'of {len(given)} positions {sum(last)} are misplayed with {name}, '
                f'{sum(misplayed)} with {other}'
            )
    return None
