"""The compiled engine's interface to Python: an array, and machine code that grows a tree in it."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import chain
from typing import Any, Final, Generic, Self, cast

import numpy as np
import numpy.typing as npt
from attrs import define, evolve, field, frozen

from fmcts._compiled import loop, statuses
from fmcts._compiled.backup import ROW
from fmcts._compiled.calls import broken_rules, broken_search, call, make
from fmcts._compiled.memory import NO_TABLE, as_array, as_values
from fmcts._compiled.names import stamp_of
from fmcts._compiled.selection import guess_count
from fmcts._compiled.structure import Functions, Structure, formulas_of, functions_of, structure_of
from fmcts._compiled.tree.entries import entries_of
from fmcts._compiled.tree.layout import SLACK
from fmcts._compiled.visit_tables import table_for
from fmcts._content.remembered import keep, remembered_while
from fmcts._engines.final import preferred
from fmcts._engines.outcomes import check_policy
from fmcts._engines.plan import fitted
from fmcts._linked.logarithms import logarithms
from fmcts._linked.tree.arena import AHEAD, LEAST, Arena, loaded, reserve, resumed
from fmcts._linked.tree.nodes import LazyNode
from fmcts._linked.tree.places import VISITS, cell, first
from fmcts._linked.tree.store import Store
from fmcts._numba.cache.current import current, current_rules
from fmcts._numba.generators import exact, generator_of, kind_of, words_of
from fmcts._numba.positions import fields_of
from fmcts._numba.traced import Traced
from fmcts.game import (
    GameState,
    Player,
    checked_moves,
    checked_player,
    has_rewards,
    players_of,
)
from fmcts.rng._protocol import R
from fmcts.rules import IntegerRules, player_number, rules_of
from fmcts.search._analysis import MoveStats
from fmcts.search._description import Search
from fmcts.search._tree import Node, plant

UNUSED: Final = np.empty(0, np.int32)  # for what the search does not write
PATH: Final = 128  # integers for a path or a line, at first
UNLIMITED: Final = 1 << 62  # nodes, or plies


LOOPS: Final = 256  # structures whose loops are kept in a process

_loops: Final[dict[tuple[object, ...], Any]] = {}


def _key(
    rules: IntegerRules, position: Any, generator: Any, structure: Structure
) -> tuple[object, ...]:
    """Return the key of a loop."""
    return rules, position, generator, *structure.identity


def _loop(
    rules: IntegerRules, position: Any, generator: Any, structure: Structure, about: str
) -> Any:
    """Return the loop, made once for each structure; it does not depend on parameters.

    If there are many structures, such as rules drawn at random, the oldest is dropped.
    """
    key = _key(rules, position, generator, structure)
    if key not in _loops:
        made = loop.make_loop(rules, position, generator, structure, about)
        keep(_loops, key, made, LOOPS)
        return made
    return _loops[key]


@define
class Compiled(Generic[R]):
    """A running search: machine code grows the tree in an array."""

    root: Node
    search: Search
    structure: Structure
    arena: Arena
    grow: Any
    words: Any
    room: int
    made: int
    fields: tuple[int, ...]
    path: npt.NDArray[np.int32]
    stamps: npt.NDArray[np.int32]
    memory: npt.NDArray[np.float64]
    line: npt.NDArray[np.int32]
    guesses: npt.NDArray[np.int32]
    table: npt.NDArray[np.float64]
    generator: R
    numbers: tuple[tuple[Any, ...], ...]  # of the method, the policy, and derived statistics
    trail: npt.NDArray[np.int32] = UNUSED  # a row for each iteration; see `backup`
    ended: bool = False
    counts: npt.NDArray[np.int64] = field(factory=lambda: np.zeros(2, np.int64))  # see `descent`

    @property
    def visits(self) -> int:
        """The visits of the root."""
        return self.root.visits + self.made

    def advance(self, iterations: int, forced: int | None = None) -> Self:
        """Return the session itself, after `iterations` more iterations.

        :raises EndlessGameError: a game is not over after `max_plies` plies of a playout.
        :raises RulesError: the rules on integers break their promises.
        :raises EngineError: the tree grows too large.
        """
        root, search, arena = self.root, self.search, self.arena
        goal = self.made + iterations
        logs = logarithms(root.visits + goal + 1)
        self.table = table_for(self.structure, root.visits + goal, self.table)
        index = -1 if forced is None else forced
        if len(self.trail):
            self.trail.resize(max(ROW * goal, len(self.trail)), refcheck=False)
        while self.made < goal and not self.ended:
            self.counts[:] = arena.used, self.room
            status, made, self.words = self._call(logs, goal - self.made, index)
            arena.used, left = self.counts.tolist()
            arena.nodes += self.room - left
            self.room = left
            self.made += made
            if status == statuses.TREE_IS_FULL:
                arena.grow()
            elif status == statuses.PATH_IS_FULL:
                self.path = np.empty(2 * len(self.path), np.int32)
            elif status == statuses.LINE_IS_FULL:
                self.line = np.empty(2 * len(self.line), np.int32)
            elif status in (statuses.NODES_ARE_MADE, statuses.RESOLVED):
                self.ended = True
            elif status != statuses.DONE:
                raise broken_search(search, status) or broken_rules(
                    root.state, status, search.max_plies
                )
        return self

    def _call(self, logs: npt.NDArray[np.float64], iterations: int, index: int) -> Any:
        """Return the result of the machine code; see `loop`."""
        root = self.root
        return call(
            root.state,
            self.grow,
            (
                self.arena.words, self.counts, self.path, logs, self.stamps, self.memory, self.line,
                self.guesses, self.table, self.trail,
            ),
            self.numbers,
            (self.fields, exact(self.words), player_number(root.state, root.mover), index),
            (min(self.search.max_plies, UNLIMITED), self.made, iterations),
        )  # fmt: skip

    def compile(self) -> None:
        """Have the machine code loaded or compiled, if it is not, so that no iteration waits.

        :raises RulesError: the rules on integers cannot be compiled.
        """
        if self.grow.is_made:
            self.grow.note_use()
        else:
            visits = self.root.visits
            self.table = table_for(self.structure, visits, self.table)
            self._call(logarithms(visits + 2), 0, -1)  # long enough to pay for machine code

    def stats(self) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves."""
        return self.arena.stats(self.root.moves, self.structure)

    def finish(self) -> tuple[Node, R]:
        """Return the tree, and the generator to use next; the array must not change afterwards."""
        policy, rules = self.structure.policy, cast('IntegerRules', rules_of(self.root.state))
        memory = self.root.columns.memory  # kept if the search made no iterations
        if self.made:
            memory = as_values(policy.memories, self.memory, rules.keys)
        tree = self.arena.frozen(self.root, self.structure, memory)
        return tree, generator_of(self.generator, self.words)


@frozen(eq=False)
class Prepared(Generic[R]):
    """All that short searches by one description share, in states and with generators of one class.

    `entries` gives the blocks of a new tree for a menu, and `fields` is the class of positions.
    """

    search: Search
    rules: IntegerRules
    fields: type
    structure: Structure
    grow: Any
    numbers: tuple[tuple[Any, ...], ...]
    entries: Callable[[Any], array[int]]

    def decide(self, state: GameState[Any], rng: R) -> tuple[Any, R] | None:
        """Return the move that a short search of a new tree chooses, and the generator to use next.

        The game has none of the members of `ChanceState`. `None`: something is unusual or wrong,
        and the whole search is to handle or to report it.

        :raises GameError: the state breaks a promise of `GameState`.
        """
        search, structure, rules = self.search, self.structure, self.rules
        moves = checked_moves(state)
        mover = int(checked_player(state) is Player.X)  # the other side
        if not moves:
            return None
        position, total, iterations = rules.pack(state), len(moves), search.iterations
        if type(position) is not self.fields:  # another layout, of which the machine code is not
            return None
        block = first(structure.schema.rows)
        if structure.schema.rows:
            arena = loaded(fitted(plant(state), search), rules, structure, iterations)
            words, used = arena.words, arena.used
        else:
            entries = self.entries(rules.menu(position))
            used = len(entries)
            words = reserve(used + SLACK, min(LEAST + used * iterations, AHEAD))
            words[:used] = entries
        if words[block] != total:
            return None
        try:
            memory = as_array(search.policy.memories, (), rules.keys)
            counts = np.array((used, _room(search) - 1), np.int64)
            status, _, after = self.grow(
                (
                    words, counts, np.empty(PATH, np.int32), logarithms(iterations + 1),
                    *_arrays(structure, rules.keys, memory),
                    table_for(structure, iterations, NO_TABLE), UNUSED,
                ),
                self.numbers,
                (fields_of(position), words_of(rng), mover, -1),
                (min(search.max_plies, UNLIMITED), 0, iterations),
            )  # fmt: skip
        except Exception:  # noqa: BLE001 - of the rules, or of a function of the search
            return None
        if status != statuses.DONE:
            return None
        begin = cell(block, total, VISITS, 0)
        visits = words[begin : begin + total].tolist()
        most = max(visits)
        if search.final != 'max' and visits.count(most) == 1:
            move = moves[visits.index(most)]
        else:
            store = Store(words, used, 1, in_order=False, unvisited=False, structure=structure)
            move = preferred(store.visited(block, moves), cast('str', search.final))
        return move, generator_of(rng, after)


def _room(search: Search) -> int:
    """Return the number of nodes that a search may have."""
    return min(search.max_nodes or UNLIMITED, UNLIMITED)


def _arrays(structure: Structure, keys: int, memory: Any) -> tuple[Any, Any, Any, Any]:
    """Return the arrays of stamps, memory, line and guesses; those not used are empty."""
    stamped = 2 if structure.remembers else 1 if structure.traces else 0
    return (
        np.zeros(2 * keys * stamped, np.int32) if stamped else UNUSED,
        memory,
        np.empty(PATH, np.int32) if structure.remembers else UNUSED,
        UNUSED if structure.plain else np.empty(guess_count(structure), np.int32),
    )


def _code_for(
    state: GameState[Any], rng: Any, search: Search, rules: IntegerRules, structure: Structure
) -> Any:
    """Return the loop for searches of such states.

    :raises RulesError: the rules on integers cannot be compiled.
    """
    arguments = rules, type(rules.pack(state)), kind_of(rng), structure
    found = _loops.get(_key(*arguments))
    if found is None:  # usually it exists, and no lock is needed
        found = make(state, _loop, *arguments, f'{type(state).__name__}, {search.expands}')
    return found


def prepared(state: GameState[Any], rng: R, search: Search) -> Prepared[R]:
    """Return what short searches of new trees share, in a game with none of `ChanceState`.

    :raises RulesError: the rules on integers cannot be compiled.
    """
    rules = current_rules(cast('IntegerRules', rules_of(state)))  # `unsupported` checked this
    check_policy(search, state)
    unvisited = search.expands in ('full', 'selected')
    structure = current_structure(search, rules.keys, unvisited=unvisited)
    code = _code_for(state, rng, search, rules, structure)
    kind = type(rules.pack(state))
    return Prepared(search, rules, kind, structure, code, numbers_in(search), entries_of(rules))


def begin(root: Node, rng: R, search: Search) -> Compiled[R]:
    """Return a search from that root, before its first iteration, with its machine code.

    :raises RulesError: the rules on integers cannot be compiled, or disagree with a state.
    :raises EngineError: the tree to continue is too large.
    """
    state = root.state
    rules = current_rules(cast('IntegerRules', rules_of(state)))  # `unsupported` checked this
    check_policy(search, state)
    seats = len(players_of(state)) if has_rewards(state) else 0
    structure = current_structure(search, rules.keys, unvisited=True, seats=seats)
    arena = tree_for(root, rules, structure, search.iterations)
    arena.unvisited = arena.unvisited or search.expands == 'full'
    unvisited = arena.unvisited or search.expands == 'selected'
    if not unvisited:
        structure = current_structure(search, rules.keys, unvisited=False, seats=seats)
    memory = as_array(search.policy.memories, root.columns.memory, rules.keys)
    if memory is None:
        raise broken_rules(state, statuses.BAD_KEY, search.max_plies)
    session = Compiled(
        root, search, structure, arena, _code_for(state, rng, search, rules, structure),
        words_of(rng), _room(search) - arena.nodes, 0, fields_of(rules.pack(state)),
        np.empty(PATH, np.int32), *_arrays(structure, rules.keys, memory), NO_TABLE, rng,
        numbers_in(search),
    )  # fmt: skip
    session.compile()
    return session


def tree_for(root: Node, rules: IntegerRules, structure: Structure, iterations: int) -> Arena:
    """Return the memory of the tree to continue, with room for some more iterations.

    :raises RulesError: the rules on integers contradict a state.
    :raises EngineError: the tree is too large.
    """
    if isinstance(root, LazyNode) and root.block and same_columns(root, structure):
        return resumed(root, structure, iterations)
    return loaded(root, rules, structure, iterations)


def current_structure(search: Search, keys: int, *, unvisited: bool, seats: int = 0) -> Structure:
    """Return the structure of a search (see `structure_of`), with copies of all its functions.

    A user's method is traced for each search, as it may take a number from anywhere.
    """
    formulas = formulas_of(search.method)
    return _structure_with(search, keys, formulas, unvisited=unvisited, seats=seats)


@remembered_while(stamp_of)
def _structure_with(
    search: Search, keys: int, _formulas: tuple[Traced, ...], *, unvisited: bool, seats: int
) -> Structure:
    structure = structure_of(search, keys, unvisited=unvisited, seats=seats)
    functions = functions_of(current(structure.method))
    method, score, *others, first = functions
    return evolve(
        structure,
        policy=current(structure.policy),
        evaluate=current(structure.evaluate, positions=True),
        reward=current(structure.reward, positions=True),
        weighs=tuple(map(current, structure.weighs)),
        updates=tuple(map(current, structure.updates)),
        given=Functions._make(
            (
                method,
                _currents(score, positions=method.together),  # Python's `scores` raise errors too
                *map(_currents, others),
                _currents(first, positions=True),
            )
        ),
    )


def _currents(value: Any, *, positions: bool = False) -> Any:
    if type(value) is tuple:
        return tuple(current(each, positions=positions) for each in value)
    return current(value, positions=positions)


def numbers_in(search: Search) -> tuple[tuple[Any, ...], ...]:
    """Return the parameters of the method, the policy (with their tables), and derived statistics.

    The policy's are preceded by the number of plies after which a playout is evaluated.
    """
    tables = (table.parameters.values() for table in search.policy.memories)
    method, policy = search.method.parameters, search.policy.numbers
    of_table = search.method.table.parameters if search.method.table is not None else {}
    derived = tuple(tuple(each.parameters.values()) for each in search.derived)
    playout = (search.evaluate_after, *policy, *chain.from_iterable(tables))
    return (*method.values(), *of_table.values()), playout, derived


def same_columns(root: LazyNode, structure: Structure) -> bool:
    """Return whether a tree grown here stores this structure's columns in the same places.

    The first numbers of the moves' columns must be compared separately.
    """
    there, here = root.store.structure, structure
    one, two = there.schema, here.schema
    return (one.own, there.traces, there.real) == (two.own, here.traces, here.real) and (
        not (one.moves or two.moves)
        or (there.method == here.method and _first_of(there) == _first_of(here))
    )


def _first_of(structure: Structure) -> object:
    """Return the functions of the first numbers; for an unpickled tree, those of its method."""
    if structure.given:
        return structure.given.first
    return tuple(current(each, positions=True) for each in structure.functions.first)
