"""The compiled engine as Python calls it: thaw, run in short chunks, keep the array.

Between two chunks the interpreter handles signals and other threads, and `watch` is told the
progress. How long a chunk is depends on the clock; what is found does not.
"""

from __future__ import annotations

import functools
from time import perf_counter
from typing import Any, Final, TypeVar, cast

import numpy as np

from fmcts.rng import Rng
from fmcts.rules import IntegerRules, rules_of
from fmcts.search.compiled import loop
from fmcts.search.compiled.arena import Arena, thaw
from fmcts.search.compiled.generators import exact, freeze, kind_of
from fmcts.search.compiled.generators import thaw as thaw_rng
from fmcts.search.compiled.grown import GrownArena
from fmcts.search.compiled.logs import logarithms
from fmcts.search.compiled.pace import Pace
from fmcts.search.compiled.positions import fields_of
from fmcts.search.compiled.refusals import broken_rules, call, make
from fmcts.search.description import Search
from fmcts.search.tree import Node, walk
from fmcts.search.watch import Watch

__all__ = ['run']

R = TypeVar('R', bound=Rng)

UNLIMITED: Final = 1 << 62  # nodes, or plies


@functools.cache
def _loop(
    rules: IntegerRules, position: Any, generator: Any, variant: loop.Variant, about: str
) -> Any:
    return loop.make_loop(rules, position, generator, variant, about)


def run(root: Node, rng: R, search: Search, watch: Watch) -> tuple[GrownArena, R]:
    """`search.iterations` more iterations on `root`; `watch` is told how many are done.

    :raises EndlessGameError: a game is not over after `search.max_plies` plies of a playout.
    :raises RulesError: the rules on integers cannot be compiled or break their promises.
    :raises EngineError: the tree grows too large.
    """
    rules = cast('IntegerRules', rules_of(root.state))  # `lacks` has seen to it
    position = rules.pack(root.state)
    kinds: Any = type(position), kind_of(rng)
    fields = fields_of(position)
    watch(0)
    unvisited = search.expansion == 'full' or any(not node.visits for node in _below(root))
    variant = loop.Variant(search.expansion, unvisited)
    about = f'{type(root.state).__name__}, {search.expansion}'
    grow = make(root.state, _loop, rules, *kinds, variant, about)
    arena = thaw(root, rules, search.expansion, search.iterations)
    words = thaw_rng(rng)
    path = np.empty(128, np.int32)
    room = min(search.max_nodes or UNLIMITED, UNLIMITED) - arena.nodes
    max_plies = min(search.max_plies, UNLIMITED)
    before = arena.children_halves()
    done, pace = 0, Pace()
    while done < search.iterations:
        begin = perf_counter()
        chunk = min(pace.size, search.iterations - done)
        logs = logarithms(root.visits + done + chunk + 1)
        status, made, arena.used, left, words = call(
            root.state, grow, arena.words, path, logs, search.c, fields, exact(words),
            arena.first, root.visits + done, arena.used, room, chunk, max_plies,
        )  # fmt: skip
        arena.nodes += room - left
        room = left
        done += made
        if status == loop.TREE_IS_FULL:
            arena.grow()
        elif status == loop.PATH_IS_FULL:
            path = np.empty(2 * len(path), np.int32)
        elif status == loop.NODES_ARE_MADE:
            break
        elif status != loop.DONE:
            raise broken_rules(root.state, status, search.max_plies)
        elif made:
            pace.after(perf_counter() - begin)
        watch(done)
    _count_root(arena, root, done, arena.children_halves() - before)
    arena.trim()
    return GrownArena(root, arena), freeze(rng, words)


def _below(root: Node) -> Any:
    nodes = walk(root)
    next(nodes)
    return nodes


def _count_root(arena: Arena, root: Node, visits: int, gained: int) -> None:
    """The root's share: each playout went through one child, and was worth 1 to both together."""
    same = root.mover is root.state.player
    arena.count_root(visits, gained if same else 2 * visits - gained)
