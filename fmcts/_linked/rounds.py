"""Searches that continue one tree in rounds, each in a separate array.

`fmcts._running.rounds` defines rounds. A search copies the base into its array, in its own thread,
and machine code adds to the array of one what that of another has more (`tree.c`), until one has
all: the base of the next round. Nodes are never created.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import define

from fmcts._linked.engine import Compiled, begin
from fmcts._linked.tree.arena import Arena, Sum, run
from fmcts._linked.tree.store import SLACK
from fmcts.search import ChunkSize, Node, Search


@define
class LinkedTrees:
    """A base and the searches that continue copies of it.

    `stopped`: a round failed or was interrupted.
    """

    sessions: list[Compiled[Any]]
    chunks: list[ChunkSize]
    base: Arena
    stopped: bool = False

    def advance(self, shares: Sequence[int], each: Callable[..., list[Any]]) -> None:
        """Let search `i` continue the base by `shares[i]` iterations, and merge what they found.

        `each(function, items)` returns the results in the order of the items.

        :raises Fault: a user's function would have raised an error.
        :raises EndlessGameError: a game is not over after `max_plies` plies of a playout.
        :raises RulesError: the rules on integers break their promises.
        :raises EngineError: a tree grows too large.
        """
        first, count, step = self.sessions[0], len(self.sessions), 1
        try:
            each(self._grow, [*enumerate(shares)])  # even without a share, as all are merged
        except BaseException:
            self.stopped = True  # stops the searches in other threads
            raise
        while step < count:  # pairs, then pairs of pairs and so on
            each(self._add, [(index, index + step) for index in range(0, count - step, 2 * step)])
            step *= 2
        self.base, first.arena = first.arena, self.base

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

    def _add(self, pair: tuple[int, int]) -> None:
        """Add to the tree of one search what that of another has more than the base."""
        into, other = (self.sessions[index].arena for index in pair)
        base = self.base
        while len(into.words) < into.used + other.used - base.used + SLACK:
            into.grow()
        arrays = (it.words.ctypes.data for it in (into, other, base))
        done = run('add_tree', Sum(*arrays, base.used, into.used, into.nodes))
        into.used, into.nodes = done.used, done.nodes

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
    return LinkedTrees(sessions, [ChunkSize() for _ in sessions], base)
