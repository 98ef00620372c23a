"""Searches that continue one tree in rounds, each in a separate array.

`fmcts._running.rounds` defines rounds. The arrays are the rows of one array. A search copies the
base into its row, in its own thread, and machine code adds what the rows found to the base
(`tree.c`). Nodes are never created.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from attrs import define, evolve

from fmcts._linked.engine import Compiled, begin
from fmcts._linked.tree.arena import AHEAD, Arena, Sum, run
from fmcts._linked.tree.store import SLACK
from fmcts.search import ChunkSize, Node, Search

RANGES: Final = 8  # of blocks, which threads may merge at the same time: more than cores, unequal
ALONE: Final = 1 << 14  # integers that one thread merges faster than several


@define
class LinkedTrees:
    """A base and the searches that continue it; search `i` grows row `i` of `rows`.

    `ends` are indices at which blocks of the base begin, then the end of the base. `stopped`: a
    round failed or was interrupted.
    """

    sessions: list[Compiled[Any]]
    chunks: list[ChunkSize]
    base: Arena
    rows: npt.NDArray[np.int32]
    ends: list[int]
    stopped: bool = False

    def advance(self, shares: Sequence[int], each: Callable[..., list[Any]]) -> None:
        """Let search `i` continue the base by `shares[i]` iterations, and merge what they found.

        `each(function, items)` returns the results in the order of the items.

        :raises Fault: a user's function would have raised an error.
        :raises EndlessGameError: a game is not over after `max_plies` plies of a playout.
        :raises RulesError: the rules on integers break their promises.
        :raises EngineError: a tree grows too large.
        """
        base = self.base
        try:
            each(self._grow, [*enumerate(shares)])  # even without a share, as all are merged
        except BaseException:
            self.stopped = True  # stops the searches in other threads
            raise
        grown = [session.arena.used for session in self.sessions]
        known = base.used
        self._make_room(sum(grown) - known * (len(grown) - 1))
        # Meanwhile the new blocks of the first row are copied, which no other thread reads.
        each(self._merge, [(known, grown[0]), *self._ranges()])
        base.used = grown[0]
        for row, used in zip(self.rows[1:], grown[1:], strict=True):
            base.used = self._sum('add_new', row, known, used).used
        self.ends.append(base.used)

    def _grow(self, job: tuple[int, int]) -> None:
        index, iterations = job
        base, session = self.base, self.sessions[index]
        arena, row = session.arena, self.rows[index]
        row[: base.used] = base.words[: base.used]
        arena.words, arena.used = row, base.used
        session.made = base.visits
        size = self.chunks[index]
        while iterations and not self.stopped:  # signals are handled between chunks
            chunk = size.begin(iterations)
            session.run(chunk)
            size.end()
            iterations -= chunk

    def _make_room(self, used: int) -> None:
        """Make room for `used` integers in base and rows, and move the trees into the rows."""
        base, length = self.base, self.rows.shape[1]
        while len(base.words) < used + SLACK:
            base.grow()
        arenas = [session.arena for session in self.sessions]
        longest = max(used + SLACK, *(len(arena.words) for arena in arenas))
        if longest > length:
            rows = np.empty((len(arenas), max(longest, 2 * length)), np.int32)
            for row, arena in zip(rows, arenas, strict=True):
                row[: arena.used] = arena.words[: arena.used]
            self.rows = rows

    def _ranges(self) -> list[tuple[int, int]]:
        """Return ranges of the base's blocks, for threads to merge; the last blocks come first."""
        if self.base.used < ALONE:
            return [(0, self.base.used)]
        places = [0, *self.ends[-RANGES:]]
        return [*pairwise(places)][::-1]  # each is as large as all before: the largest begins first

    def _merge(self, blocks: tuple[int, int]) -> None:
        begin, end = blocks
        if begin < self.base.used:
            self._sum('add_known', self.rows, begin, end)
        else:
            self.base.words[begin:end] = self.rows[0, begin:end]

    def _sum(self, name: str, rows: npt.NDArray[np.int32], begin: int, end: int) -> Any:
        """Let machine code add blocks of the rows to the base; return its argument."""
        base, count = self.base, len(self.sessions)
        addresses = base.words.ctypes.data, rows.ctypes.data
        return run(name, Sum(*addresses, count, self.rows.shape[1], begin, end, base.used))

    def finish(self) -> Node:
        """Return the tree; the arrays must not change afterwards."""
        first = self.sessions[0]
        self.base.nodes = self._sum('count_nodes', self.rows, 0, self.base.used).nodes
        return self.base.frozen(first.root, first.structure)


def start(root: Node, generators: Sequence[Any], search: Search) -> LinkedTrees:
    """Return the searches of a root without visits, one for each generator, before a round.

    :raises RulesError: the rules on integers cannot be compiled, or disagree with the state.
    """
    sessions = [begin(root, rng, evolve(search, iterations=1)) for rng in generators]
    base = begin(root, generators[0], search).arena
    count = len(sessions)
    rows = np.empty((count, min(len(base.words), base.used + SLACK + AHEAD // count)), np.int32)
    chunks = [ChunkSize() for _ in sessions]
    return LinkedTrees(sessions, chunks, base, rows, [base.used])
