"""Several trees of one position as one tree.

`merged` takes trees that were grown independently, `combined` trees that continued the same tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat

from fmcts.search import (
    NO_COLUMNS,
    ColumnNames,
    Columns,
    MutableNode,
    Node,
    OnDemandNode,
    freeze_in_place,
    on_demand_node,
)
from fmcts.search.resolution import Resolution


class _MergedNode(OnDemandNode):
    """A node with the sums of its trees' visits and rewards.

    Its source is the same node of several trees, in the order of the trees, and the resolution.
    """

    __slots__ = ()

    def made_places(self) -> tuple[Node | None, ...]:
        """Return the child of each of `moves` that any of the trees has, or `None`."""
        same, resolution = self.source
        return tuple(_node(each, resolution) if each else None for each in _below(same))


def _below(same: Sequence[Node]) -> list[list[Node]]:
    """Return the children of one node in several trees, for each move from those that have it."""
    opened = [node.places for node in same if node.places]
    return [[child for child in children if child] for children in zip(*opened, strict=True)]


def _node(same: Sequence[Node], resolution: Resolution | None) -> Node:
    visits, reward, columns = 0, 0.0, NO_COLUMNS
    for each in same:
        visits += each.visits
        reward += each.reward
    if resolution is not None:
        numbers = [*map(resolution.of, same)]
        decided = [number for number in numbers if resolution.ends(number)]
        number = next(filter(None, (*decided, *numbers)), 0.0)
        columns = Columns(ColumnNames((resolution.column,)), (number,))
    facts = (*same[0].facts()[:4], visits, reward, columns)
    return on_demand_node(_MergedNode, facts, (tuple(same), resolution))  # type: ignore[no-any-return]


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
