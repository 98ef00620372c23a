"""The compiled engine: a session whose iterations run in linked machine code."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from itertools import chain
from typing import Any, Final, Generic, Self, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from attrs import define, field

from fmcts._engines import inplace
from fmcts._linked.codes import code_of
from fmcts._linked.link import Code
from fmcts._linked.logarithms import logarithms
from fmcts._linked.memory import as_array, as_values
from fmcts._linked.searches import GUESSES
from fmcts._linked.statuses import Status, broken_rules, error_of
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

P, I, D, U = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double, ctypes.c_uint64
UNLIMITED: Final = 2**62
SLACK: Final = 32  # words behind a tree, as eight are read at once
LEVELS: Final = 64  # of a path, and moves of a line, at first
LEVEL: Final = 4  # words

Array: TypeAlias = npt.NDArray[Any]
NONE: Final = np.zeros(0)


class State(ctypes.Structure):
    """The argument of `search` in `search.c`; its pointers are to NumPy's arrays in `kept`."""

    _fields_ = (
        ('words', P), ('room', I), ('used', I), ('nodes_left', I), ('path', P), ('levels', I),
        ('logs', P), ('by_visits', P), ('known', I), ('stamps', P), ('memory', P), ('line', P),
        ('line_room', I), ('guesses', P), ('trail', P), ('numbers', P), ('table_numbers', P),
        ('policy_numbers', P), ('memory_numbers', P), ('derived_numbers', P), ('root', P),
        ('first', U), ('second', U), ('root_mover', I), ('forced', I), ('max_plies', I),
        ('before', I), ('iterations', I), ('made', I), ('cut_after', D), ('status', I),
        ('faults', I),
    )  # fmt: skip

    def point(self, kept: dict[str, Array], **arrays: Array) -> None:
        """Let pointers point to arrays, which are kept as long as `kept`."""
        kept.update(arrays)
        for name, array in arrays.items():
            setattr(self, name, array.ctypes.data)

    def seed(self, rng: Any) -> None:
        """Take the words of a generator."""
        words = (rng.state, rng.gamma) if isinstance(rng, SplitMix) else (rng.s1, rng.s2)
        self.first, self.second = words

    def generator(self, like: Any) -> Any:
        """Return the generator, of the class of another."""
        made: Any = made_of if isinstance(like, SplitMix) else StdGen
        return made(self.first, self.second)


def integers_of(position: Any) -> list[int]:
    """Return the fields of a position as signed 64-bit integers with the same bits."""
    return [(each + (1 << 63)) % (1 << 64) - (1 << 63) for each in fields_of(position)]


def reals(numbers: Iterable[float]) -> Array:
    """Return numbers as an array of doubles."""
    return np.fromiter(numbers, np.float64)


def state_of(search: Search, rules: IntegerRules, root: Node, kept: dict[str, Array]) -> State:
    """Return the state of a search before its first iteration, without a tree."""
    method, table, policy = search.method, search.method.table, search.policy
    given = State(
        root_mover=player_number(root.state, root.mover),
        max_plies=min(search.max_plies, UNLIMITED),
        cut_after=search.evaluate_after,
    )
    given.point(
        kept,
        numbers=reals(() if isinstance(method, Rule) else method.parameters.values()),
        table_numbers=reals(table.parameters.values() if table else ()),
        policy_numbers=reals(policy.numbers),
        memory_numbers=reals(chain.from_iterable(it.parameters.values() for it in policy.memories)),
        derived_numbers=reals(chain.from_iterable(it.parameters.values() for it in search.derived)),
        by_visits=NONE,
        root=np.array(integers_of(rules.pack(root.state)), np.int64),
    )
    return given


@define
class Compiled(Generic[R]):
    """A running search: machine code grows the tree in an array.

    `kept` has the arrays to which the state points. `inner`: after a fault in a user's function,
    the search in place that goes on, where Python raises the user's own error.
    """

    root: Node
    search: Search
    structure: Structure
    arena: Arena
    code: Code
    rng: R
    room: int
    state: State
    kept: dict[str, Array]
    made: int = 0
    ended: bool = False
    trail: Array | None = None  # a row for each iteration; see `trail`
    inner: Any = field(default=None)

    @property
    def visits(self) -> int:
        """The visits of the root."""
        return self.inner.visits if self.inner else self.root.visits + self.made

    def advance(self, iterations: int, forced: int | None = None) -> Self:
        """Return the session itself, after `iterations` more iterations.

        :raises EndlessGameError: a game is not over after `max_plies` plies of a playout.
        :raises RulesError: the rules on integers break their promises.
        :raises EngineError: the tree grows too large.
        """
        state, arena, kept = self.state, self.arena, self.kept
        goal = self.made + iterations
        self._make_room(goal)
        state.forced = -1 if forced is None else forced
        while self.made < goal and not self.ended and self.inner is None:
            state.point(kept, words=arena.words)
            state.room, state.used, state.nodes_left = (
                len(arena.words) - SLACK,
                arena.used,
                self.room,
            )
            state.iterations, state.before = goal - self.made, self.made
            self.code.functions['search'](ctypes.byref(state))
            arena.used = state.used
            arena.nodes += self.room - state.nodes_left
            self.room = state.nodes_left
            self.made += state.made
            self._heed(state.status)
        if self.inner is not None and self.made < goal:
            self.inner = self.inner.advance(goal - self.made, forced)
            self.made, self.ended = goal, self.inner.ended
        return self

    def _make_room(self, goal: int) -> None:
        """Make arrays large enough for so many iterations in all."""
        visits = self.root.visits + goal
        self.state.point(self.kept, logs=logarithms(visits + 1))
        known = self.kept['by_visits']
        if self.structure.method.counts and len(known) < visits + 2:
            more = np.zeros(2 * (visits + 2))
            more[: len(known)] = known
            self.state.point(self.kept, by_visits=more)
        if self.trail is not None:
            self.trail.resize(TRAIL * goal, refcheck=False)
            self.state.trail = self.trail.ctypes.data

    def _heed(self, status: int) -> None:
        state, kept = self.state, self.kept
        match status:
            case Status.DONE:
                return
            case Status.TREE_IS_FULL:
                self.arena.grow()
            case Status.PATH_IS_FULL:
                state.levels *= 2
                state.point(kept, path=np.empty(LEVEL * state.levels, np.int32))
            case Status.LINE_IS_FULL:
                state.line_room *= 2
                state.point(kept, line=np.empty(state.line_room, np.int32))
            case Status.NODES_ARE_MADE | Status.RESOLVED:
                self.ended = True
            case Status.FAULT:
                self.inner = inplace.begin(*self._frozen(), self.search)
            case _:
                raise error_of(status, self.root.state, self.search)

    def stats(self) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves."""
        if self.inner is not None:
            return self.inner.stats()  # type: ignore[no-any-return]
        return self.arena.stats(self.root.moves, self.structure)

    def finish(self) -> tuple[Node, R]:
        """Return the tree, and the generator to use next; the array must not change afterwards."""
        return self.inner.finish() if self.inner is not None else self._frozen()

    def _frozen(self) -> tuple[Node, R]:
        memory = self.root.columns.memory  # kept if the search made no iterations
        if self.made:
            keys = cast('IntegerRules', rules_of(self.root.state)).keys
            memory = as_values(self.structure.policy.memories, self.kept['memory'], keys)
        tree = self.arena.frozen(self.root, self.structure, memory)
        return tree, self.state.generator(self.rng)


def begin(root: Node, rng: R, search: Search) -> Compiled[R]:
    """Return a search from that root, before its first iteration, with its machine code.

    :raises RulesError: the rules on integers cannot be compiled, or disagree with a state.
    :raises EngineError: the tree to continue is too large.
    """
    rules = cast('IntegerRules', rules_of(root.state))  # `unsupported` checked this
    seats = len(players_of(root.state)) if has_rewards(root.state) else 0
    structure = structure_of(search, rules, unvisited=True, seats=seats)
    arena = tree_for(root, rules, structure, search.iterations)
    arena.unvisited = arena.unvisited or search.expands == 'full'
    if not (arena.unvisited or search.expands == 'selected'):
        structure = structure_of(search, rules, unvisited=False, seats=seats)
    memory = as_array(search.policy.memories, root.columns.memory, rules.keys)
    if memory is None:
        raise broken_rules(Status.BAD_KEY, root.state)
    code = code_of(root.state, rng, search, rules, structure)
    kept: dict[str, Array] = {}
    state = state_of(search, rules, root, kept)
    state.seed(rng)
    state.levels = state.line_room = LEVELS
    stamps = 4 * rules.keys if structure.remembers else 2 * rules.keys if structure.traces else 0
    state.point(
        kept,
        path=np.empty(LEVEL * LEVELS, np.int32),
        stamps=np.zeros(max(4, stamps), np.int32),
        memory=memory,
        line=np.empty(LEVELS, np.int32),
        guesses=np.zeros(0 if structure.plain else GUESSES, np.int32),
    )
    room = min(search.max_nodes or UNLIMITED, UNLIMITED) - arena.nodes
    return Compiled(root, search, structure, arena, code, rng, room, state, kept)


TRAIL: Final = 6
"""The words of a row of the trail; see `record` in `search.c`."""
