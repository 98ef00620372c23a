"""The moves of the root over the iterations of a search, by addition from its log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple, Self

from attrs import frozen

from fmcts._arguments import whole_number
from fmcts._declared import shown_by
from fmcts._engines.final import PREFERENCES, preferred
from fmcts.game import GameState, players_of
from fmcts.history._log import Log
from fmcts.search._analysis import MoveStats
from fmcts.search._description import Search
from fmcts.search._tree import Node


class Moment(NamedTuple):
    """The statistics of the root's moves after some iterations, as in `Analysis.stats`.

    Proofs are left out: the log of a search does not have them.
    """

    iterations: int
    stats: tuple[MoveStats[Any], ...]


class Timeline(tuple[Moment, ...]):  # noqa: SLOT001 - it has an attribute
    """Versions of a search in order, each with the statistics of the root's moves.

    It is a tuple of `Moment`; a notebook shows it as a table. `state` is the position of the root.
    """

    state: GameState[Any]

    def __new__(cls, moments: Iterable[Moment], state: GameState[Any]) -> Self:
        """Return the timeline of a search of `state`."""
        timeline = super().__new__(cls, moments)
        timeline.state = state
        return timeline

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self.state

    _repr_html_ = shown_by('_histories.timeline_html')

    def __repr__(self) -> str:
        return f'<Timeline of {len(self)} versions, iterations {self[0][0]} to {self[-1][0]}>'


@frozen
class _Choice:
    """A version of a search: only its move and its statistics."""

    iterations: int
    move: Any
    stats: tuple[MoveStats[Any], ...]


class _Counts:
    """Visits and rewards of the root's moves, which grow with each iteration."""

    def __init__(self, root: Node, log: Log) -> None:
        self.moves = root.moves
        self.visits, self.rewards = [0] * len(root.moves), [0.0] * len(root.moves)
        self.below: list[int] = []  # for each node, below which of the root's moves it is
        for node, (above, index) in enumerate(zip(log.parents, log.indexes, strict=True)):
            self.below.append(self.below[above] if above else index)
            if node and not above and node < log.before:
                self.visits[index], self.rewards[index] = log.visits[node], log.rewards[node]
        self.seat = players_of(root.state).index(root.state.player)
        self.gained = log.gained

    def add(self, leaf: int, outcome: Any) -> int:
        """Add an iteration, and return the index of its move at the root."""
        index = self.below[leaf]
        self.visits[index] += 1
        self.rewards[index] += self.gained(outcome, self.seat)
        return index

    @property
    def visited(self) -> list[tuple[Any, int, float]]:
        """The moves that have visits: move, visits and reward."""
        rows = zip(self.moves, self.visits, self.rewards, strict=True)
        return [row for row in rows if row[1]]

    @property
    def stats(self) -> tuple[MoveStats[Any], ...]:
        """The statistics of the moves."""
        rows = zip(self.moves, self.visits, self.rewards, strict=True)
        return tuple(
            MoveStats(move, visits, reward / visits if visits else None)
            for move, visits, reward in rows
        )


def timeline_of(root: Node, log: Log, points: int) -> Timeline:
    """Return the statistics of the root's moves at evenly spaced versions, the last among them.

    :raises ValueError: `points` is not a whole number of at least 1.
    """
    whole_number('points', points, least=1)
    first, last = max(log.first, 1), log.last
    wanted = {last - (last - first) * place // points for place in range(points)} | {first}
    counts, found = _Counts(root, log), []
    if log.first in wanted:
        found.append(Moment(log.first, counts.stats))
    steps = zip(log.leaves, log.outcomes, strict=True)
    for iteration, (leaf, outcome) in enumerate(steps, log.first + 1):
        counts.add(leaf, outcome)
        if iteration in wanted:
            found.append(Moment(iteration, counts.stats))
    return Timeline(found, root.state)


def is_by_counts(search: Search) -> bool:
    """Return whether visits and rewards of the root's moves alone decide what a search chooses."""
    named = isinstance(search.final, str) and search.final in PREFERENCES
    return named and search.resolution is None and not hasattr(search.schedule, 'chosen')


def changes_of_choice(root: Node, log: Log, search: Search) -> Iterator[Any]:
    """Yield each version at which the move that would be played became another.

    `is_by_counts` must be true for the search.
    """
    final: str = search.final  # type: ignore[assignment]  # as `is_by_counts` has seen
    counts, least = _Counts(root, log), len(root.moves) if final == 'robust-of-all' else 1
    chosen: tuple[Any, ...] = ()
    steps: Any = chain([(-1, 0.0)], zip(log.leaves, log.outcomes, strict=True))
    for iteration, (leaf, outcome) in enumerate(steps, log.first):
        move = counts.moves[counts.add(leaf, outcome)] if leaf >= 0 else None
        if (move,) == chosen and final != 'max':  # what has the most visits keeps them
            continue
        visited = counts.visited
        if len(visited) < least:
            continue
        move = preferred(visited, final)
        if (move,) != chosen:
            chosen = (move,)
            yield _Choice(iteration, move, counts.stats)
