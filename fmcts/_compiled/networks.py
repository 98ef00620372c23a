"""Searches with a network: machine code descends and backs up, Python calls the network."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, Generic, Self, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from attrs import define

from fmcts._compiled import batches, statuses
from fmcts._compiled.by_visits import table_for
from fmcts._compiled.calls import broken_rules, broken_search, call, make
from fmcts._compiled.engine import UNLIMITED, current_structure, numbers_in, tree_for
from fmcts._compiled.guesses import how_many
from fmcts._compiled.logs import logarithms
from fmcts._compiled.structure import Structure, without_network
from fmcts._compiled.tree.arena import Arena
from fmcts._content.remembered import keep
from fmcts._numba.cache.current import current_rules
from fmcts._numba.positions import fields_of
from fmcts.rng._protocol import R
from fmcts.rules import IntegerRules, rules_of, side_of
from fmcts.search._analysis import MoveStats
from fmcts.search._description import Search
from fmcts.search._tree import Node
from fmcts.search.networks import as_rows, shaped, wrong_width

Outputs: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.float64]]
"""Rows of priors, the width of each row or of all, and values."""

MADE: Final = 64  # structures whose two functions are kept in a process

_made: Final[dict[tuple[object, ...], tuple[Any, Any]]] = {}


def _functions(
    rules: IntegerRules, position: Any, structure: Structure, about: str
) -> tuple[Any, Any]:
    key = (rules, position, *structure.parts)
    if key not in _made:
        parts = rules, position, structure, about
        keep(_made, key, (batches.make_gather(*parts), batches.make_credit(*parts)), MADE)
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
    made: int
    fields: tuple[int, ...]
    paths: npt.NDArray[np.int32]
    facts: npt.NDArray[np.int64]
    leaves: npt.NDArray[np.int64]
    asked: npt.NDArray[np.int64]
    worths: npt.NDArray[np.float64]
    guesses: npt.NDArray[np.int32]
    table: npt.NDArray[np.float64]
    numbers: tuple[tuple[Any, ...], ...]
    ended: bool = False
    count: int = 0

    @property
    def visits(self) -> int:
        """The visits of the root."""
        return self.root.visits + self.made

    def advance(self, iterations: int, forced: int | None = None) -> Self:
        """Return the session itself, after `iterations` more iterations.

        :raises MethodError: the network does not return priors and values as it should.
        :raises RulesError: the rules on integers break their promises.
        :raises EngineError: the tree grows too large.
        """
        goal = self.visits + iterations
        while self.visits < goal and not self.ended:
            positions = self.collect(goal, forced)
            self.credit(self.answered(self.search.network, [positions])[0])
        return self

    def collect(self, goal: int, forced: int | None = None) -> npt.NDArray[np.int64]:
        """Descend for one batch, up to `goal` visits in all; return the positions to evaluate.

        Call `credit` next.
        """
        size, logs = self.search.batch, logarithms(goal + 1)
        self.table = table_for(self.structure, goal, self.table)
        most = min(goal - self.visits, size - self.visits % size)
        self.count = self._gathered(logs, most, -1 if forced is None else forced)
        waiting = self.facts[self.count - 1, batches.ASKED] if self.count else 0
        return self.asked[:waiting].copy()  # as a network may keep or change it

    def _gathered(self, logs: npt.NDArray[np.float64], most: int, forced: int) -> int:
        """Make up to `most` descents; return their number."""
        root, arena, done = self.root, self.arena, 0
        self._reserve(most)
        while True:
            status, done, arena.used, left = call(
                root.state, self.gather, arena.words, self.paths, logs, self.guesses, self.table,
                self.numbers[0], self.fields, side_of(root.mover), arena.used, self.room, done,
                most, forced, self.facts, self.leaves, self.asked, self.worths,
            )  # fmt: skip
            arena.nodes += self.room - left
            self.room = left
            if status == statuses.TREE_IS_FULL:
                arena.grow()
            elif status == statuses.PATH_IS_FULL:
                self.paths = np.concatenate((self.paths, np.empty_like(self.paths)), axis=1)
            elif status in (statuses.DONE, statuses.WAITING):
                return int(done)
            elif status in (statuses.NODES_ARE_MADE, statuses.SETTLED):
                self.ended = True
                return int(done)
            else:
                raise self._broken(status)

    def _reserve(self, most: int) -> None:
        """Make sure that there are rows for `most` descents."""
        if len(self.facts) < most:
            self.paths = np.empty((most, self.paths.shape[1]), np.int32)
            self.facts = np.empty((most, batches.FACTS), np.int64)
            self.leaves = np.empty((most, len(self.fields)), np.int64)
            self.asked = np.empty_like(self.leaves)
            self.worths = np.empty(most, np.float64)

    def credit(self, outputs: Outputs) -> None:
        """Back up the batch, with the network's outputs for its positions."""
        count = self.count
        if not count:
            return
        root, (numbers, _, derived) = self.root, self.numbers
        status, row = call(
            root.state, self.credit_code, self.arena.words, self.paths, self.guesses, numbers,
            derived, self.fields, side_of(root.mover), count, self.facts, self.leaves, self.worths,
            *outputs,
        )  # fmt: skip
        if status == statuses.BAD_PRIORS:
            facts, widths = self.facts[:count], outputs[1]
            totals = facts[facts[:, batches.ENDED] == 0, batches.TOTAL]
            width = int(widths[min(row, len(widths) - 1)])
            raise wrong_width(self.search.network, width, int(totals[row]))
        if status != statuses.DONE:
            raise self._broken(status)
        self.made += count

    @staticmethod
    def answered(network: Any, asked: Sequence[npt.NDArray[np.int64]]) -> list[Outputs]:
        """Return the network's outputs for several batches, from at most one call."""
        positions = np.concatenate(asked) if len(asked) > 1 else asked[0]
        if not len(positions):
            return [(np.empty((0, 0)), np.empty(0, np.int64), np.empty(0)) for _ in asked]
        priors, widths, values = _outputs_of(network, positions)
        if len(asked) == 1:
            return [(priors, widths, values)]
        ends = np.cumsum([0, *map(len, asked)])
        return [
            (priors[begin:end], widths[begin:end] if len(widths) > 1 else widths, values[begin:end])
            for begin, end in pairwise(ends.tolist())
        ]

    def _broken(self, status: int) -> Exception:
        search, state = self.search, self.root.state
        return broken_search(search, status) or broken_rules(state, status, search.max_plies)

    def stats(self) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves."""
        return self.arena.stats(self.root.moves, self.structure)

    def finish(self) -> tuple[Node, R]:
        """Return the tree, and the generator to use next; the array must not change afterwards."""
        return self.arena.frozen(self.root, self.structure), self.rng


def _outputs_of(network: Any, positions: npt.NDArray[np.int64]) -> Outputs:
    """Return the priors of the positions, the widths of their rows, and the values."""
    count = len(positions)
    given = network.function(positions)
    arrays = shaped(given, count)
    if arrays is not None:
        priors, values = map(_plain, arrays)
        if batches.sound()(priors, values):
            return priors, np.array(priors.shape[1:], np.int64), values
    rows, listed = as_rows(network, given, count)
    widths = np.array([*map(len, rows)], np.int64)
    padded = np.zeros((count, int(widths.max())))
    for row, width, out in zip(rows, widths, padded, strict=True):
        out[:width] = row
    return padded, widths, np.array(listed)


def _plain(array: Any) -> npt.NDArray[np.float64]:
    """Return an array as machine code takes it: the array itself, if it is one."""
    if type(array) is np.ndarray and array.dtype == np.float64 and array.flags.carray:
        return array
    return np.array(array, dtype=np.float64, order='C', subok=False)


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
        0,
        fields,
        np.empty((0, 32 * structure.stride), np.int32),
        np.empty((0, batches.FACTS), np.int64),
        np.empty((0, len(fields)), np.int64),
        np.empty((0, len(fields)), np.int64),
        np.empty(0, np.float64),
        np.zeros(how_many(structure), np.int32),
        np.empty(0, np.float64),
        numbers_in(plain),
    )
