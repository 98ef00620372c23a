"""Several trees of one position as one: what was found in each is added up."""

from __future__ import annotations

from collections.abc import Sequence

from fmcts.search.tree import MutableNode, Node, freeze_in_place

__all__ = ['merged']


def merged(trees: Sequence[Node]) -> Node:
    """The tree that has every node of the trees, with the sums of their visits and rewards.

    Rewards are added in the order of the trees. A node that is in one of them only is as it is
    there. Nothing recurses, as trees may be deep.

    :param trees: roots of the same state, none of which keeps columns.
    :raises ValueError: there is no tree, they are of different states, or one keeps columns.
    """
    if not trees:
        raise ValueError('there is no tree to merge')
    first = trees[0]
    for tree in trees:
        if tree.state != first.state or tree.moves != first.moves:
            raise ValueError('trees of different positions cannot be merged')
        if tree.columns.names or tree.columns.memory or tree.transpositions is not None:
            raise ValueError(
                'only trees that keep visits and rewards can be merged: no columns, no graph'
            )
    root = _sum(list(trees))
    waiting: list[tuple[MutableNode, list[Node]]] = [(root, list(trees))]
    for node, same in waiting:  # grows as it goes: children come after their parents
        below: dict[int, list[Node]] = {}
        for one in same:
            place = 0
            for child in one.children:
                while one.moves[place] != child.move:
                    place += 1
                below.setdefault(place, []).append(child)
        node.children = [_sum(below[place]) for place in sorted(below)]
        waiting.extend(
            (child, below[place]) for child, place in zip(node.children, sorted(below), strict=True)
        )
    for node, _ in reversed(waiting):
        node.children = tuple(node.children)
        freeze_in_place(node)
    return root  # type: ignore[return-value] # it has been frozen


def _sum(same: list[Node]) -> MutableNode:
    """One node, with the numbers of all of them."""
    new = same[0].mutable_copy([])
    new.visits = sum(node.visits for node in same)
    new.reward = 0.0
    for node in same:
        new.reward += node.reward
    new.value = new.reward / new.visits if new.visits else 0.0
    return new
