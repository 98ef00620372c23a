"""Searches with a network: machine code descends and backs up, Python calls the network."""

from __future__ import annotations

import ctypes
from typing import Any, Final, NamedTuple, cast

import numpy as np
from attrs import define

from fmcts._engines import windows
from fmcts._linked.codes import BATCHES
from fmcts._linked.engine import LEVEL, NONE, Array, LinkedSession, State, begun
from fmcts._linked.layout import c_structure, fields
from fmcts._linked.statuses import Fault, Status, error_of
from fmcts.rng import R
from fmcts.search import Node, Search
from fmcts.search.networks import as_arrays, as_rows, wrong_width

DESCENT: Final = np.dtype([*fields('batches.h', 'Descent')])
Answers: Final = c_structure('batches.h', 'Answers')
Batch: Final = c_structure('batches.h', 'Batch', Search=State)


class Outputs(NamedTuple):
    """The answers of a network for an array of positions: priors, a row for each, and values.

    `widths`: of the rows, if they differ.
    """

    priors: Array
    values: Array
    widths: Array | None = None

    @property
    def answers(self) -> Any:
        """The form for machine code, valid as long as these arrays."""
        arrays = (each if each is None else each.ctypes.data for each in self)
        return Answers(*arrays, self.priors.shape[1])

    def part(self, begin: int, end: int) -> Outputs:
        """Return what it said of some of the positions."""
        widths = self.widths if self.widths is None else self.widths[begin:end]
        return Outputs(self.priors[begin:end], self.values[begin:end], widths)


NOTHING: Final = Outputs(np.empty((0, 0)), NONE)


@define
class CompiledBatches(LinkedSession[R]):
    """A search with a network; its goals are visits of the root."""

    batch: Any  # `Batch`, of which the state is the first part
    visits: int  # of the root

    def advance(self, iterations: int, forced: int | None = None) -> Any:
        """Return the session after one batch of at most `iterations`; after a fault one in place.

        :raises MethodError: the network does not return priors and values as it should.
        :raises RulesError: the rules on integers break their promises.
        :raises EngineError: the tree grows too large.
        """
        goal = self.visits + iterations
        self.steps.append((goal, forced))
        try:
            self._batch(goal, forced)
        except Fault:
            session = windows.flying(self.root, self.rng, self.search)
            for reached, move in self.steps:
                while session.visits < min(reached, self.visits):
                    session = session.advance(reached - session.visits, move)
            return session.advance(goal - session.visits, forced)
        return self

    def _batch(self, goal: int, forced: int | None) -> None:
        """Make one batch in machine code.

        :raises Fault: a user's function would have raised an error.
        """
        batch = self.batch
        self._start(goal, forced)
        again = True
        while again:
            self.before_call(goal + batch.collisions)
            self.code.functions['gather_batch'](ctypes.byref(batch))
            again = self.after_call()
        if batch.done:
            asked = batch.kept['asked'][: batch.waiting]
            outputs, network = NOTHING, cast('Any', self.search.network)
            if len(asked):
                outputs = outputs_of(network, network.function(asked), len(asked))
            answers = outputs.answers
            batch.answers = ctypes.addressof(answers)
            self.state.words = self.arena.words.ctypes.data
            self.code.functions['credit_batch'](ctypes.byref(batch))
            self._credited(outputs)

    def _start(self, goal: int, forced: int | None) -> None:
        """Make ready for the descents of a batch."""
        batch, search, visits = self.batch, self.search, self.visits
        most = min(goal - visits, search.batch - visits % search.batch)
        places, width = most + search.collisions, len(self.state.kept['root'])
        if len(batch.kept.get('descents', ())) < places:
            room = places, LEVEL * self.state.levels
            batch.point(descents=np.zeros(places, DESCENT), paths=np.empty(room, np.int32))
            batch.point(leaves=np.empty((places, width), np.int64))
        # An array of its own for each batch, as a network may keep or change it.
        batch.point(asked=np.empty((most, width), np.int64))
        batch.most, batch.done, batch.waiting, batch.row, batch.met = most, 0, 0, 0, 0
        batch.collisions = search.collisions
        self.state.forced = -1 if forced is None else forced

    def lengthen_paths(self) -> None:
        """Make room for paths of `levels`, twice as many as before."""
        paths = self.batch.kept['paths']
        self.batch.point(paths=np.concatenate((paths, np.empty_like(paths)), axis=1))

    def _credited(self, outputs: Outputs) -> None:
        """Heed the status of a call that backed up."""
        batch, status = self.batch, self.state.status
        if status == Status.BAD_PRIORS:
            made = batch.kept['descents'][: batch.done]
            blocks, widths = made['block'][made['finished'] == 0], outputs.widths
            width = outputs.priors.shape[1] if widths is None else int(widths[batch.row])
            moves = int(self.arena.words[blocks[batch.row]])
            raise wrong_width(self.search.network, width, moves)
        if status != Status.DONE:
            raise error_of(status, self.root.state, self.search)
        self.visits += batch.done - batch.met

    def finish(self) -> tuple[Node, R]:
        """Return the tree, and the generator to use next; the array must not change afterwards."""
        return self.arena.frozen(self.root, self.structure), self.rng


def outputs_of(network: Any, given: Any, count: int) -> Outputs:
    """Return the network's outputs for `count` positions.

    :raises MethodError: they are not priors and values as they should be.
    """
    arrays = as_arrays(given, count)
    if arrays is not None:
        return Outputs(*arrays)
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
    *first, state = begun(root, rng, search, exported=BATCHES)
    batch, made = Batch(search=state), cast('Any', CompiledBatches)
    found = made(*first, batch.search, batch, root.visits)
    found.state.kept.update(state.kept)
    return found  # type: ignore[no-any-return]
