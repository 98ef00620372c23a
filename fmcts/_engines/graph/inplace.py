"""The in-place design: a list and a dictionary, mutated behind a pure interface.

They are copied once at the start and returned at the end, when nobody writes to them any more. Only
if the number of states is limited can an iteration have to be undone: one that turns out to need
too many restores everything.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Generic, Self, cast

from attrs import define, evolve

from fmcts._engines.expansion import LIMITLESS
from fmcts._engines.graph.entry import Entry
from fmcts._engines.graph.nodes import graph_of, root_node
from fmcts._engines.graph.values import Graph
from fmcts._engines.graph.verbs import CREDITING, FullError, Open, fixed_of, iterate
from fmcts.rng import Draws, thaw
from fmcts.rng._protocol import R
from fmcts.search._analysis import MoveStats, stats_of
from fmcts.search._arithmetic import logarithms
from fmcts.search._description import Search
from fmcts.search._tree import Node


class Undoable(list[Entry]):
    """A list that remembers its contents at the last `mark`, and can restore them."""

    __slots__ = ('before', 'length')

    before: dict[int, Entry]
    length: int

    def __setitem__(self, number: Any, entry: Any) -> None:
        self.before.setdefault(number, self[number])
        super().__setitem__(number, entry)

    def mark(self) -> None:
        """Remember the current contents."""
        self.before, self.length = {}, len(self)

    def undo(self, numbers: dict[Any, int]) -> None:
        """Restore the contents at the mark, and remove the states added since from `numbers`."""
        for number, entry in self.before.items():
            super().__setitem__(number, entry)
        for entry in self[self.length :]:
            del numbers[entry.state]
        del self[self.length :]


@define
class InPlace(Generic[R]):
    """A running search: an advance mutates the graph and the generator in place."""

    graph: Graph
    entries: list[Entry]
    numbers: dict[Any, int]
    opened: Open
    draws: Draws
    visits: int
    ended: bool = False

    def advance(self, iterations: int, forced: int | None = None) -> Self:
        """Return the session itself, after `iterations` more iterations."""
        opened = self.opened
        opened.log = logarithms(self.visits + iterations)
        advance = self._bounded if opened.limit < LIMITLESS else self._unbounded
        advance(iterations, forced)
        return self

    def _unbounded(self, iterations: int, forced: int | None) -> None:
        draw = self.draws.draw
        for _ in range(iterations):
            iterate(self.opened, draw, forced)
        self.visits += iterations

    def _bounded(self, iterations: int, forced: int | None) -> None:
        entries = cast('Undoable', self.entries)
        for _ in range(iterations):
            entries.mark()
            before = self.draws.freeze()
            try:
                iterate(self.opened, self.draws.draw, forced)
            except FullError:
                entries.undo(self.numbers)
                self.draws = thaw(before)
                self.ended = True
                return
            self.visits += 1

    def _so_far(self) -> Graph:
        graph = self.graph
        return Graph(graph.rule, self.entries, self.numbers, self.visits, graph.move, graph.mover)

    def stats(self) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves."""
        return stats_of(root_node(self._so_far()))

    def finish(self) -> tuple[Node, R]:
        """Return the graph seen as a tree, and the generator; nothing may be mutated any more."""
        tables = tuple(self.entries), MappingProxyType(self.numbers)
        done = evolve(self._so_far(), entries=tables[0], numbers=tables[1])
        return root_node(done), cast('R', self.draws.freeze())


def begin(root: Node, rng: R, search: Search) -> InPlace[R]:
    """Return the search of that root, before its first iteration."""
    graph = graph_of(root, search)
    fixed, rule = fixed_of(root, search), graph.rule
    entries = list(graph.entries) if fixed.limit == LIMITLESS else Undoable(graph.entries)
    numbers = {entry.state: number for number, entry in enumerate(entries)}
    opened = Open(
        entries,
        numbers,
        fixed.plan,
        fixed.fresh,
        rule,
        fixed.limit,
        (),
        CREDITING[rule],
    )
    return InPlace(graph, entries, numbers, opened, thaw(rng), graph.iterations)
