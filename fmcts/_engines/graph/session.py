"""Running graph searches: what an iteration writes to, and the sessions of the three engines.

`persistent` keeps tables of `pyrsistent`, which share their common parts: entries are in a vector,
in which replacing some copies a few short arrays, and numbers in a hash map. During one iteration
their mutable evolvers are written to, which nobody else sees. `monadic` is the same with iterations
as actions. `inplace` mutates a list and a dictionary, copied once at the start; only if the number
of states is limited can an iteration have to be undone.
"""

from __future__ import annotations

import importlib.util
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Generic, Self, TypeAlias, cast

from attrs import define, evolve, frozen

from fmcts._arithmetic import logarithms
from fmcts._engines.driver import Session
from fmcts._engines.expansion import LIMITLESS
from fmcts._engines.graph.nodes import Entry, Graph, graph_of, root_node
from fmcts._engines.graph.verbs import Fixed, FullError, Open, fixed_of, iterate
from fmcts.rng import Draws, R, thaw
from fmcts.search import MoveStats, Node, Search, stats_of
from fmcts.state import Do, State, do

LIBRARY: Final = 'pyrsistent'

Grown: TypeAlias = tuple[Graph, bool]
"""A graph, and whether the search has ended because the next iteration has no room."""


def step(graph: Graph, rng: R, fixed: Fixed, forced: int | None = None) -> tuple[Grown, R]:
    """Return the graph after one more iteration; without room for it, the same, and no draw."""
    tables: Any = graph
    entries, numbers = tables.entries.evolver(), tables.numbers.evolver()
    draws = thaw(rng)
    log = logarithms(graph.iterations + 1)
    try:
        iterate(Open(entries, numbers, fixed, log), draws.draw, forced)
    except FullError:
        return (graph, True), rng
    iterations = graph.iterations + 1
    grown = evolve(
        graph, entries=entries.persistent(), numbers=numbers.persistent(), iterations=iterations
    )
    return (grown, False), draws.freeze()  # type: ignore[return-value]


def steps(
    graph: Graph, rng: R, fixed: Fixed, iterations: int, forced: int | None
) -> tuple[Grown, R]:
    """Return the graph after more iterations, or as many as there is room for."""
    ended = False
    while iterations and not ended:
        (graph, ended), rng = step(graph, rng, fixed, forced)
        iterations -= 1
    return (graph, ended), rng


def steps_in_state(
    graph: Graph, rng: R, fixed: Fixed, iterations: int, forced: int | None
) -> tuple[Grown, R]:
    """Return what `steps` returns, by one action: each iteration is an action on a generator."""

    @do
    def grown() -> Do[Grown, R]:
        found: Grown = graph, False
        for _ in range(iterations):
            found = yield State(partial(step, found[0], fixed=fixed, forced=forced))
            if found[1]:
                break
        return found

    action: State[Grown, R] = grown()
    return action.run(rng)


@frozen
class Persistent(Generic[R]):
    """A running search as a value: an advance changes nothing and returns another value.

    `steps` is the function of that name, or `steps_in_state`.
    """

    graph: Graph
    rng: R
    fixed: Fixed
    steps: Any
    ended: bool = False

    @property
    def visits(self) -> int:
        """The number of iterations in the graph."""
        return self.graph.iterations

    def advance(self, iterations: int, forced: int | None = None) -> Persistent[R]:
        """Return the session after `iterations` more iterations."""
        (graph, ended), rng = self.steps(self.graph, self.rng, self.fixed, iterations, forced)
        return evolve(self, graph=graph, rng=rng, ended=ended)

    def stats(self) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves."""
        return stats_of(root_node(self.graph))

    def finish(self) -> tuple[Node, R]:
        """Return the graph seen as a tree, and the generator to use next."""
        return root_node(self.graph), self.rng


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
    """A running search: an advance mutates the tables and the generator in place."""

    graph: Graph
    opened: Any
    draws: Draws
    visits: int
    ended: bool = False

    def advance(self, iterations: int, forced: int | None = None) -> Self:
        """Return the session itself, after `iterations` more iterations."""
        opened = self.opened
        opened.log = logarithms(self.visits + iterations)
        bounded = opened.fixed.limit < LIMITLESS
        for _ in range(iterations):
            if bounded:
                opened.entries.mark()
                before = self.draws.freeze()
            try:
                iterate(opened, self.draws.draw, forced)
            except FullError:
                opened.entries.undo(opened.numbers)
                self.draws = thaw(before)
                self.ended = True
                break
            self.visits += 1
        return self

    def stats(self) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves."""
        return stats_of(root_node(self._so_far(self.opened.entries)))

    def finish(self) -> tuple[Node, R]:
        """Return the graph seen as a tree, and the generator; nothing may be mutated any more."""
        done = self._so_far(tuple(self.opened.entries))
        return root_node(done), cast('R', self.draws.freeze())

    def _so_far(self, entries: Any) -> Graph:
        numbers = MappingProxyType(self.opened.numbers)
        return evolve(self.graph, entries=entries, numbers=numbers, iterations=self.visits)


def unsupported(_root: Node, _rng: Any, search: Search) -> str | None:
    """Return why an engine with persistent tables cannot run this search; `None` if it can."""
    if search.transpositions is None or importlib.util.find_spec(LIBRARY):
        return None
    return f'transpositions without {LIBRARY}: install fmcts[graph]'


def begin(engine: str, root: Node, rng: Any, search: Search) -> Session:
    """Return the graph search of that root by that engine, before its first iteration."""
    graph, fixed = graph_of(root, search), fixed_of(root, search)
    if engine == 'inplace':
        entries = (list if fixed.limit == LIMITLESS else Undoable)(graph.entries)
        numbers = {entry.state: number for number, entry in enumerate(entries)}
        opened = Open(entries, numbers, fixed, ())
        return cast('Session', InPlace(graph, opened, thaw(rng), graph.iterations))
    grown = steps if engine == 'persistent' else steps_in_state
    return cast('Session', Persistent(shared(graph), rng, fixed, grown))


def shared(graph: Graph) -> Graph:
    """Return the same graph in persistent tables."""
    from pyrsistent import PVector, pmap, pvector  # noqa: PLC0415 - an optional extra

    if isinstance(graph.entries, PVector):
        return graph
    entries = pvector(graph.entries)
    numbers = pmap({entry.state: number for number, entry in enumerate(entries)})
    return evolve(graph, entries=entries, numbers=numbers)
