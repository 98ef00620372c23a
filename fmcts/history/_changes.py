"""Changes between versions of a search: what grew, when the best move changed, how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

from attrs import field, frozen

from fmcts._arguments import amount
from fmcts._declared import shown_by
from fmcts.search._analysis import Analysis, MoveStats, stats_of
from fmcts.search._tree import Node, pairs

Moves = tuple[Any, ...]
"""The moves from the root to a node."""


def descent(before: Node | None, after: Node) -> Iterator[tuple[Node | None, Node]]:
    """Yield the nodes that one iteration visited, from the root down, as they were and as they are.

    A node that the iteration made was `None`.
    """
    was = before
    while True:
        yield was, after
        for old, child in pairs(was, after):
            if child is not old and child.visits > (old.visits if old else 0):
                was, after = old, child
                break
        else:
            return


def new_nodes(before: Node | None, after: Node) -> Iterator[tuple[Moves, Node]]:
    """Yield the nodes that only the later version has, in preorder.

    Each comes with the moves that lead to it. Shared parts are skipped.
    """
    waiting: list[tuple[Moves, Node | None, Node]] = [((), before, after)]
    while waiting:
        line, was, node = waiting.pop()
        if was is node:
            continue
        if was is None:
            yield line, node
        both = [((*line, child.move), old, child) for old, child in pairs(was, node)]
        waiting.extend(both[::-1])


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
        rows = zip(stats_of(self.before), stats_of(self.after), strict=True)
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
                f'iterations, where this one ends, not at that of {later.before.iterations}'
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
    return 'nothing proven' if row.proof is None else f'a proven {row.proof}'


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
