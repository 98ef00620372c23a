"""The compiled engine as Python calls it: an array, runs in short chunks, the tree in the array.

Between two chunks the interpreter handles signals and other threads, and `watch` is told the
progress. How long a chunk is depends on the clock; what is found does not.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any, Final, TypeVar, cast

import numpy as np
from attrs import evolve

from fmcts.rng import Rng
from fmcts.rules import IntegerRules, rules_of, side_of
from fmcts.search.compiled import loop, statuses
from fmcts.search.compiled.arena import resumed, thaw
from fmcts.search.compiled.generators import exact, freeze, kind_of
from fmcts.search.compiled.generators import thaw as thaw_rng
from fmcts.search.compiled.logs import logarithms
from fmcts.search.compiled.nodes import LazyNode
from fmcts.search.compiled.pace import Pace
from fmcts.search.compiled.positions import fields_of
from fmcts.search.compiled.refusals import broken_rules, broken_search, call, make
from fmcts.search.compiled.structure import Structure, structure_of
from fmcts.search.description import Search
from fmcts.search.outcomes import check_policy
from fmcts.search.tree import Node
from fmcts.search.watch import Watch

__all__ = ['run']

R = TypeVar('R', bound=Rng)

UNLIMITED: Final = 1 << 62  # nodes, or plies


_loops: Final[dict[tuple[object, ...], Any]] = {}


def _loop(
    rules: IntegerRules, position: Any, generator: Any, structure: Structure, about: str
) -> Any:
    """The loop, made once for each structure: the parameters of a method do not matter to it."""
    key = (rules, position, generator, *structure.parts)
    if key not in _loops:
        _loops[key] = loop.make_loop(rules, position, generator, structure, about)
    return _loops[key]


def run(root: Node, rng: R, search: Search, watch: Watch) -> tuple[Node, R]:
    """`search.iterations` more iterations on `root`; `watch` is told how many are done.

    :raises EndlessGameError: a game is not over after `search.max_plies` plies of a playout.
    :raises RulesError: the rules on integers cannot be compiled or break their promises.
    :raises EngineError: the tree grows too large.
    """
    rules = cast('IntegerRules', rules_of(root.state))  # `lacks` has seen to it
    position = rules.pack(root.state)
    kind, generator = type(position), kind_of(rng)
    fields = fields_of(position)
    watch(0)
    check_policy(search, root.state)
    method, expansion = search.method, search.expands
    structure = structure_of(search, unvisited=True)
    if isinstance(root, LazyNode) and root.block and same_columns(root, structure):
        arena = resumed(root, structure, search.iterations)
    else:
        arena = thaw(root, rules, structure, search.iterations)
    arena.unvisited = arena.unvisited or expansion == 'full'
    structure = evolve(structure, unvisited=arena.unvisited or expansion == 'selected')
    about = f'{type(root.state).__name__}, {expansion}'
    grow = make(root.state, _loop, rules, kind, generator, structure, about)
    stamps = np.zeros(2 * rules.keys if structure.traces else 0, np.int32)
    numbers = tuple(method.parameters.values())
    root_mover = side_of(root.mover)
    words = thaw_rng(rng)
    path = np.empty(128, np.int32)
    room = min(search.max_nodes or UNLIMITED, UNLIMITED) - arena.nodes
    max_plies = min(search.max_plies, UNLIMITED)
    done, pace = 0, Pace()
    while done < search.iterations:
        begin = perf_counter()
        chunk = min(pace.size, search.iterations - done)
        logs = logarithms(root.visits + done + chunk + 1)
        status, made, arena.used, left, words = call(
            root.state, grow, arena.words, path, logs, stamps, numbers, fields, exact(words),
            root_mover, arena.used, room, max_plies, done, chunk,
        )  # fmt: skip
        arena.nodes += room - left
        room = left
        done += made
        if status == statuses.TREE_IS_FULL:
            arena.grow()
        elif status == statuses.PATH_IS_FULL:
            path = np.empty(2 * len(path), np.int32)
        elif status == statuses.NODES_ARE_MADE:
            break
        elif status != statuses.DONE:
            raise broken_search(search, status) or broken_rules(
                root.state, status, search.max_plies
            )
        elif made:
            pace.after(perf_counter() - begin)
        watch(done)
    return arena.frozen(root, structure), freeze(rng, words)


def same_columns(root: LazyNode, structure: Structure) -> bool:
    """Whether a tree that was grown here has what this structure keeps, where it keeps it.

    Columns of moves that begin in another way must be looked at as they are.
    """
    there, here = root.store.structure, structure
    return (there.own, there.traces, there.real) == (here.own, here.traces, here.real) and (
        there.method == here.method or not (there.moves or here.moves)
    )
