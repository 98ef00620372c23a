"""Searches with a network: machine code descends and backs up, Python calls the network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Generic, Self, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from attrs import define, field

from fmcts._compiled import batches, statuses
from fmcts._compiled.calls import broken_rules, broken_search, call, make
from fmcts._compiled.engine import UNLIMITED, current_structure, numbers_in, tree_for
from fmcts._compiled.selection import guess_count
from fmcts._compiled.structure import Structure, without_network
from fmcts._compiled.tree.arena import Arena
from fmcts._compiled.visit_tables import logarithms, table_for
from fmcts._content.remembered import keep
from fmcts._numba.cache.current import current_rules
from fmcts._numba.positions import fields_of
from fmcts.rng._protocol import R
from fmcts.rules import IntegerRules, rules_of, side_of
from fmcts.search._analysis import MoveStats
from fmcts.search._description import Search
from fmcts.search._tree import Node
from fmcts.search.networks import as_rows, shaped, wrong_width

Reals: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

Outputs: TypeAlias = tuple[Reals, bool, Integers, Reals, int]
"""Priors, whether a state has a column of them and not a row, the widths of the rows if they
differ, values, and the row of the first state of a batch: the last arguments of `credit`."""

DOUBLE: Final = np.dtype(np.float64)
EQUAL: Final = np.empty(0, np.int64)  # instead of the widths of rows that are all as wide

MADE: Final = 64  # structures whose two functions are kept in a process

_made: Final[dict[tuple[object, ...], tuple[Any, Any]]] = {}


def _functions(
    rules: IntegerRules, position: Any, structure: Structure, about: str
) -> tuple[Any, Any]:
    key = (rules, position, *structure.identity)
    if key not in _made:
        arguments = rules, position, structure, about
        keep(_made, key, (batches.make_gather(*arguments), batches.make_credit(*arguments)), MADE)
    return _made[key]


@define
class CompiledBatches(Generic[R]):
    """A running search: machine code grows the tree in an array."""

    root: Node
    search: Search
    structure: Structure
    arena: Arena
    gather: Any
    credit_code: Any
    rng: R
    room: int
    visits: int  # of the root
    mover: int  # who moved to the root
    fields: tuple[int, ...]
    paths: npt.NDArray[np.int32]
    facts: Integers
    leaves: Integers
    worths: Reals
    guesses: npt.NDArray[np.int32]
    table: Reals
    logs: Reals
    numbers: tuple[tuple[Any, ...], ...]
    prepared: int = -1  # `table` and `logs` reach so many visits
    ended: bool = False
    count: int = 0
    counts: Integers = field(factory=lambda: np.zeros(2, np.int64))  # see `descent`

    def advance(self, iterations: int, forced: int | None = None) -> Self:
        """Return the session itself after one batch, of at most `iterations` iterations.

        :raises MethodError: the network does not return priors and values as it should.
        :raises RulesError: the rules on integers break their promises.
        :raises EngineError: the tree grows too large.
        """
        positions = self.collect(self.visits + iterations, forced)
        self.credit(self.answered(self.search.network, [positions])[0])
        return self

    def collect(self, goal: int, forced: int | None = None) -> Integers:
        """Descend for one batch, up to `goal` visits in all; return the positions to evaluate.

        Call `credit` next.
        """
        if goal > self.prepared:  # both grow by doubling
            self.table = table_for(self.structure, goal, self.table)
            self.logs = logarithms(goal + 1)
            self.prepared = goal
        visits, size = self.visits, self.search.batch
        most = min(goal - visits, size - visits % size)
        if len(self.facts) < most:
            self._reserve(most)
        # An array of its own for each batch, as a network may keep or change it.
        asked = np.empty((most, len(self.fields)), np.int64)
        return asked[: self._gathered(asked, most, -1 if forced is None else forced)]

    def _gathered(self, asked: Integers, most: int, forced: int) -> int:
        """Make up to `most` descents; return how many of their ends are in `asked`."""
        root, arena, done, waiting = self.root, self.arena, 0, 0
        while True:
            self.counts[:] = arena.used, self.room
            status, done, waiting = call(
                root.state, self.gather,
                (arena.words, self.counts, self.paths, self.logs, self.guesses, self.table),
                self.numbers[0], (self.fields, self.mover, forced),
                (done, waiting), most,
                (self.facts, self.leaves, asked, self.worths),
            )  # fmt: skip
            arena.used, left = self.counts.tolist()
            arena.nodes += self.room - left
            self.room, self.count = left, done
            if status in (statuses.DONE, statuses.WAITING):
                return waiting
            if status == statuses.TREE_IS_FULL:
                arena.grow()
            elif status == statuses.PATH_IS_FULL:
                self.paths = np.concatenate((self.paths, np.empty_like(self.paths)), axis=1)
            elif status in (statuses.NODES_ARE_MADE, statuses.RESOLVED):
                self.ended = True
                return waiting
            else:
                raise self._broken(status)

    def _reserve(self, most: int) -> None:
        """Make rows for `most` descents."""
        self.paths = np.empty((most, self.paths.shape[1]), np.int32)
        self.facts = np.empty((most, batches.FACTS), np.int64)
        self.leaves = np.empty((most, len(self.fields)), np.int64)
        self.worths = np.empty(most, np.float64)

    def credit(self, outputs: Outputs) -> None:
        """Back up the batch, with the network's outputs for its positions."""
        count = self.count
        if not count:
            return
        state, (numbers, _, derived) = self.root.state, self.numbers
        status, row = call(
            state, self.credit_code, (self.arena.words, self.paths, self.guesses),
            (numbers, derived), (self.fields, self.mover),
            (count, self.facts, self.leaves, self.worths), outputs[:-1], outputs[-1],
        )  # fmt: skip
        if status == statuses.BAD_PRIORS:
            priors, by_columns, widths, _, first = outputs
            facts = self.facts[:count]
            totals = facts[facts[:, batches.ENDED] == 0, batches.TOTAL]
            width = widths[row] if len(widths) else priors.shape[not by_columns]
            raise wrong_width(self.search.network, int(width), int(totals[row - first]))
        if status != statuses.DONE:
            raise self._broken(status)
        self.visits += count

    @staticmethod
    def answered(network: Any, asked: Sequence[Integers]) -> list[Outputs]:
        """Return the network's outputs for several batches, from at most one call."""
        if len(asked) == 1 and len(asked[0]):
            return [(*_outputs_of(network, asked[0]), 0)]
        positions = np.concatenate(asked)
        outputs = _outputs_of(network, positions) if len(positions) else NONE
        first = np.cumsum([0, *map(len, asked)]).tolist()
        return [(*outputs, row) for row in first[:-1]]

    def _broken(self, status: int) -> Exception:
        search, state = self.search, self.root.state
        return broken_search(search, status) or broken_rules(state, status, search.max_plies)

    def stats(self) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves."""
        return self.arena.stats(self.root.moves, self.structure)

    def finish(self) -> tuple[Node, R]:
        """Return the tree, and the generator to use next; the array must not change afterwards."""
        return self.arena.frozen(self.root, self.structure), self.rng


NONE: Final = np.empty((0, 0)), False, EQUAL, np.empty(0)  # the outputs for no positions


def _outputs_of(network: Any, positions: Integers) -> tuple[Reals, bool, Integers, Reals]:
    """Return the network's outputs for the positions, without the row of the first."""
    count = len(positions)
    given = network.function(positions)
    arrays = shaped(given, count)
    if arrays is not None:
        priors, values = arrays
        by_columns = priors.flags.farray
        priors, values = _plain(priors.T if by_columns else priors), _plain(values)
        if batches.sound()(priors, values):
            return priors, by_columns, EQUAL, values
    rows, listed = as_rows(network, given, count)
    widths = np.array([*map(len, rows)], np.int64)
    padded = np.zeros((count, int(widths.max())))
    for row, width, out in zip(rows, widths, padded, strict=True):
        out[:width] = row
    return padded, False, widths, np.array(listed)


def _plain(array: Any) -> Reals:
    """Return an array as machine code takes it: the array itself, if it is one."""
    if array.dtype is DOUBLE and array.flags.carray:
        return cast('Reals', array)
    return np.array(array, dtype=np.float64, order='C')


def begin(root: Node, rng: R, search: Search) -> CompiledBatches[R]:
    """Return a search from that root, before its first iteration, with its machine code.

    :raises RulesError: the rules on integers cannot be compiled, or disagree with a state.
    :raises EngineError: the tree to continue is too large.
    """
    rules = current_rules(cast('IntegerRules', rules_of(root.state)))
    position = rules.pack(root.state)
    plain = without_network(search)
    structure = current_structure(plain, rules.keys, unvisited=True)
    arena = tree_for(root, rules, structure, search.iterations)
    about = f'{type(root.state).__name__}, batches'
    gather, credit = make(root.state, _functions, rules, type(position), structure, about)
    fields = fields_of(position)
    return CompiledBatches(
        root,
        search,
        structure,
        arena,
        gather,
        credit,
        rng,
        min(search.max_nodes or UNLIMITED, UNLIMITED) - arena.nodes,
        root.visits,
        side_of(root.mover),
        fields,
        np.empty((0, 32 * structure.schema.stride), np.int32),
        np.empty((0, batches.FACTS), np.int64),
        np.empty((0, len(fields)), np.int64),
        np.empty(0, np.float64),
        np.zeros(guess_count(structure), np.int32),
        np.empty(0, np.float64),
        np.empty(0, np.float64),
        numbers_in(plain),
    )
