"""The memory of one growing tree: Python's view of the array that `game.h` describes.

Before a search the tree to continue is written into it: node by node, or as numbers if this engine
has grown it before. After the search it becomes the store of the tree.
"""

from __future__ import annotations

import ctypes
import functools
from array import array
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt
from attrs import define

from fmcts._engines import graph as graphs
from fmcts._linked.layout import c_structure
from fmcts._linked.link import Code
from fmcts._linked.statuses import Status, broken_rules
from fmcts._linked.structure import Structure
from fmcts._linked.tables import rows_of, words_of
from fmcts._linked.tree.graph import NODE, Entries, width
from fmcts._linked.tree.nodes import LazyNode, lazy
from fmcts._linked.tree.store import (
    BELOW,
    LIMIT,
    MOVE,
    ROOT,
    SLACK,
    VISITS,
    Store,
    as_integers,
    cell,
    halves_of,
    root_block,
    size,
)
from fmcts.errors import EngineError, RulesError
from fmcts.game import options_of
from fmcts.rules import IntegerRules, fields_of, side_of
from fmcts.search import MoveStats, Node
from fmcts.search.memory import Remembered, Table
from fmcts.search.resolution import BOUNDS, SOLVER
from fmcts.search.resolution.solver import proof_of

AHEAD: Final = 1 << 28  # integers reserved at once: 1 GiB, used only as far as it is written to
LEAST: Final = 1024  # integers of free room at the start of a search


@define
class Arena:
    """The array, how many of its integers are in use, and how many nodes it stores.

    `unvisited`: whether there may be children without visits.
    """

    words: npt.NDArray[np.int32]
    used: int
    nodes: int
    unvisited: bool

    @property
    def visits(self) -> int:
        """The visits of the root."""
        return int(self.words[cell(ROOT, 1, VISITS, 0)])

    def store(self, structure: Structure) -> Store:
        """Return the numbers as they are now, valid until the array is written to again."""
        return Store(self.words, self.used, self.nodes, self.unvisited, structure)

    def stats(self, moves: Sequence[Any], structure: Structure) -> tuple[MoveStats[Any], ...]:
        """Return visits and value of the root's moves."""
        store = self.store(structure)
        block = store.first
        proofs: list[Any] = [None] * len(moves)
        if structure.resolution in (SOLVER, BOUNDS):
            proofs = [*map(proof_of, store.reals(block, structure.resolution_row))]
        rows = zip(moves, store.row(block, VISITS), store.rewards(block), proofs, strict=True)
        return tuple(
            MoveStats(move, max(0, visits), reward / visits if visits > 0 else None, proof)
            for move, visits, reward, proof in rows
        )

    def grow(self) -> None:
        """Double the room, or add less if memory is short.

        :raises EngineError: the array is as large as it may be.
        :raises MemoryError: there is no more memory.
        """
        if len(self.words) == LIMIT:
            raise EngineError(
                f'the tree has {self.nodes:,} nodes and fills the {LIMIT:,} numbers that the '
                'engine compiled can address: set max_nodes, or use the engine inplace'
            )
        self.words = moved(self.words[: self.used], len(self.words), len(self.words))

    def frozen(
        self, root: Node, structure: Structure, memory: tuple[Remembered, ...] = ()
    ) -> LazyNode:
        """Return the tree, grown by this structure; constant fields come from `root`, the old root.

        Unused memory is released. The array must not change afterwards.
        """
        self.words.resize(self.used, refcheck=False)
        return lazy(root, self.store(structure), memory)


def moved(numbers: Any, length: int, ahead: int) -> npt.NDArray[np.int32]:
    """Return an array that begins with these integers.

    It has room for `length`, and up to `ahead` more, fewer if memory is short.

    :raises MemoryError: not even `length` can be allocated.
    """
    while True:
        try:
            words = np.empty(min(length + ahead, LIMIT), np.int32)
        except MemoryError:
            if ahead <= LEAST:
                raise
            ahead = max(ahead // 2, LEAST)
        else:
            words[: len(numbers)] = numbers
            return words


def tree_for(root: Node, rules: IntegerRules, structure: Structure, iterations: int) -> Arena:
    """Return the memory of the tree to continue, with room for `iterations` more.

    A tree of this engine is copied as numbers, of a subtree only the part below `root`.

    :raises RulesError: the rules on integers contradict a state.
    :raises EngineError: the tree is too large.
    :raises MemoryError: there is no memory for the tree.
    """
    store = None
    if isinstance(root, LazyNode) and root.block and same_columns(root.store.structure, structure):
        store = root.store if root.block == root.store.first else subtree(root)
    kept = store or loaded(root, rules, structure)
    if kept.used > LIMIT - SLACK:
        raise EngineError('the tree to continue is too large for the engine compiled')
    # Unused memory costs nothing, so the estimate is generous. If moves are remembered, each new
    # node has a block at once, and later nodes may have more moves than the root.
    block = size(len(root.moves), structure.rows)
    each = 2 * block if structure.traces else block if structure.expansion == 'full' else 16
    ahead = (each + structure.tail) * iterations
    numbers = np.frombuffer(kept.numbers, np.int32)[: kept.used]
    words = moved(numbers, kept.used + SLACK, min(max(LEAST, ahead), AHEAD))
    arena = Arena(words, kept.used, kept.nodes, kept.unvisited)
    if store:  # after pickling, or of a subtree, it has the moves of the root's children only
        begin = cell(kept.first, len(root.moves), MOVE, 0)
        words[begin : begin + len(root.moves)] = moves_on_integers(root, rules)
    return arena


def same_columns(one: Structure, two: Structure) -> bool:
    """Return whether trees of two structures store the same columns in the same places."""
    places = [(each.own, each.traces, each.real) for each in (one, two)]
    of_moves = one.moves or two.moves
    return places[0] == places[1] and (not of_moves or one.method == two.method)


def loaded(root: Node, rules: IntegerRules, structure: Structure) -> Store:
    """Return the numbers of a frozen tree.

    :raises RulesError: the rules on integers contradict a state.
    """
    entries = root_block(root, structure)
    nodes, unvisited, waiting = 1, False, [(root, cell(ROOT, 1, BELOW, 0))]
    while waiting:
        node, link = waiting.pop()
        block, total = len(entries), len(node.moves)
        entries[link] = block
        entries.extend(block_of(node, rules, structure))
        nodes += len(node.children)
        unvisited = unvisited or not all(child.visits for child in node.children)
        waiting.extend(
            (child, cell(block, total, BELOW, index))
            for index, child in enumerate(node.places)
            # The columns of its moves may differ from their first values here.
            if child and (child.children or (structure.moves and child.moves))
        )
    return Store(entries, len(entries), nodes, unvisited, structure)


def subtree(root: LazyNode) -> Store:
    """Return a store of the root and all below it."""
    structure, numbers = root.store.structure, np.frombuffer(root.store.numbers, np.int32)
    head = root_block(root, structure)
    words = np.empty(len(head) + root.store.used, np.int32)
    words[: len(head)] = head
    shape = structure.rows, structure.tail
    copy = run('copy_subtree', Copy(numbers.ctypes.data, words.ctypes.data, root.block, *shape))
    words.resize(copy.used, refcheck=False)
    return Store(words, copy.used, copy.nodes, bool(copy.unvisited), structure)


# ---- blocks of nodes from another engine, or of nodes without visits ----


def moves_on_integers(node: Node | graphs.Entry, rules: IntegerRules) -> array[int]:
    """Return the moves that a node chooses among, in the form of the rules on integers.

    They are all legal moves, except at the root of a search that chooses among some of them.

    :raises RulesError: the rules return another number of moves than the state, or a move that is
        not an integer of 32 bits.
    """
    listed = rules.listed(rules.menu(rules.pack(node.state)))
    try:
        moves = array('i', listed)
    except (OverflowError, TypeError):
        raise broken_rules(Status.WIDE_MOVE, node.state) from None
    legal = node.moves if len(node.moves) == len(moves) else options_of(node.state)
    if len(legal) != len(moves):
        raise RulesError(
            f'the rules on integers disagree with {type(node.state).__name__}, which has '
            f'{len(legal)} moves here: see fmcts.testing.check_rules'
        )
    if legal is node.moves:
        return moves
    return array('i', [moves[legal.index(move)] for move in node.moves])


def block_of(node: Node, rules: IntegerRules, structure: Structure) -> array[int]:
    """Return the block of a node's children.

    :raises RulesError: a key in the node's table is not the game's.
    """
    total = len(node.moves)
    moves = moves_on_integers(node, rules)
    visits, halves, below = [-1] * total, [0] * total, [0] * total
    reals = [[0.0] * total for _ in range(structure.rows)]
    reals[structure.own : structure.own + len(node.columns.moves)] = map(list, node.columns.moves)
    if structure.traces:
        here = rules.pack(node.state)
        reals[structure.key_row] = [float(rules.key(here, move)) for move in moves]
    for index, child in enumerate(node.places):
        if child is None:
            continue
        visits[index], halves[index] = child.visits, halves_of(child, structure)
        for row, number in enumerate(child.columns.own):
            reals[row][index] = number
        if structure.real:
            reals[structure.reward_row][index] = child.reward
        if not child.moves:
            below[index] = -1 if structure.real else -1 - side_of(child.state.winner)
    block = array('i', [total, len(node.children), *visits, *halves, *below, *moves])
    if reals:
        block.extend(as_integers(chain(*reals)))
    if structure.refers:
        entries = node.columns.table.entries if node.columns.table is not None else {}
        table = rows_of(cast('Table', structure.method.table), entries, structure.keys)
        if table is None:
            raise broken_rules(Status.BAD_KEY, node.state)
        numbers = (2 * table).astype(np.int32) if structure.in_halves else table
        block.frombytes(numbers.tobytes())
    return block


# ---- graphs ----


def arena_of(
    graph: graphs.Graph, rules: IntegerRules, structure: Structure, iterations: int
) -> Arena:
    """Return the memory of the graph to continue, with room for `iterations` more.

    :raises RulesError: the rules on integers contradict a state.
    :raises MemoryError: there is no memory for the graph.
    """
    entries = graph.entries
    if isinstance(entries, Entries):
        numbers = entries.store.numbers
    else:
        numbers = _written(graph, rules, structure)
    used, root = len(numbers), entries[0]
    block = size(len(root.moves), structure.rows) + width(len(rules.pack(root.state)))
    ahead = iterations * block * (len(root.moves) if structure.expansion == 'full' else 1)
    numbers = np.frombuffer(numbers, np.int32)
    words = moved(numbers, used + SLACK, min(max(LEAST, ahead), AHEAD))
    return Arena(words, used, len(entries), unvisited=True)


def _written(graph: graphs.Graph, rules: IntegerRules, structure: Structure) -> array[int]:
    """Return the numbers of a graph.

    The visits of the root are those of the state that has most: a part that was cut out of another
    graph may have states that were visited by other ways.

    :raises RulesError: the rules on integers contradict a state.
    """
    entries, before = graph.entries, width(len(rules.pack(graph.entries[0].state)))
    words = root_block(graphs.root_node(graph), structure)
    sizes = (size(len(entry.moves), structure.rows) + before for entry in entries)
    blocks = [*accumulate(sizes, initial=len(words) + before)]
    words[cell(ROOT, 1, VISITS, 0)] = max(entry.visits for entry in entries)
    words[cell(ROOT, 1, BELOW, 0)] = blocks[0]
    above = {ROOT: (0, 0)}
    for entry, block in zip(entries, blocks, strict=False):
        for place, edge in enumerate(entry.places):
            if edge:
                above.setdefault(edge.to, (block, place))
    for number, entry in enumerate(entries):
        numbers = entry.level, entry.own, entry.visits, entry.worth, entry.total
        words.frombytes(NODE.pack(*above[number], *numbers, *(entry.values or (0.0, 0.0))))
        words.frombytes(words_of(fields_of(rules.pack(entry.state))).tobytes())
        places, moves = entry.places or (None,) * len(entry.moves), [*chain(*entry.columns.moves)]
        words.extend((len(entry.moves), len(entry.edges)))
        words.extend(-1 if edge is None else edge.visits for edge in places)
        words.extend(0 for _ in places)
        words.extend(0 if edge is None else blocks[edge.to] for edge in places)
        words.extend(moves_on_integers(entry, rules))
        words.extend(as_integers([*moves, *[0.0] * (structure.rows * len(places) - len(moves))]))
    return words


# ---- functions of `tree.c` that need no game ----


Copy: Final = c_structure('tree.c', 'Copy')
Sum: Final = c_structure('tree.c', 'Sum')


@functools.cache
def without_game(name: str) -> Code:
    """Return the machine code of a function that needs no game; each is made when first called."""
    return Code('tree', [], [name])


def run(name: str, given: Any) -> Any:
    """Call a function that needs no game; return its argument, where it wrote its results."""
    without_game(name).functions[name](ctypes.byref(given))
    return given
