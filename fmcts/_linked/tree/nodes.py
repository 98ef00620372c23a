"""Nodes of a compiled tree, created from its numbers when first accessed."""

from __future__ import annotations

import pickle
from contextlib import suppress
from importlib import import_module
from typing import Any, TypeAlias

from fmcts._linked.tree.store import BELOW, ROOT, VISITS, Store, cell, layout_of
from fmcts.errors import EngineError
from fmcts.game import Player, chances_of, options_of
from fmcts.search import NO_COLUMNS, Columns, Node, OnDemandNode, on_demand_node
from fmcts.search.memory import Remembered
from fmcts.search.methods.method import rows_at

Facts: TypeAlias = tuple[Any, Player, Any, tuple[Any, ...], int, float, Columns]
"""As `Node.facts` gives them."""


class LazyNode(OnDemandNode):
    """A node whose children are numbers in a store.

    It keeps the whole store alive, even if it is not the root; a search that continues it copies
    the part below it. Its source is the store, and where its children are; 0: it has none.
    """

    __slots__ = ()

    @property
    def store(self) -> Store:
        """The numbers of the tree."""
        return self.source[0]  # type: ignore[no-any-return]

    @property
    def block(self) -> int:
        """The place of its children in the store."""
        return self.source[1]  # type: ignore[no-any-return]

    def visited(self) -> list[tuple[Any, int, float]]:
        """Return the moves whose children have visits: move, visits and reward; create no child."""
        if not self.block:
            return []
        numbers = self.store.row(self.block, VISITS), self.store.rewards(self.block)
        return [row for row in zip(self.moves, *numbers, strict=True) if row[1] > 0]

    def count(self) -> int:
        """Return the number of nodes in the tree; create none."""
        if not self.block:
            return 1
        if self.block == self.store.first:
            return self.store.nodes
        rows = (self.store.row(block, VISITS) for block in self.store.blocks(self.block))
        return 1 + sum(len(visits) - visits.count(-1) for visits in rows)

    def made_places(self) -> tuple[Node | None, ...]:
        """Return the children, created from the numbers.

        :raises EngineError: the game's moves differ from those when the tree was grown.
        """
        store, block, total = self.store, self.block, len(self.moves)
        if not block:
            return ()
        if store.cells[block] != total:
            raise EngineError(
                f'the tree was grown by other rules: {type(self.state).__name__} had '
                f'{store.cells[block]} moves where it has {total}'
            )
        made: list[Node | None] = [None] * total
        numbers = store.row(block, VISITS), store.rewards(block), store.row(block, BELOW)
        own = [store.reals(block, row) for row in range(store.structure.own)]
        rows = zip(self.moves, *numbers, strict=True)
        for index, (move, visits, reward, link) in enumerate(rows):
            if visits >= 0:
                state, below = self.state.play(move), max(link, 0)
                moves = options_of(state)
                columns = _columns(store, [row[index] for row in own], below, state, moves)
                facts = (move, self.state.player, state, moves, visits, reward, columns)
                made[index] = _node(facts, below, store)
        return tuple(made) if any(made) else ()

    def __reduce__(self) -> tuple[Any, ...]:
        store, block = self.store, self.block
        try:
            pickle.dumps(layout_of(store.structure))
        except (AttributeError, TypeError, pickle.PicklingError):  # a method's class is local
            return super().__reduce__()
        if not block:
            return super().__reduce__()
        if block != store.first:
            with suppress(ImportError):  # without LLVM the tree is pickled with the node
                store = import_module('fmcts._linked.tree.arena').subtree(self)
                block = store.first
        return _node, (self.facts(), block, store)


def _node(facts: Facts, block: int, store: Store) -> LazyNode:
    return on_demand_node(LazyNode, facts, (store, block))  # type: ignore[no-any-return]


def _columns(
    store: Store, numbers: list[float], below: int, state: Any, moves: tuple[Any, ...]
) -> Columns:
    """Return the columns of a node with these `numbers`, and of its moves, from their block."""
    structure, names = store.structure, store.structure.names
    if not names:
        return NO_COLUMNS
    own, moves_of = structure.own, range(len(names.moves))
    rows: Any
    if below:
        rows = tuple(tuple(store.reals(below, own + row)) for row in moves_of)
    elif chances_of(state):
        rows = ((0.0,) * len(moves),) * len(moves_of)
    else:
        rows = rows_at(structure.method, names, state, moves)
    if not structure.refers:
        return Columns(names, numbers, rows)
    entries = store.table(below) if below else {}
    return Columns(names, numbers, rows, (), Remembered('table', entries))


def lazy(root: Node, store: Store, memory: tuple[Remembered, ...] = ()) -> LazyNode:
    """Return the root of the tree in the store, with constant fields from `root`.

    `memory` has the tables of its playouts.
    """
    visits = store.cells[cell(ROOT, 1, VISITS, 0)]
    numbers = [store.reals(ROOT, row)[0] for row in range(store.structure.own)]
    columns = _columns(store, numbers, store.first, root.state, root.moves)
    if memory:
        columns = columns._replace(memory=memory)
    facts = (root.move, root.mover, root.state, root.moves, visits, store.rewards(ROOT)[0], columns)
    return _node(facts, store.first, store)
