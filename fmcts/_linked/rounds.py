"""Searches that continue one tree in rounds, each in a separate array.

`fmcts._running.rounds` defines rounds. A search copies the base into its array, in its own thread,
and machine code adds what the arrays have more to the base (`tree.c`). Nodes are never created.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final

from attrs import define

from fmcts._linked.engine import Compiled, begin
from fmcts._linked.tables import words_of
from fmcts._linked.tree.arena import Arena, Sum, run
from fmcts._linked.tree.store import SLACK
from fmcts.search import ChunkSize, Node, Search

RANGES: Final = 8  # of blocks, which threads may merge at the same time: more than cores, unequal
ALONE: Final = 1 << 14  # integers that one thread merges faster than several


@define
class LinkedTrees:
    """A base and the searches that continue copies of it.

    `ends` are indices at which blocks of the base begin, then the end of the base. `stopped`: a
    round failed or was interrupted.
    """

    sessions: list[Compiled[Any]]
    chunks: list[ChunkSize]
    base: Arena
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
        base, known = self.base, self.base.used
        try:
            each(self._grow, [*enumerate(shares)])  # even without a share, as all are merged
        except BaseException:
            self.stopped = True  # stops the searches in other threads
            raise
        arenas = [session.arena for session in self.sessions]
        while len(base.words) < sum(it.used for it in arenas) - known * (len(arenas) - 1) + SLACK:
            base.grow()
        rows = words_of(arena.words.ctypes.data for arena in arenas)
        given = partial(Sum, base.words.ctypes.data, rows.ctypes.data, len(arenas), known)

        def merge(blocks: tuple[int, int]) -> int:
            begin, end = blocks
            if begin < known:
                return int(run('add_known', given(begin=begin, end=end)).nodes)
            base.words[begin:end] = arenas[0].words[begin:end]
            return 0

        # First the new blocks of the first row, which no other thread reads, then ranges of the
        # base, each as large as all before it: the largest begins first.
        jobs = [*pairwise([0, *self.ends[-RANGES:], arenas[0].used])][::-1]
        added = sum(each(merge, jobs) if known > ALONE else map(merge, jobs))
        base.used, base.nodes = arenas[0].used, arenas[0].nodes + added
        for row, arena in enumerate(arenas[1:], 1):
            total = run('add_new', given(row, known, arena.used, base.used, base.nodes))
            base.used, base.nodes = total.used, total.nodes
        self.ends.append(base.used)

    def _grow(self, job: tuple[int, int]) -> None:
        index, iterations = job
        base, session = self.base, self.sessions[index]
        arena = session.arena
        while len(arena.words) < base.used + SLACK:
            arena.grow()
        arena.words[: base.used] = base.words[: base.used]
        arena.used, arena.nodes = base.used, base.nodes
        session.made = base.visits
        size = self.chunks[index]
        while iterations and not self.stopped:  # signals are handled between chunks
            chunk = size.begin(iterations)
            session.run(chunk)
            size.end()
            iterations -= chunk

    def finish(self) -> Node:
        """Return the tree; the arrays must not change afterwards."""
        first = self.sessions[0]
        return self.base.frozen(first.root, first.structure)


def start(root: Node, generators: Sequence[Any], search: Search) -> LinkedTrees:
    """Return the searches of a root without visits, one for each generator, before a round.

    :raises RulesError: the rules on integers cannot be compiled, or disagree with the state.
    """
    sessions = [begin(root, rng, search) for rng in generators]
    base = begin(root, generators[0], search).arena
    return LinkedTrees(sessions, [ChunkSize() for _ in sessions], base, [base.used])
