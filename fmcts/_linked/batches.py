"""Searches with a network: machine code descends and backs up, Python calls the network."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any, Final, NamedTuple, Self, cast

import numpy as np
from attrs import define, field

from fmcts._engines import batched
from fmcts._linked.engine import LEVEL, NONE, Array, I, LinkedSession, P, State, begun
from fmcts._linked.statuses import Fault, Status, error_of
from fmcts.rng import R
from fmcts.rules import IntegerRules, rules_of
from fmcts.search import Node, Search
from fmcts.search.networks import as_arrays, as_rows, wrong_width

DESCENT: Final = np.dtype(
    [(name, np.int64) for name in ('depth', 'finished', 'block', 'total', 'side')]
    + [('worth', np.float64)]
)
"""As `Descent` in `search.c`."""


class Batch(ctypes.Structure):
    """As `Batch` in `search.c`."""

    _fields_ = (
        ('search', State), ('descents', P), ('paths', P), ('leaves', P), ('asked', P), ('most', I),
        ('done', I), ('waiting', I), ('priors', P), ('values', P), ('widths', P), ('rows', I),
        ('columns', I), ('by_columns', I), ('row', I),
    )  # fmt: skip


class Outputs(NamedTuple):
    """What a network said of several batches: priors, a row for each position, and values.

    `widths`: of the rows, if they differ; `first`: the row of the first position of a batch.
    """

    priors: Array
    values: Array
    widths: Array | None = None
    first: int = 0


@define
class CompiledBatches(LinkedSession[R]):
    """A search with a network. `steps` are the goals of the batches so far."""

    batch: Batch  # of which the state is the first part
    visits: int  # of the root
    steps: list[tuple[int, int | None]] = field(factory=list)

    @property
    def width(self) -> int:
        """The number of integers in a position."""
        rules = cast('IntegerRules', rules_of(self.root.state))
        return len(rules.pack(self.root.state))

    def advance(self, iterations: int, forced: int | None = None) -> Self:
        """Return the session itself after one batch, of at most `iterations` iterations.

        :raises MethodError: the network does not return priors and values as it should.
        :raises RulesError: the rules on integers break their promises.
        :raises EngineError: the tree grows too large.
        """
        positions = self.collect(self.visits + iterations, forced)
        self.credit(self.answered(self.search.network, [positions])[0])
        return self

    def collect(self, goal: int, forced: int | None = None) -> Array:
        """Descend for one batch, up to `goal` visits in all; return the positions to evaluate.

        Call `credit` next.
        """
        return collect_all([self], [(goal, forced)])[0]

    def _begin_in_place(self) -> None:
        """Let a search in place make the iterations before the present batch."""
        self.inner = batched.begin('inplace', self.root, self.rng, self.search)
        for goal, forced in self.steps:
            while self.inner.visits < min(goal, self.visits):
                self._batch_in_place(goal, forced)

    def _batch_in_place(self, goal: int, forced: int | None) -> None:
        inner = self.inner
        asked = inner.collect(goal, forced)
        inner.credit(inner.answered(inner.batches.network, [asked])[0])

    def _start(self, goal: int, forced: int | None) -> None:
        """Make ready for the descents of a batch."""
        batch, size, visits = self.batch, self.search.batch, self.visits
        most = min(goal - visits, size - visits % size)
        if len(self.kept['descents']) < most:
            self._reserve(most)
        # An array of its own for each batch, as a network may keep or change it.
        self.kept['asked'] = asked = np.empty((most, self.width), np.int64)
        batch.asked = asked.ctypes.data
        batch.most, batch.done, batch.waiting, batch.row = most, 0, 0, 0
        self.state.forced = -1 if forced is None else forced
        self.before_call(goal)

    def _gathered(self) -> Array:
        """Return the positions to evaluate, after a call that descended."""
        while self.after_call():
            self.before_call(0)
            _call('gather_all', [self])
        return self.kept['asked'][: self.batch.waiting]

    def _reserve(self, most: int) -> None:
        """Make rows for `most` descents."""
        kept, width = self.kept, self.width
        kept['descents'] = np.zeros(most, DESCENT)
        kept['leaves'] = np.empty((most, width), np.int64)
        kept['paths'] = np.empty((most, LEVEL * self.state.levels), np.int32)
        for name in ('descents', 'leaves', 'paths'):
            setattr(self.batch, name, kept[name].ctypes.data)

    def lengthen_paths(self) -> None:
        """Make room for paths of `levels`, twice as many as before."""
        paths = self.kept['paths']
        self.kept['paths'] = np.concatenate((paths, np.empty_like(paths)), axis=1)
        self.batch.paths = self.kept['paths'].ctypes.data

    def credit(self, outputs: Outputs) -> None:
        """Back up the batch, with the network's outputs for its positions."""
        credit_all([self], [outputs])

    def _credit_in_place(self) -> None:
        if self.inner is None:
            self._begin_in_place()
        self._batch_in_place(*self.steps[-1])
        self.visits, self.ended = self.inner.visits, self.inner.ended

    def _take(self, outputs: Outputs) -> None:
        """Let the batch point to what the network said."""
        batch, (priors, values, widths, first) = self.batch, outputs
        batch.by_columns = priors.flags.f_contiguous and not priors.flags.c_contiguous
        batch.priors, batch.values = priors.ctypes.data, values.ctypes.data
        batch.widths = None if widths is None else widths.ctypes.data
        (batch.rows, batch.columns), batch.row = priors.shape, first
        self.state.words = self.arena.words.ctypes.data

    def _credited(self, outputs: Outputs) -> None:
        """Heed the status of a call that backed up."""
        batch, status = self.batch, self.state.status
        if status == Status.BAD_PRIORS:
            made = self.kept['descents'][: batch.done]
            totals, widths = made['total'][made['finished'] == 0], outputs.widths
            width = batch.columns if widths is None else int(widths[batch.row])
            moves = int(totals[batch.row - outputs.first])
            raise wrong_width(self.search.network, width, moves)
        if status == Status.FAULT:
            raise Fault
        if status != Status.DONE:
            raise error_of(status, self.root.state, self.search)
        self.visits += batch.done

    @staticmethod
    def answered(network: Any, asked: Sequence[Array]) -> list[Outputs]:
        """Return the network's outputs for several batches, from at most one call."""
        positions = asked[0] if len(asked) == 1 else np.concatenate(asked)
        outputs = (
            outputs_of(network, positions) if len(positions) else Outputs(np.empty((0, 0)), NONE)
        )
        first = np.cumsum([0, *map(len, asked)]).tolist()
        return [outputs._replace(first=row) for row in first[:-1]]

    def finish(self) -> tuple[Node, R]:
        """Return the tree, and the generator to use next; the array must not change afterwards."""
        if self.inner is not None:
            return self.inner.finish()  # type: ignore[no-any-return]
        return self.arena.frozen(self.root, self.structure), self.rng


def collect_all(
    sessions: Sequence[CompiledBatches[Any]],
    goals: Sequence[tuple[int, int | None]],
    threads: Executor | None = None,
    share: int = 1,
) -> list[Array]:
    """Return what `collect` of each session returns for its goal, descending by one call.

    With `threads`, each of them makes a call for a `share` of the sessions.
    """
    linked = [session for session in sessions if session.inner is None]
    for session, (goal, forced) in zip(sessions, goals, strict=True):
        if session.steps[-1:] != [(goal, forced)]:
            session.steps.append((goal, forced))
        if session.inner is None:
            session._start(goal, forced)  # noqa: SLF001 - of this module
    _call('gather_all', linked, threads, share)
    found = []
    for session in sessions:
        asked = np.empty((0, session.width), np.int64)
        if session.inner is None:
            try:
                asked = session._gathered()  # noqa: SLF001
            except Fault:
                session._begin_in_place()  # noqa: SLF001
        found.append(asked)
    return found


def credit_all(
    sessions: Sequence[CompiledBatches[Any]],
    outputs: Sequence[Outputs],
    threads: Executor | None = None,
    share: int = 1,
) -> None:
    """Do what `credit` of each session does with its outputs, backing up by one call."""
    pairs = [*zip(sessions, outputs, strict=True)]
    linked = [(one, each) for one, each in pairs if one.inner is None and one.batch.done]
    for session, each in linked:
        session._take(each)  # noqa: SLF001
    _call('credit_all', [session for session, _ in linked], threads, share)
    for session, each in pairs:
        if session.inner is not None:
            session._credit_in_place()  # noqa: SLF001
        elif session.batch.done:
            try:
                session._credited(each)  # noqa: SLF001
            except Fault:
                session._credit_in_place()  # noqa: SLF001


class Many(ctypes.Structure):
    """As `Many` in `search.c`."""

    _fields_ = (('batches', P), ('count', I))


def _call(
    name: str,
    sessions: Sequence[CompiledBatches[Any]],
    threads: Executor | None = None,
    share: int = 1,
) -> None:
    """Call a function for many sessions, whose machine code is the same."""
    if not sessions:
        return
    addresses = np.array([ctypes.addressof(session.batch) for session in sessions], np.uint64)
    function = sessions[0].code.functions[name]
    count = len(sessions) if threads is None else max(1, share)
    parts = [addresses[first : first + count] for first in range(0, len(sessions), count)]
    given = [Many(part.ctypes.data, len(part)) for part in parts]
    if threads is None:
        function(ctypes.byref(given[0]))
    else:
        list(threads.map(lambda each: function(ctypes.byref(each)), given))


def outputs_of(network: Any, positions: Array) -> Outputs:
    """Return the network's outputs for the positions.

    :raises MethodError: they are not priors and values as they should be.
    """
    count = len(positions)
    given = network.function(positions)
    arrays = as_arrays(given, count)
    if arrays is not None:
        priors, values = arrays
        return Outputs(priors, np.ascontiguousarray(values))
    rows, listed = as_rows(network, given, count)
    widths = np.array([*map(len, rows)], np.int64)
    padded = np.zeros((count, int(widths.max())))
    for row, width, out in zip(rows, widths, padded, strict=True):
        out[:width] = row
    return Outputs(padded, np.array(listed), widths)


def begin(root: Node, rng: R, search: Search) -> CompiledBatches[R]:
    """Return a search from that root, before its first iteration, with its machine code.

    :raises RulesError: the rules on integers cannot be compiled, or disagree with a state.
    :raises EngineError: the tree to continue is too large.
    """
    *first, state, kept = begun(root, rng, search, batched=True)
    kept['descents'] = np.zeros(0, DESCENT)
    batch, made = Batch(search=state), cast('Any', CompiledBatches)
    return made(*first, batch.search, kept, batch, root.visits)  # type: ignore[no-any-return]
