"""The compiled engine: a session whose iterations run in linked machine code."""

from __future__ import annotations

import ctypes
from typing import Any, ClassVar, Final, Generic, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from attrs import define, evolve, field

from fmcts._engines import graph, inplace
from fmcts._linked.codes import SEARCH, code_with, kept
from fmcts._linked.layout import Pointers, fields
from fmcts._linked.link import Code
from fmcts._linked.searches import GUESSES, Parts, parts_of
from fmcts._linked.statuses import Fault, Status, broken_rules, error_of
from fmcts._linked.structure import (
    Structure,
    is_fixed,
    makes_ahead,
    marks_of,
    parameters_of,
    structure_of,
)
from fmcts._linked.tables import as_array, as_values, logarithms, words_of
from fmcts._linked.tree import graph as graphs
from fmcts._linked.tree.arena import Arena, arena_of, tree_for
from fmcts._linked.tree.store import SLACK
from fmcts.rng import R, SplitMix, StdGen, made_of
from fmcts.rules import IntegerRules, fields_of, player_number, rules_of
from fmcts.search import MoveStats, Node, Search

UNLIMITED: Final = 2**62
LEVELS: Final = 64  # of a path, and moves of a line, at first
LEVEL: Final = 4  # words
PLACES: Final = 1 << 10  # of positions in the table of a graph, at first

Array: TypeAlias = npt.NDArray[Any]
NONE: Final = np.zeros(0)


class State(Pointers):
    """The argument of `search` in `search.c`; its pointers are to NumPy's arrays in `kept`."""

    _fields_ = (*fields('search.h', 'Search'),)

    def seed(self, rng: Any) -> None:
        """Take the words of a generator."""
        self.first, self.second = self.words_of(rng)

    @staticmethod
    def words_of(rng: Any) -> tuple[int, int]:
        """Return the words of a generator."""
        return (rng.state, rng.gamma) if isinstance(rng, SplitMix) else (rng.s1, rng.s2)

    def generator(self, like: Any) -> Any:
        """Return the generator, of the class of another."""
        made: Any = made_of if isinstance(like, SplitMix) else StdGen
        return made(self.first, self.second)


_prepared: Final[dict[Any, tuple[Structure, Parts]]] = {}  # without a user's function


def prepared(
    state: Any,
    rng: Any,
    search: Search,
    exported: tuple[str, ...] = SEARCH,
    *,
    unvisited: bool = False,
) -> tuple[Structure, Code]:
    """Return the structure and the code of a search; what cannot change is kept.

    Parameters of the structure may be zeros of the other sign, which are equal.

    :raises RulesError: the rules, or a function of the search, cannot be compiled.
    """
    structure = structure_of(search, state, unvisited=unvisited)

    def make() -> tuple[Structure, Parts]:
        drawn = {'stdgen': isinstance(rng, StdGen), 'batched': exported != SEARCH}
        return structure, parts_of(state, structure, **drawn)

    key = structure, rules_of(state), type(state), type(rng), exported
    found, parts = kept(_prepared, key, make) if is_fixed(search) else make()
    return found, code_with(parts, 'search', exported)


def state_of(search: Search, root: Node, structure: Structure) -> State:
    """Return the state of a search before its first iteration, without a tree."""
    rules = cast('IntegerRules', rules_of(root.state))
    given = State(
        root_mover=player_number(root.state, root.mover),
        max_plies=min(search.max_plies, UNLIMITED),
        cut_after=search.evaluate_after,
        levels=LEVELS,
        line_room=LEVELS,
        discount=search.discount,
        horizon=min(search.horizon or UNLIMITED, UNLIMITED),
    )
    sizes = {'line': LEVELS, 'guesses': GUESSES, **marks_of(structure, rules)}
    arrays: dict[str, Array] = {name: np.zeros(size, np.int32) for name, size in sizes.items()}
    arrays |= {name: np.array(it, float) for name, it in parameters_of(search).items()}
    given.point(**arrays, root=words_of(fields_of(rules.pack(root.state))))
    make_paths(given, structure)
    return given


def make_paths(state: State, structure: Structure) -> None:
    """Let the state point to room for paths of `levels`, and for what is gained on them."""
    levels = state.levels
    gained = np.empty(levels * (1 + structure.seats) if structure.returns else 0)
    state.point(path=np.empty(LEVEL * levels, np.int32), gained=gained)


@define
class LinkedSession(Generic[R]):
    """A running search: machine code grows the tree in an array.

    After a fault in a user's function the search continues in place, where Python raises the user's
    own error; for this `steps` has the goals so far, with the root's moves that were to be taken.
    """

    root: Node
    search: Search
    structure: Structure
    arena: Arena
    code: Code
    rng: R
    room: int
    state: State
    ended: bool = field(default=False, kw_only=True)
    steps: list[tuple[int, int | None]] = field(factory=list, kw_only=True)
    reach: int = field(default=-1, kw_only=True)  # visits for which there are logarithms

    def before_call(self, visits: int) -> None:
        """Let the state point to the tree, and to tables for the visits that the root will have."""
        state, arena = self.state, self.arena
        if visits > self.reach:
            # Twice as many the next time, or each of a clock's many small steps would copy tables.
            self.reach = visits = 2 * visits if self.reach >= 0 else visits
            state.point(logs=logarithms(visits + 1))
            if self.structure.method.counts:
                more, known = np.zeros(visits + 2), state.kept.get('by_visits', NONE)
                more[: len(known)] = known
                state.point(by_visits=more)
        state.point(words=arena.words)
        state.room, state.used, state.nodes_left = len(arena.words) - SLACK, arena.used, self.room

    def after_call(self) -> bool:
        """Note what a call has added to the tree; return whether to call again.

        :raises Fault: a user's function would have raised an error.
        :raises EndlessGameError: a game is not over after `max_plies` plies of a playout.
        :raises RulesError: the rules on integers break their promises.
        :raises EngineError: the tree grows too large.
        """
        state, arena = self.state, self.arena
        arena.used = state.used
        arena.nodes += self.room - state.nodes_left
        self.room = state.nodes_left
        match state.status:
            case Status.DONE | Status.WAITING:
                return False
            case Status.TREE_IS_FULL:
                arena.grow()
            case Status.PATH_IS_FULL:
                state.levels *= 2
                self.lengthen_paths()
            case Status.LINE_IS_FULL:
                state.line_room *= 2
                state.point(line=np.empty(state.line_room, np.int32))
            case Status.TABLE_IS_TAKEN:
                self.widen_table(2 * state.places)
            case Status.NODES_ARE_MADE | Status.RESOLVED:
                self.ended = True
                return False
            case _:
                raise error_of(state.status, self.root.state, self.search)
        return True

    def lengthen_paths(self) -> None:
        """Make room for paths of `levels`."""
        make_paths(self.state, self.structure)

    def widen_table(self, places: int) -> None:
        """Make a table of a graph's positions with that many places, which machine code fills."""
        self.state.places, self.state.taken = places, 0
        self.state.point(table=np.zeros(places, np.int32))

    def stats(self) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves."""
        return self.arena.stats(self.root.moves, self.structure)


@define
class Compiled(LinkedSession[R]):
    """A search without a network."""

    made: int = 0
    trail: Array | None = None  # a row for each iteration; see `trail`
    chunk: ClassVar[int] = 512  # iterations before the clock is asked for the first time

    @property
    def visits(self) -> int:
        """The visits of the root."""
        return self.root.iterations + self.made

    def advance(self, iterations: int, forced: int | None = None) -> Any:
        """Return the session after `iterations` more: itself, or after a fault one in place.

        :raises Exception: what `after_call` raises, or a user's function.
        """
        goal = self.made + iterations
        try:
            self.run(iterations, forced)
        except Fault:
            given = (*self._before_the_fault(), self.search)
            merges = self.search.transpositions is not None
            session: Any = graph.begin('inplace', *given) if merges else inplace.begin(*given)
            return session.advance(goal - self.made, forced)
        return self

    def run(self, iterations: int, forced: int | None = None) -> None:
        """Make `iterations` more in machine code; otherwise as `advance`.

        :raises Fault: a user's function would have raised an error.
        """
        state, goal = self.state, self.made + iterations
        if self.steps and self.steps[-1][1] == forced:
            self.steps.pop()  # a clock asks for many small chunks
        self.steps.append((goal, forced))
        state.forced = -1 if forced is None else forced
        if self.trail is not None:
            self.trail.resize(TRAIL * goal, refcheck=False)
            state.trail = self.trail.ctypes.data
        again = self.made < goal and not self.ended
        while again:
            self.before_call(self.arena.visits + goal - self.made)
            state.iterations, state.before = goal - self.made, self.made
            self.code.functions['search'](ctypes.byref(state))
            self.made += state.made
            again = self.after_call()

    def _before_the_fault(self) -> tuple[Node, R]:
        """Return the tree and the generator before the iteration with the fault.

        The search is repeated up to there, as that iteration has changed its tree.
        """
        again = begin(self.root, self.rng, self.search)
        for goal, forced in self.steps:
            again.run(min(goal, self.made) - again.made, forced)
        return again.finish()

    def finish(self) -> tuple[Node, R]:
        """Return the tree, and the generator to use next; the array must not change afterwards."""
        memory = self.root.columns.memory  # kept if the search made no iterations
        if self.made:
            keys = cast('IntegerRules', rules_of(self.root.state)).keys
            memory = as_values(self.structure.policy.memories, self.state.kept['memory'], keys)
        tree = self.arena.frozen(self.root, self.structure, memory)
        return tree, self.state.generator(self.rng)


@define
class CompiledGraph(Compiled[R]):
    """A search in which equal positions are one node."""

    def stats(self) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves."""
        seat = player_number(self.root.state, self.root.state.player)
        store, fields = self.arena.store(self.structure), len(self.state.kept['root'])
        return graphs.stats(self.root.moves, seat, store, fields)

    def finish(self) -> tuple[Node, R]:
        """Return the graph, and the generator to use next; the array must not change afterwards."""
        before, table = graph.graph_of(self.root, self.search), self.state.kept['table']
        if not self.made:
            return graph.root_node(before), self.rng
        self.arena.words.resize(self.arena.used, refcheck=False)
        store, blocks = self.arena.store(self.structure), np.sort(table[table > 0]).tolist()
        root = before.entries[0]
        entries = graphs.Entries(store, blocks, len(self.state.kept['root']), {0: root})
        entries.made[0] = entries.entry(0, root.state, root.moves)
        found = evolve(before, entries=entries, numbers=None, iterations=self.visits)
        return graph.root_node(found), self.state.generator(self.rng)


def begun(
    root: Node, rng: Any, search: Search, *, exported: tuple[str, ...] = SEARCH
) -> tuple[Any, ...]:
    """Return the first fields of a session: root, search, structure, arena and so on.

    :raises RulesError: the rules on integers cannot be compiled, or disagree with a state.
    :raises EngineError: the tree to continue is too large.
    """
    structure, code = prepared(root.state, rng, search, exported)
    given = cast('IntegerRules', rules_of(root.state)), structure, search.iterations
    merges = search.transpositions is not None
    arena = arena_of(graph.graph_of(root, search), *given) if merges else tree_for(root, *given)
    if arena.unvisited and not structure.unvisited:  # known only when the tree is loaded
        structure, code = prepared(root.state, rng, search, unvisited=True)
    arena.unvisited = arena.unvisited or makes_ahead(search)
    room = min(search.max_nodes or UNLIMITED, UNLIMITED) - arena.nodes
    return root, search, structure, arena, code, rng, room, state_of(search, root, structure)


def begin(root: Node, rng: R, search: Search) -> Compiled[R]:
    """Return a search from that root, before its first iteration, with its machine code.

    :raises Exception: what `begun` raises.
    """
    kind: Any = Compiled if search.transpositions is None else CompiledGraph
    session: Compiled[R] = kind(*begun(root, rng, search))
    rules = cast('IntegerRules', rules_of(root.state))
    memory = as_array(search.policy.memories, root.columns.memory, rules.keys)
    if memory is None:
        raise broken_rules(Status.BAD_KEY, root.state)
    session.state.seed(rng)
    if search.transpositions is not None:
        session.widen_table(1 << (2 * session.arena.nodes + PLACES).bit_length())
    session.state.point(memory=memory)
    return session


TRAIL: Final = 6
"""The words of a row of the trail; see `record` in `search.c`."""
