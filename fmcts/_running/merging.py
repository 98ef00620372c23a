"""Several trees of one position as one tree.

`merged` takes trees that were grown independently, `combined` trees that continued the same tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Any, Final

from fmcts.search import NO_COLUMNS, ColumnNames, Columns, MutableNode, Node, freeze_in_place
from fmcts.search.resolution import Resolution


class _MergedDraft(MutableNode):
    """A draft of a merged node: the same node of several trees, in the order of the trees."""

    __slots__ = ('resolution', 'same')

    same: tuple[Node, ...]
    resolution: Resolution | None


_places: Final[Any] = vars(MutableNode)['places']


class _MergedNode(Node, _MergedDraft):
    """A node with the sums of its trees' visits and rewards. It creates its children on demand."""

    __slots__ = ()

    @property
    def places(self) -> tuple[Node | None, ...]:
        """The child of each of `moves` that any of the trees has, or `None`."""
        try:
            return _places.__get__(self)  # type: ignore[no-any-return]
        except AttributeError:
            made = tuple(
                _node(same, self.resolution) if same else None for same in _below(self.same)
            )
            _places.__set__(self, made)
            return made


def _below(same: Sequence[Node]) -> list[list[Node]]:
    """Return the children of one node in several trees, for each move from those that have it."""
    opened = [node.places for node in same if node.places]
    return [[child for child in children if child] for children in zip(*opened, strict=True)]


def _node(same: Sequence[Node], resolution: Resolution | None) -> Node:
    node, first = object.__new__(_MergedDraft), same[0]
    node.move, node.mover, node.state, node.moves = first.facts()[:4]
    node.visits, node.reward = 0, 0.0
    for each in same:
        node.visits += each.visits
        node.reward += each.reward
    node.value = node.reward / node.visits if node.visits else 0.0
    node.columns, node.losses = NO_COLUMNS, 0
    if resolution is not None:
        numbers = [*map(resolution.of, same)]
        decided = [number for number in numbers if resolution.ends(number)]
        number = next(filter(None, (*decided, *numbers)), 0.0)
        node.columns = Columns(ColumnNames((resolution.column,)), (number,))
    node.same, node.resolution = tuple(same), resolution
    node.__class__ = _MergedNode  # as `freeze_in_place` does
    return node  # type: ignore[return-value]


def merged(trees: Sequence[Node], resolution: Resolution | None = None) -> Node:
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


def combined(base: Node, trees: Sequence[Node]) -> Node:
    """Return `base` with what each of the trees that continued it has besides.

    It has every node of the trees; to visits and rewards of the base it adds, tree by tree, what
    the tree has more. The trees must have no columns, and visits at every node with children.

    :param trees: at least one, each grown from `base` by a search.
    """
    root = trees[0].mutable_copy(())
    waiting: list[tuple[MutableNode, Node | None, Sequence[Node]]] = [(root, base, trees)]
    drafts = []
    while waiting:
        draft, before, same = waiting.pop()
        drafts.append(draft)
        visits, reward = (before.visits, before.reward) if before else (0, 0.0)
        draft.visits = visits + sum(node.visits - visits for node in same)
        draft.reward = reward + sum(node.reward - reward for node in same)
        draft.value = draft.reward / draft.visits if draft.visits else 0.0
        known: Iterable[Node | None] = (before and before.places) or repeat(None)
        places: list[MutableNode | None] = []
        for old, nodes in zip(known, _below(same), strict=False):
            if not nodes or (old and all(node.visits == old.visits for node in nodes)):
                places.append(old)
                continue
            child = nodes[0].mutable_copy(())
            places.append(child)
            waiting.append((child, old, nodes))
        draft.places = tuple(places)
    for draft in drafts:
        freeze_in_place(draft)
    return root  # type: ignore[return-value] # frozen by now
