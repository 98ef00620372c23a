"""Changes between versions of a search: what grew, when the best move changed, how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, Self

from attrs import field, frozen

from fmcts._arguments import amount, whole_number
from fmcts._declared import shown_by
from fmcts._engines import PREFERENCES, graph, preferred
from fmcts.game import GameState, players_of
from fmcts.history._log import Log
from fmcts.search import Analysis, MoveStats, Node, Search, paired_children, stats_of

Moves = tuple[Any, ...]
"""The moves from the root to a node."""


def descent(before: Node | None, after: Node) -> Iterator[tuple[Node | None, Node]]:
    """Yield the nodes that one iteration visited, from the root down, as they were and as they are.

    A node that the iteration made was `None`.
    """
    if isinstance(after, graph.GraphNode):
        yield from graph.passed(_graph(before), after)
        return
    was = before
    while True:
        yield was, after
        for old, child in paired_children(was, after):
            if child is not old and child.visits > (old.visits if old else 0):
                was, after = old, child
                break
        else:
            return


def new_nodes(before: Node | None, after: Node) -> Iterator[tuple[Moves, Node]]:
    """Yield the nodes that only the later version has, in preorder.

    Each comes with the moves that lead to it. Shared parts are skipped. In a graph they are states.
    """
    if isinstance(after, graph.GraphNode):
        yield from graph.new_states(_graph(before), after)
        return
    waiting: list[tuple[Moves, Node | None, Node]] = [((), before, after)]
    while waiting:
        line, was, node = waiting.pop()
        if was is node:
            continue
        if was is None:
            yield line, node
        both = [((*line, child.move), old, child) for old, child in paired_children(was, node)]
        waiting.extend(both[::-1])


def _graph(before: Node | None) -> graph.GraphNode | None:
    """Return an earlier version of a graph; a root that was not searched is none."""
    return before if isinstance(before, graph.GraphNode) else None


class MoveChange(NamedTuple):
    """A move of the root at two versions: the visits it gained, and its value before and after."""

    move: Any
    visits: int
    before: float | None
    after: float | None


@frozen(repr=False)
class Change:
    """The change from one version of a search to a later one.

    `change + later` is the change from the first version of `change` to the last of `later`, which
    must start where `change` ends.
    """

    before: Node
    after: Node
    best: tuple[Any, Any] = field(hash=False)

    @property
    def iterations(self) -> int:
        """The number of iterations in between."""
        return self.after.iterations - self.before.iterations

    @cached_property
    def moves(self) -> tuple[MoveChange, ...]:
        """The moves of the root, in canonical order."""
        after = stats_of(self.after)
        before = [*stats_of(self.before), *(MoveStats(it.move, 0, None) for it in after)]
        rows = zip(before, after, strict=False)  # moves may have been proposed in between
        return tuple(
            MoveChange(new.move, new.visits - old.visits, old.value, new.value) for old, new in rows
        )

    @cached_property
    def new(self) -> tuple[Moves, ...]:
        """The moves to each node that was made in between, in preorder."""
        return tuple(line for line, _ in new_nodes(self.before, self.after))

    def __add__(self, later: Change) -> Change:
        if not isinstance(later, Change):
            return NotImplemented
        if self.after != later.before:
            raise ValueError(
                f'the later change must begin at the version of {self.after.iterations} '
                f'iterations, where this one ends, not at {later.before.iterations}'
            )
        return Change(self.before, later.after, (self.best[0], later.best[1]))

    _repr_html_ = shown_by('_histories.change_html')

    def __repr__(self) -> str:
        gained = ', '.join(f'{it.move}: {it.visits:+}' for it in self.moves if it.visits)
        best, then = self.best
        return (
            f'<Change {self.before.iterations} to {self.after.iterations}: '
            f'{amount(len(self.new), "node")}, {gained}, best {best} to {then}>'
        )


@frozen(repr=False)
class Lead:
    """A version at which the move to be played changed.

    `before` is the previous move, `None` at the first. `stats` has the rows of both moves, as in
    `Analysis.stats`.
    """

    iteration: int
    move: Any
    before: Any
    stats: tuple[MoveStats[Any], ...]

    def __str__(self) -> str:
        return self.in_words(str)

    def in_words(self, write: Callable[[Any], str]) -> str:
        """Return the change in words; `write` returns a move as text."""
        new = next(row for row in self.stats if row.move == self.move)
        old = next((row for row in self.stats if row.move == self.before), None)
        if old is None or len(self.stats) == 1:
            return f'iteration {self.iteration}: {write(self.move)} leads first'
        text = f'iteration {self.iteration}: {write(self.move)} overtakes {write(self.before)}'
        if new.proof != old.proof:
            return f'{text}: {_proof(new)} against {_proof(old)}'
        return f'{text}: {_counts(new)} against {_counts(old)}'

    def __repr__(self) -> str:
        return f'<Lead {self}>'


def _counts(row: MoveStats[Any]) -> str:
    return f'{amount(row.visits, "visit")} of mean {row.value or 0:.3f}'


def _proof(row: MoveStats[Any]) -> str:
    if row.proof is None:
        return 'nothing proven'
    words = str(row.proof)
    return words if words.startswith('worth') else f'a proven {words}'


def leads_of(versions: Iterable[Analysis[Any] | None]) -> Iterator[Lead]:
    """Yield the versions at which the move changed; a version `None` has no move yet."""
    last: tuple[Any, ...] = ()
    for version in versions:
        if version is None or last == (version.move,):
            continue
        before = last[0] if last else None
        both = tuple(row for row in version.stats if row.move in (version.move, *last))
        yield Lead(version.iterations, version.move, before, both)
        last = (version.move,)


@frozen
class Stability:
    """The number of searches with other generators that choose the same `move`.

    `counts` are the moves that were chosen, each with how often, the most frequent first.
    """

    move: Any
    counts: tuple[tuple[Any, int], ...]

    @property
    def searches(self) -> int:
        """The number of searches."""
        return sum(count for _, count in self.counts)

    @property
    def same(self) -> float:
        """The share of the searches that choose the move."""
        return float(dict(self.counts).get(self.move, 0) / self.searches)

    _repr_html_ = shown_by('_histories.stability_html')

    def __repr__(self) -> str:
        counts = ', '.join(f'{move}: {count}' for move, count in self.counts)
        return f'<Stability move={self.move} same={self.same:.0%} of {self.searches} ({counts})>'


@frozen
class Decisive:
    """A playout that decided the choice.

    Had iteration `iteration` been worth `outcome` to X and not `before`, the search would have
    chosen `move`.
    """

    iteration: int
    before: float
    outcome: float
    move: Any


def sampled(last: int, samples: int) -> list[int]:
    """Return at most `samples` iterations up to the last, close together where they are few.

    >>> sampled(1_000, 12)
    [1, 2, 4, 7, 12, 23, 43, 81, 152, 285, 534, 1000]
    """
    steps = max(1, samples - 1)
    # In equal ratios: one playout of the first hundred decides more than one of the last.
    return sorted({round(last ** (step / steps)) for step in range(samples)})


# ---- the moves of the root over the iterations, by addition from the log ----


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
        self.log = log

    def add(self, leaf: int, outcome: Any) -> int:
        """Add an iteration, and return the index of its move at the root."""
        index, log = self.below[leaf], self.log
        if log.returns:  # what the root's move was worth is before the last
            *_, (_, outcome), _ = log.climb(leaf, outcome)
        self.visits[index] += 1
        self.rewards[index] += log.gained(outcome, self.seat)
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


def timeline_of(root: Node, log: Log, points: int, versions: Iterable[Node]) -> Timeline:
    """Return the statistics of the root's moves at evenly spaced versions, the last among them.

    `versions` are those of a graph, in which rewards are not sums over the log.

    :raises ValueError: `points` is not a whole number of at least 1.
    """
    whole_number('points', points, least=1)
    first, last = max(log.first, 1), log.last
    # Counted from the end, so that the last version is always among them.
    wanted = {last - (last - first) * place // points for place in range(points)} | {first}
    if log.graph:
        kept = (tree for tree in versions if tree.iterations in wanted)
        return Timeline((Moment(tree.iterations, stats_of(tree)) for tree in kept), root.state)
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
    """Return whether visits and rewards of the root's moves alone decide what a search chooses.

    They must be sums over iterations, as those of a tree are.
    """
    if search.transpositions is not None:
        return False
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
