"""The compiled engine as Python calls it: an array, runs in short chunks, the tree in the array.

Between two chunks the interpreter handles signals and other threads, and `watch` is told the
progress. How long a chunk is depends on the clock; what is found does not.
"""

from __future__ import annotations

import functools
from time import perf_counter
from typing import Any, Final, TypeVar, cast

import numpy as np
from numba.core.errors import NumbaError

from fmcts.rng import Rng
from fmcts.rules import IntegerRules, rules_of
from fmcts.search.compiled import loop
from fmcts.search.compiled.arena import Arena, resumed, thaw
from fmcts.search.compiled.entries import compiling
from fmcts.search.compiled.generators import exact, freeze, kind_of
from fmcts.search.compiled.generators import thaw as thaw_rng
from fmcts.search.compiled.logs import logarithms
from fmcts.search.compiled.nodes import LazyNode
from fmcts.search.compiled.pace import Pace
from fmcts.search.compiled.positions import fields_of
from fmcts.search.compiled.refusals import broken_rules, not_compiled
from fmcts.search.description import Search
from fmcts.search.tree import Node
from fmcts.search.watch import Watch

__all__ = ['run']

R = TypeVar('R', bound=Rng)

UNLIMITED: Final = 1 << 62


@functools.cache
def _loop(
    rules: IntegerRules, position: Any, generator: Any, variant: loop.Variant, about: str
) -> Any:
    return loop.make_loop(rules, position, generator, variant, about)


def run(root: Node, rng: R, search: Search, watch: Watch) -> tuple[Node, R]:
    """`search.iterations` more iterations on `root`; `watch` is told how many are done.

    :raises EngineError: the rules on integers cannot be compiled or break their promises, or the
        tree grows too large.
    """
    rules = cast('IntegerRules', rules_of(root.state))  # `lacks` has seen to it
    position = rules.pack(root.state)
    kinds: Any = type(position), kind_of(rng)
    fields = fields_of(position)
    watch(0)
    if isinstance(root, LazyNode) and root.block:
        arena = resumed(root, search.expansion, search.iterations)
    else:
        arena = thaw(root, rules, search.expansion, search.iterations)
    arena.unvisited = arena.unvisited or search.expansion == 'full'
    variant = loop.Variant(search.expansion, arena.unvisited)
    about = f'{type(root.state).__name__}, {search.expansion}'
    with compiling:
        grow = _loop(rules, *kinds, variant, about)
    words = thaw_rng(rng)
    path = np.empty(128, np.int32)
    room = min(search.max_nodes or UNLIMITED, UNLIMITED) - arena.nodes
    before = arena.children_halves()
    done, pace = 0, Pace()
    while done < search.iterations:
        begin = perf_counter()
        chunk = min(pace.size, search.iterations - done)
        logs = logarithms(root.visits + done + chunk + 1)
        try:
            status, made, arena.used, left, words = grow(
                arena.words, path, logs, search.c, fields, exact(words),
                arena.first, root.visits + done, arena.used, room, chunk,
            )  # fmt: skip
        except NumbaError as error:
            raise not_compiled(root.state, error) from error
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
            raise broken_rules(root.state, status)
        elif made:
            pace.after(perf_counter() - begin)
        watch(done)
    _count_root(arena, root, done, arena.children_halves() - before)
    return arena.frozen(root, search.expansion), freeze(rng, words)


def _count_root(arena: Arena, root: Node, visits: int, gained: int) -> None:
    """The root's share: each playout went through one child, and was worth 1 to both together."""
    same = root.mover is root.state.player
    arena.count_root(visits, gained if same else 2 * visits - gained)
