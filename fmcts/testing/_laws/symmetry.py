"""A test of whether moves that a symmetry maps to each other are searched alike.

Ties go to the first move in order, so a search does favour one of two equivalent moves. The order
of the moves is therefore shuffled, with another seed for each of many searches. What is left is
chance: whatever the sizes of the differences d in the visits of two such moves, their signs are
fair coins. So the sum of the differences of many searches exceeds `BOUND` times the root of the sum
of their squares with a probability of at most 2 exp(-BOUND² / 2) (W. Hoeffding, "Probability
inequalities for sums of bounded random variables", 1963), which is less than one in 10**10.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from attrs import frozen

from fmcts._arguments import shown
from fmcts._running.entry_points import analyse
from fmcts.game import key_of
from fmcts.search._description import Search

BOUND: Final = 7
SEARCHES: Final = 100


def _rank(seed: int, move: object) -> bytes:
    return hashlib.blake2b(f'{seed} {move!r}'.encode(), digest_size=8).digest()


@frozen
class Shuffled:
    """A state equal to `inner` except for the order of its moves, which the seed decides."""

    inner: Any
    seed: int

    @property
    def moves(self) -> tuple[Any, ...]:
        """The moves of the inner state, shuffled."""
        return tuple(sorted(self.inner.moves, key=partial(_rank, self.seed)))

    @property
    def player(self) -> Any:
        """The side to move."""
        return self.inner.player

    @property
    def over(self) -> bool:
        """True if the game is finished."""
        return bool(self.inner.over)

    @property
    def winner(self) -> Any:
        """The winner of a finished game."""
        return self.inner.winner

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
    for move in moves:
        other = symmetry(move)
        if other not in moves or symmetry(other) != move:
            raise ValueError(
                'a symmetry must map the moves of the start to each other, and back: '
                f'{shown(move)} goes to {shown(other)}'
            )
    pairs = [(move, symmetry(move)) for move in moves]
    return [(one, two) for one, two in pairs if moves.index(one) < moves.index(two)]


def favoured(
    search: Search, engine: str, state: Any, rng: Any, symmetries: Iterable[Callable[[Any], Any]]
) -> str | None:
    """Return which of two equivalent moves has more visits than chance explains, in words."""
    pairs = [pair for symmetry in symmetries for pair in swaps(state, symmetry)]
    visits: list[dict[int, int]] = []
    moves = list(state.moves)
    for index in range(SEARCHES):
        analysis, _ = analyse(Shuffled(state, index), rng.child(index), search, engine=engine)
        visits.append({moves.index(row.move): row.visits for row in analysis.stats})
    for one, two in pairs:
        here, there = moves.index(one), moves.index(two)
        differences = [each[here] - each[there] for each in visits]
        if sum(differences) ** 2 > BOUND**2 * sum(each * each for each in differences):
            totals = [sum(each[place] for each in visits) for place in (here, there)]
            return (
                f'in {SEARCHES} searches, moves shuffled, the move {shown(one)} has {totals[0]} '
                f'visits, and {shown(two)}, which is alike, {totals[1]}'
            )
    return None
