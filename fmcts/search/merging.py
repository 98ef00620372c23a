"""Several trees of one position as one: what was found in each is added up.

Nodes are merged when they are looked at: of a tree whose move alone is wanted, that is the root and
its children.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from fmcts.search.columns import Columns
from fmcts.search.description import Search
from fmcts.search.memory import Numbers, Place, Remembered
from fmcts.search.tree import MutableNode, Node

__all__ = ['merged', 'unmergeable']

SUMS: Final = frozenset(('squares', 'amaf_visits', 'amaf_reward'))
FACTS: Final = frozenset(('prior', 'heuristic', 'proof', 'closed'))
KNOWN: Final = SUMS | FACTS
"""Columns that are sums over iterations, and those that are true of the position, or still 0."""


def unmergeable(search: Search) -> str | None:
    """Return what of a search's trees cannot be merged; `None`: nothing."""
    if search.transpositions is not None:
        return f'transpositions={search.transpositions}'
    if search.policy.memories:
        return f'what playouts remember ({search.policy.memories[0].name})'
    names = search.columns
    unknown = [name for name in (*names.own, *names.moves, *names.table) if name not in KNOWN]
    return f'the column {unknown[0]}' if unknown else None


class _MergedDraft(MutableNode):
    """A draft of a `MergedNode`: `parts` are the same node in several trees."""

    __slots__ = ('parts',)

    parts: tuple[Node, ...]


_children: Final[Any] = vars(MutableNode)['children']


class MergedNode(Node, _MergedDraft):
    """A node with the sums of several, which merges its children when they are looked at."""

    __slots__ = ()

    @property
    def children(self) -> tuple[Node, ...]:  # type: ignore[override] # to its readers, the slot
        """The children that any of the nodes has, in the order of `moves`."""
        try:
            made: tuple[Node, ...] = _children.__get__(self)
        except AttributeError:
            below: dict[int, list[Node]] = {}
            for node in self.parts:
                place = 0
                for child in node.children:
                    while node.moves[place] != child.move:
                        place += 1
                    below.setdefault(place, []).append(child)
            made = tuple(_sum(below[place]) for place in sorted(below))
            _children.__set__(self, made)
        return made


def merged(trees: Sequence[Node]) -> Node:
    """Return the tree that has every node of the trees, with the sums of their visits and rewards.

    Rewards are added in the order of the trees, and so are columns that are sums. A node is proven
    if it is in one of the trees.

    :param trees: roots of the same state, grown by the same search, for which `unmergeable` has
        found nothing.
    :raises ValueError: there is no tree, they are of different states or searches, or one keeps
        what cannot be merged.
    """
    if not trees:
        raise ValueError('there is no tree to merge')
    first = trees[0]
    names = first.columns.names
    for tree in trees:
        if tree.state != first.state or tree.moves != first.moves:
            raise ValueError('trees of different positions cannot be merged')
        if tree.columns.names != names:
            raise ValueError('trees with different columns cannot be merged')
        if tree.columns.memory or tree.transpositions is not None:
            raise ValueError('graphs, and trees whose playouts remember, cannot be merged')
    unknown = [name for name in (*names.own, *names.moves, *names.table) if name not in KNOWN]
    if unknown:
        raise ValueError(f'trees with the column {unknown[0]} cannot be merged')
    return _sum(trees)


def _sum(same: Sequence[Node]) -> Node:
    """One node, with the numbers of all of them; of one alone, that one."""
    if len(same) == 1:
        return same[0]
    first = same[0]
    draft = object.__new__(_MergedDraft)
    draft.move, draft.mover = first.move, first.mover
    draft.state, draft.moves = first.state, first.moves
    draft.visits = sum(node.visits for node in same)
    draft.reward = _added([node.reward for node in same])
    draft.value = draft.reward / draft.visits if draft.visits else 0.0
    draft.columns = _columns([node.columns for node in same])
    draft.parts = tuple(same)
    draft.__class__ = MergedNode  # as `freeze_in_place` does
    return draft  # type: ignore[return-value]


def _added(numbers: Sequence[float]) -> float:
    """The sum, from the first to the last: `sum` would round in another way."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def _columns(same: Sequence[Columns]) -> Columns:
    names = same[0].names
    if not names:
        return same[0]
    own = tuple(
        _number(name, [columns.own[place] for columns in same])
        for place, name in enumerate(names.own)
    )
    moves = tuple(
        tuple(
            _number(name, numbers)
            for numbers in zip(*(columns.moves[place] for columns in same), strict=True)
        )
        for place, name in enumerate(names.moves)
    )
    return same[0]._replace(own=own, moves=moves, table=_table(same))


def _number(name: str, numbers: Sequence[float]) -> float:
    return _added(numbers) if name in SUMS else next(filter(None, numbers), numbers[0])


def _table(same: Sequence[Columns]) -> Remembered | None:
    tables = [columns.table for columns in same if columns.table is not None]
    if not tables:
        return None
    total: dict[Place, Numbers] = {}
    for table in tables:
        for place, numbers in table.entries.items():
            before = total.get(place, (0.0,) * len(numbers))
            total[place] = tuple(one + two for one, two in zip(before, numbers, strict=True))
    return Remembered(tables[0].name, total)
