"""Laws that hold up to chance, by bounds that what is correct practically never exceeds.

Whether numbers are drawn evenly: of `DRAWS` draws, each with the chance p of some event, the count
of it differs from `DRAWS * p` by `SLACK` or more with a probability of at most
2 exp(-2 SLACK² / DRAWS) (W. Hoeffding, "Probability inequalities for sums of bounded random
variables", 1963), which here is 2 exp(-40), less than one in 10**17. Fewer than 500 counts are
checked, so a correct generator fails at most once in 10**14 times.

Whether moves that a symmetry maps to each other are searched alike: ties go to the first move, so
the order of the moves is shuffled, with another seed for each of many searches. Whatever the sizes
of the differences d in the visits of two such moves, their signs are fair coins. So the sum of the
differences exceeds `BOUND` times the root of the sum of their squares with a probability of at most
2 exp(-BOUND² / 2) (Hoeffding again), which is less than one in 10**10.

Whether more iterations play worse: a position is misplayed if the move chosen is worth less than
another, by perfect play. Of the positions that one of two players misplays and the other does not,
a player who is not weaker misplays at most half on average. If the probability that it misplays at
least as many as it does is less than one in `CHANCE`, the player is weaker.

All counts and bounds are exact: nothing is rounded.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from math import comb
from typing import Any, Final

from attrs import evolve, frozen

from fmcts._arguments import shown
from fmcts._running import analyse
from fmcts.game import key_of
from fmcts.search import Search
from fmcts.solve import AlphaBeta, move_values

DRAWS: Final = 2000
SLACK: Final = 200
BOUND: Final = 7
SEARCHES: Final = 100
CHANCE: Final = 10**9

SERVED: Final = 1 << 31
"""The largest size of a range that must be supported; a generator may refuse larger ones."""

SIZES: Final = (2, 5, 7, 10, 16)
"""Sizes of ranges in which every number is counted."""

BITS: Final = range(63)
"""Ranges of 3 * 2**bits numbers, whose thirds are counted.

A generator that takes a word of `bits + 2` bits modulo the range draws from the first third half of
the time.
"""

LEAST: Final = 10
"""The fewest iterations of a search; if there are more moves, as many as these."""


# Evenness.


def _off(events: Iterable[Hashable], cells: Sequence[Any]) -> tuple[Any, str] | None:
    """Return a cell that is too frequent or too rare, with its count; all are equally likely."""
    counts = Counter(events)
    for cell in cells:
        if abs(counts[cell] * len(cells) - DRAWS) >= SLACK * len(cells):
            return cell, str(counts[cell] or 'none')
    return None


def _stream(generator: Any, count: int) -> Iterator[int]:
    """Yield numbers from 0 to below `count`."""
    while True:
        number, generator = generator.uniform(0, count - 1)
        yield number


def uneven_numbers(generator: Any) -> str | None:
    """Return which numbers of small or wide ranges are too frequent or too rare, in words."""
    for count in SIZES:
        off = _off(islice(_stream(generator, count), DRAWS), range(count))
        if off is not None:
            return f'{off[1]} of {DRAWS} draws of uniform(0, {count - 1}) are {off[0]}'
    for bits in BITS:
        count = 3 << bits
        try:
            numbers = [*islice(_stream(generator, count), DRAWS)]
        except ValueError:
            if count <= SERVED:
                raise
            return None
        off = _off((number >> bits for number in numbers), range(3))
        if off is not None:
            third = ('lowest', 'middle', 'highest')[off[0]]
            return f'{off[1]} of {DRAWS} draws of uniform(0, {count - 1}) lie in the {third} third'
    return None


def uneven_pairs(generator: Any) -> str | None:
    """Return which pairs of consecutive draws are too frequent or too rare, in words."""
    for count in (2, 3):
        stream = _stream(generator, count)
        cells = [(one, two) for one in range(count) for two in range(count)]
        off = _off(islice(zip(stream, stream, strict=False), DRAWS), cells)
        if off is not None:
            return f'{off[1]} of {DRAWS} pairs of draws of uniform(0, {count - 1}) are {off[0]}'
    return None


def uneven_children(generator: Any) -> str | None:
    """Return the first draw that is too frequent or too rare among children, in words."""
    off = _off((generator.child(index).uniform(0, 2)[0] for index in range(DRAWS)), range(3))
    if off is None:
        return None
    return f'the first draw of uniform(0, 2) is {off[0]} for {off[1]} of {DRAWS} children'


# Symmetry.


def _rank(seed: int, move: object) -> bytes:
    return hashlib.blake2b(f'{seed} {move!r}'.encode(), digest_size=8).digest()


@frozen
class Shuffled:
    """A state equal to `inner` except for the order of its moves, which the seed decides."""

    inner: Any
    seed: int
    player = property(lambda self: self.inner.player)
    over = property(lambda self: self.inner.over)
    winner = property(lambda self: self.inner.winner)

    @property
    def moves(self) -> tuple[Any, ...]:
        """The moves of the inner state, shuffled."""
        # Ties go to the first move: in another order in each search none is favoured by its place.
        return tuple(sorted(self.inner.moves, key=partial(_rank, self.seed)))

    def play(self, move: Any, /) -> Shuffled:
        """Return the state after `move`, shuffled with the same seed."""
        return Shuffled(self.inner.play(move), self.seed)

    def key(self, move: Any) -> Any:
        """Return the key of the move."""
        return key_of(self.inner, move)

    def __getattr__(self, name: str) -> Any:
        """Return another member of the user's state that a search needs."""
        if name.startswith('__') or name in {'inner', 'seed'}:
            raise AttributeError(name)
        return getattr(self.inner, name)


def swaps(state: Any, symmetry: Callable[[Any], Any]) -> list[tuple[Any, Any]]:
    """Return the pairs of different moves that a symmetry maps to each other.

    :raises ValueError: it does not map the moves of the state to each other, and back.
    """
    moves = list(state.moves)
    pairs = [(move, symmetry(move)) for move in moves]
    for move, other in pairs:
        if other not in moves or symmetry(other) != move:
            raise ValueError(
                'a symmetry must map the moves of the start to each other, and back: '
                f'{shown(move)} goes to {shown(other)}'
            )
    return [(one, two) for one, two in pairs if moves.index(one) < moves.index(two)]


def favoured(
    search: Search, engine: str, state: Any, rng: Any, symmetries: Iterable[Callable[[Any], Any]]
) -> str | None:
    """Return which of two equivalent moves has more visits than chance explains, in words."""
    moves = list(state.moves)
    visits: list[dict[int, int]] = []
    for index in range(SEARCHES):
        analysis, _ = analyse(Shuffled(state, index), rng.child(index), search, engine=engine)
        visits.append({moves.index(row.move): row.visits for row in analysis.stats})
    for one, two in (pair for symmetry in symmetries for pair in swaps(state, symmetry)):
        here, there = moves.index(one), moves.index(two)
        differences = [each[here] - each[there] for each in visits]
        if sum(differences) ** 2 > BOUND**2 * sum(each * each for each in differences):
            totals = [sum(each[place] for each in visits) for place in (here, there)]
            return (
                f'in {SEARCHES} searches, moves shuffled, the move {shown(one)} has {totals[0]} '
                f'visits, and {shown(two)}, which is alike, {totals[1]}'
            )
    return None


# Strength.


def puzzles(states: Sequence[Any], rng: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Yield positions whose moves differ in value, each with its best moves, drawn in any order."""
    left, exact = list(states), AlphaBeta(distance=False)
    while left:
        index, rng = rng.uniform(0, len(left) - 1)
        # Exchanged with the last, which costs nothing to take off.
        left[index], left[-1] = left[-1], left[index]
        state = left.pop()
        if len(state.moves) > 1:
            rows = move_values(state, exact, engine='inplace')
            most = max(row.value for row in rows)
            best = [row.move for row in rows if row.value == most]
            if len(best) < len(rows):
                yield state, best


def is_weaker(one: Sequence[bool], two: Sequence[bool]) -> bool:
    """Return whether the first misplays too many of the positions that one of the two misplays."""
    more = sum(here and not there for here, there in zip(one, two, strict=True))
    both = more + sum(there and not here for here, there in zip(one, two, strict=True))
    ways = sum(comb(both, count) for count in range(more, both + 1))
    return bool(CHANCE * ways < 1 << both)


def weaker(
    search: Search, engine: str, given: Sequence[tuple[Any, list[Any]]], rng: Any
) -> str | None:
    """Return how more iterations misplay more than fewer, or than random moves, in words."""
    widest = max([LEAST, *(len(state.moves) for state, _ in given)])

    def misplayed(iterations: int) -> list[bool]:
        found = []
        for index, (state, best) in enumerate(given):
            draws = rng.child(index)
            if iterations:
                long = evolve(search, iterations=iterations)
                move = analyse(state, draws, long, engine=engine)[0].move
            else:
                move = state.moves[draws.uniform(0, len(state.moves) - 1)[0]]
            found.append(move not in best)
        return found

    most = 16 * widest
    last = misplayed(most)
    others = {'random moves': 0} | {f'{n} iterations': n for n in (widest, 4 * widest)}
    for name, iterations in others.items():
        other = misplayed(iterations)
        if is_weaker(last, other):
            return (
                f'of {len(given)} positions {sum(last)} are misplayed with {most} iterations, '
                f'{sum(other)} with {name}'
            )
    return None
