"""Nodes of a compiled tree, created from its numbers when first accessed."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import Any, Final, TypeAlias

from fmcts._linked.tree.store import BELOW, ROOT, VISITS, Packed, Store, cell, pack, unpack
from fmcts.errors import EngineError
from fmcts.game import Player, chances_of, options_of
from fmcts.search import NO_COLUMNS, Columns, MutableNode, Node
from fmcts.search.memory import Remembered
from fmcts.search.methods.method import rows_at

Made: TypeAlias = 'list[LazyNode | None] | tuple[Node | None, ...]'
Facts: TypeAlias = tuple[Any, Player, Any, tuple[Any, ...], int, float, Columns]
"""As `Node.facts` gives them."""


class _LazyDraft(MutableNode):
    """A draft of a `LazyNode`: its children are at `block` in the `store`; 0: it has none."""

    __slots__ = ('block', 'store')

    block: int
    store: Store


# The slot for the children. In a lazy node it is first empty, then a list with an item for each
# move (`None` until the child is created), and finally the tuple.
_places: Final[Any] = vars(MutableNode)['places']


class LazyNode(Node, _LazyDraft):
    """A node that creates its children when they are accessed, each at most once.

    Otherwise it equals the frozen node of another engine. It keeps the whole store alive, even if
    it is not the root; a search that continues it copies the part below it.
    """

    __slots__ = ()

    @property
    def places(self) -> tuple[Node | None, ...]:
        """The child of each of `moves`, or `None`; empty before the first child."""
        made = self._made()
        if isinstance(made, list):
            every = tuple(self._child_at(index, made) for index in range(len(made)))
            made = every if any(every) else ()
            _places.__set__(self, made)
        return made

    def child(self, move: object) -> Node | None:
        """Return the child for `move`, or `None` if there is none; create no other child."""
        made = self._made()
        if isinstance(made, tuple):
            return super().child(move)
        return self._child_at(self.moves.index(move), made) if move in self.moves else None

    def most_visited(self) -> Node | None:
        """Return the most visited child, if any was visited; create no other child."""
        made = self._made()
        if isinstance(made, tuple):
            return super().most_visited()
        visits = self.store.row(self.block, VISITS)
        most = max(visits)
        return self._child_at(visits.index(most), made) if most > 0 else None

    def visited(self) -> list[tuple[Any, int, float]]:
        """Return the moves whose children have visits: move, visits and reward; create no child."""
        made = self._made()
        if isinstance(made, tuple):
            return super().visited()
        return self.store.visited(self.block, self.moves) if made else []

    def count(self) -> int:
        """Return the number of nodes in the tree; create none."""
        if not self.block:
            return 1
        if self.block == self.store.first:
            return self.store.nodes
        return 1 + self.store.count(self.block)

    def _made(self) -> Made:
        """Return the value of the slot for the children.

        :raises EngineError: the game's moves differ from those when the tree was grown.
        """
        made: Made
        try:
            made = _places.__get__(self)
        except AttributeError:
            total = self.store.cells[self.block] if self.block else 0
            if total and total != len(self.moves):
                raise EngineError(
                    f'the tree was grown by other rules: {type(self.state).__name__} had {total} '
                    f'moves where it has {len(self.moves)}'
                ) from None
            made = [None] * total or ()
            _places.__set__(self, made)
        return made

    def _child_at(self, index: int, made: list[LazyNode | None]) -> LazyNode | None:
        """Return the child for the move with this index, if any, and store it in `made`."""
        child = made[index]
        if child is None:
            total = len(made)
            store = self.store
            visits = store.cells[cell(self.block, total, VISITS, index)]
            if visits >= 0:
                move = self.moves[index]
                state = self.state.play(move)
                moves = options_of(state)
                below = max(store.cells[cell(self.block, total, BELOW, index)], 0)
                reward = store.reward(self.block, total, index)
                columns = _columns(store, self.block, total, index, below, state, moves)
                facts = (move, self.state.player, state, moves, visits, reward, columns)
                child = made[index] = _node(facts, below, store)
        return child

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        packed = pack(self.store) if self.block == self.store.first else None
        if self.block not in (0, self.store.first):
            with suppress(ImportError):  # there is no LLVM
                arena = import_module('fmcts._linked.tree.arena')
                packed = pack(arena.subtree(self))
        if packed is None:  # then pickle node by node
            return super().__reduce__()
        return _unpickled, (self.facts(), packed)


def _node(facts: Facts, block: int, store: Store) -> LazyNode:
    draft = object.__new__(_LazyDraft)
    draft.move, draft.mover, draft.state, draft.moves, draft.visits, draft.reward = facts[:6]
    draft.columns, draft.losses = facts[6], 0
    draft.value = draft.reward / draft.visits if draft.visits else 0.0
    draft.block, draft.store = block, store
    draft.__class__ = LazyNode  # as `freeze_in_place` does
    return draft  # type: ignore[return-value]


def _columns(
    store: Store,
    block: int,
    total: int,
    index: int,
    below: int,
    state: Any,
    moves: tuple[Any, ...],
) -> Columns:
    """Return the columns of a child, from its siblings' block, and of its moves, from its block."""
    structure, names = store.structure, store.structure.names
    if not names:
        return NO_COLUMNS
    own, moves_of = structure.own, range(len(names.moves))
    numbers = tuple(store.real(block, total, row, index) for row in range(own))
    rows: Any
    if below:
        rows = tuple(tuple(store.reals(below, len(moves), own + row)) for row in moves_of)
    elif chances_of(state):
        rows = ((0.0,) * len(moves),) * len(moves_of)
    else:
        rows = rows_at(structure.method, names, state, moves)
    if not structure.refers:
        return Columns(names, numbers, rows)
    entries = store.table(below, len(moves)) if below else {}
    return Columns(names, numbers, rows, (), Remembered('table', entries))


def lazy(root: Node, store: Store, memory: tuple[Remembered, ...] = ()) -> LazyNode:
    """Return the root of the tree in the store, with constant fields from `root`.

    `memory` has the tables of its playouts.
    """
    visits = store.cells[cell(ROOT, 1, VISITS, 0)]
    reward = store.reward(ROOT, 1, 0)
    columns = _columns(store, ROOT, 1, 0, store.first, root.state, root.moves)
    if memory:
        columns = columns._replace(memory=memory)
    facts = (root.move, root.mover, root.state, root.moves, visits, reward, columns)
    return _node(facts, store.first, store)


def _unpickled(facts: Facts, packed: Packed) -> LazyNode:
    """Return the unpickled tree.

    :raises UnpicklingError: the tree is damaged, or of another version.
    """
    store = unpack(packed)
    return _node(facts, store.first, store)
