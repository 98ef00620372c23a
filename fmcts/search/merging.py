"""Several trees of one position as one tree, whose nodes are made when they are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from fmcts.search.columns import NONE, ColumnNames, Columns
from fmcts.search.settling import Settling
from fmcts.search.tree import MutableNode, Node

__all__ = ['merged']


class _MergedDraft(MutableNode):
    """A draft of a merged node: the same node of several trees, in the order of the trees."""

    __slots__ = ('resolution', 'same')

    same: tuple[Node, ...]
    resolution: Settling | None


_children: Final[Any] = vars(MutableNode)['children']


class _MergedNode(Node, _MergedDraft):
    """A node with the sums of its trees' visits and rewards. It makes its children on demand."""

    __slots__ = ()

    @property
    def children(self) -> tuple[Node, ...]:  # type: ignore[override] # to its readers, the slot
        """The children that any of the trees has, in the order of `moves`."""
        try:
            return _children.__get__(self)  # type: ignore[no-any-return]
        except AttributeError:
            below: dict[int, list[Node]] = {}
            for node in self.same:
                place = 0
                for child in node.children:
                    while node.moves[place] != child.move:
                        place += 1
                    below.setdefault(place, []).append(child)
            made = tuple(_node(below[place], self.resolution) for place in sorted(below))
            _children.__set__(self, made)
            return made


def _node(same: Sequence[Node], resolution: Settling | None) -> Node:
    node, first = object.__new__(_MergedDraft), same[0]
    node.move, node.mover, node.state, node.moves = first.facts()[:4]
    node.visits, node.reward = 0, 0.0
    for each in same:
        node.visits += each.visits
        node.reward += each.reward
    node.value = node.reward / node.visits if node.visits else 0.0
    node.columns = NONE
    if resolution is not None:
        numbers = [each.columns.own[-1] for each in same]
        decided = [number for number in numbers if resolution.ends(number)]
        number = next(filter(None, (*decided, *numbers)), 0.0)
        node.columns = Columns(ColumnNames((resolution.column,)), (number,))
    node.same, node.resolution = tuple(same), resolution
    node.__class__ = _MergedNode  # as `freeze_in_place` does
    return node  # type: ignore[return-value]


def merged(trees: Sequence[Node], resolution: Settling | None = None) -> Node:
    """Return the tree that has every node of the trees, with the sums of visits and rewards.

    Rewards are added in the order of the trees. What a method or a playout policy keeps besides is
    not in it; with `resolution`, the solver of a search, the column that this keeps is: of each
    node what the first tree has proven that has proven anything.

    :param trees: roots of the same state, none of them of a graph.
    :raises ValueError: `trees` is empty, or they are of different states, or one is of a graph.
    """
    if not trees:
        raise ValueError('there is no tree to merge')
    first = trees[0]
    for tree in trees:
        if tree.state != first.state or tree.moves != first.moves:
            raise ValueError('trees of different positions cannot be merged')
        if tree.transpositions is not None:
            raise ValueError('graphs (transpositions) cannot be merged: use a search by trees')
    return _node(trees, resolution)
