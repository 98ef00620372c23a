"""The compiled engine: a session whose iterations run in linked machine code."""

from __future__ import annotations

import ctypes
from itertools import chain
from typing import Any, Final, Generic, Self, cast

import numpy as np
from attrs import define

from fmcts._compiled import statuses
from fmcts._compiled.memory import as_array, as_values
from fmcts._linked import searches
from fmcts._linked.codes import code_of
from fmcts._linked.logarithms import logarithms
from fmcts._linked.structure import Structure, structure_of
from fmcts._linked.tree.arena import Arena, tree_for
from fmcts.game import has_rewards, players_of
from fmcts.rng import SplitMix, StdGen
from fmcts.rng._protocol import R
from fmcts.rng._splitmix import made_of
from fmcts.rules import IntegerRules, fields_of, player_number, rules_of
from fmcts.search._analysis import MoveStats
from fmcts.search._description import Search
from fmcts.search._tree import Node
from fmcts.search.methods import Rule

P, I, D = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double
UNLIMITED: Final = 2**62
SLACK: Final = 32
FAULT: Final = 21


class State(ctypes.Structure):
    """The argument of `search` in `search.c`."""

    _fields_ = (
        *((name, P) for name in ('words',)),
        *((name, I) for name in ('room', 'used', 'nodes_left')),
        ('path', P), ('levels', I), ('logs', P), ('by_visits', P), ('known', I), ('stamps', P),
        ('memory', P), ('line', P), ('line_room', I), ('guesses', P), ('trail', P),
        *((name, P) for name in (
            'numbers', 'table_numbers', 'policy_numbers', 'memory_numbers', 'derived_numbers', 'root',
        )),
        ('first', ctypes.c_uint64), ('second', ctypes.c_uint64),
        *((name, I) for name in ('root_mover', 'forced', 'max_plies', 'before', 'iterations', 'made')),
        ('cut_after', D), ('status', I), ('faults', I),
    )  # fmt: skip


def words_of(rng: Any) -> tuple[int, int]:
    """Return the numbers of a generator."""
    return (rng.state, rng.gamma) if isinstance(rng, SplitMix) else (rng.s1, rng.s2)


def generator_of(rng: Any, first: int, second: int) -> Any:
    """Return the generator of the kind of `rng` with these numbers."""
    return made_of(first, second) if isinstance(rng, SplitMix) else StdGen(first, second)


def integers_of(position: Any) -> list[int]:
    """Return the fields of a position as signed 64-bit integers with the same bits."""
    return [(each + (1 << 63)) % (1 << 64) - (1 << 63) for each in fields_of(position)]


@define
class Linked(Generic[R]):
    """A running search: machine code grows the tree in an array."""

    root: Node
    search: Search
    structure: Structure
    arena: Arena
    code: Any
    rng: R
    room: int
    state: State
    kept: dict[str, Any]  # the arrays that the state points to
    made: int = 0
    ended: bool = False

    @property
    def visits(self) -> int:
        """The visits of the root."""
        return self.root.visits + self.made

    def point(self, name: str, array: Any) -> None:
        """Let a pointer of the state point to an array."""
        self.kept[name] = array
        setattr(self.state, name, array.ctypes.data)

    def advance(self, iterations: int, forced: int | None = None) -> Self:
        """Return the session itself, after `iterations` more iterations."""
        state, arena = self.state, self.arena
        goal = self.made + iterations
        self.point('logs', logarithms(self.root.visits + goal + 1))
        if self.structure.method.counts:
            table = np.zeros(self.root.visits + goal + 2)
            table[: state.known] = self.kept['by_visits'][: state.known]
            self.point('by_visits', table)
        state.forced = -1 if forced is None else forced
        while self.made < goal and not self.ended:
            self.point('words', arena.words)
            state.room, state.used, state.nodes_left = len(arena.words) - SLACK, arena.used, self.room
            state.iterations, state.before = goal - self.made, self.made
            self.code.functions['search'](ctypes.byref(state))
            arena.used = state.used
            arena.nodes += self.room - state.nodes_left
            self.room = state.nodes_left
            self.made += state.made
            status = state.status
            if status == statuses.TREE_IS_FULL:
                arena.grow()
            elif status == statuses.PATH_IS_FULL:
                self.point('path', np.empty(2 * len(self.kept['path']), np.int32))
                state.levels = len(self.kept['path']) // 4
            elif status == statuses.LINE_IS_FULL:
                self.point('line', np.empty(2 * len(self.kept['line']), np.int32))
                state.line_room = len(self.kept['line'])
            elif status in (statuses.NODES_ARE_MADE, statuses.RESOLVED):
                self.ended = True
            elif status != statuses.DONE:
                raise RuntimeError(f'status {status}')
        return self

    def stats(self) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves."""
        return self.arena.stats(self.root.moves, self.structure)

    def finish(self) -> tuple[Node, R]:
        """Return the tree, and the generator to use next; the array must not change afterwards."""
        policy, rules = self.structure.policy, cast('IntegerRules', rules_of(self.root.state))
        memory = self.root.columns.memory  # kept if the search made no iterations
        if self.made:
            memory = as_values(policy.memories, self.kept['memory'], rules.keys)
        tree = self.arena.frozen(self.root, self.structure, memory)
        return tree, generator_of(self.rng, self.state.first, self.state.second)


def begin(root: Node, rng: R, search: Search) -> Linked[R]:
    """Return a search from that root, before its first iteration, with its machine code."""
    state = root.state
    rules = cast('IntegerRules', rules_of(state))
    seats = len(players_of(state)) if has_rewards(state) else 0
    structure = structure_of(search, rules, unvisited=True, seats=seats)
    arena = tree_for(root, rules, structure, search.iterations)
    arena.unvisited = arena.unvisited or search.expands == 'full'
    if not (arena.unvisited or search.expands == 'selected'):
        structure = structure_of(search, rules, unvisited=False, seats=seats)
    memory = as_array(search.policy.memories, root.columns.memory, rules.keys)
    code = code_of(state, rng, search, rules, structure)
    room = min(search.max_nodes or UNLIMITED, UNLIMITED) - arena.nodes
    given = State(known=0, root_mover=player_number(state, root.mover), max_plies=min(search.max_plies, UNLIMITED))
    session = Linked(root, search, structure, arena, code, rng, room, given, {})
    stamped = 2 if structure.remembers else 1 if structure.traces else 0
    method, table = search.method, search.method.table
    for name, numbers in (
        ('numbers', () if isinstance(method, Rule) else method.parameters.values()),
        ('table_numbers', table.parameters.values() if table else ()),
        ('policy_numbers', search.policy.numbers),
        ('memory_numbers', chain.from_iterable(each.parameters.values() for each in search.policy.memories)),
        ('derived_numbers', chain.from_iterable(each.parameters.values() for each in search.derived)),
        ('memory', memory),
        ('by_visits', ()),
    ):
        session.point(name, np.array([*numbers], np.float64))
    session.point('path', np.empty(4 * 64, np.int32))
    session.point('stamps', np.zeros(max(4, 2 * rules.keys * stamped), np.int32))
    session.point('line', np.empty(64, np.int32))
    session.point('guesses', np.zeros(searches.GUESSES, np.int32))
    session.point('root', np.array(integers_of(rules.pack(state)), np.int64))
    given.levels, given.line_room = 64, 64
    given.cut_after = search.evaluate_after
    given.first, given.second = words_of(rng)
    return session
