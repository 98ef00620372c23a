"""Places for the nodes of a drawn tree, in time linear in their number.

E. M. Reingold and J. S. Tilford, "Tidier drawings of trees", IEEE Transactions on Software
Engineering 1981; for any number of children J. Q. Walker, "A node-positioning algorithm for general
trees", Software: Practice and Experience 1990; in linear time C. Buchheim, M. Jünger and
S. Leipert, "Improving Walker's algorithm to run in linear time", Graph Drawing 2002. Names are
those of the last paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def places_across(parents: Sequence[int]) -> list[float]:
    """Return where each node is placed across, in units of the least distance between two.

    A parent is over the middle of its first and last child. On each level nodes are in order and at
    least 1 apart; equal subtrees look equal. The leftmost node is at 0.

    :param parents: for each node the index of its parent, and -1 for the root; a node comes after
        all of its left siblings' subtrees (preorder).

    >>> places_across([-1, 0, 1, 1, 0])
    [1.0, 0.5, 0.0, 1.0, 1.5]
    """
    if not parents:
        return []
    tree = _Tree(parents)
    for node in range(len(parents) - 1, -1, -1):  # children before parents
        tree.place_children(node)
    places = [tree.prelim[0]]
    shifts = [0.0] * len(parents)
    for node in range(1, len(parents)):
        above = parents[node]
        shifts[node] = shifts[above] + tree.mod[above]
        places.append(tree.prelim[node] + shifts[node])
    least = min(places)
    return [place - least for place in places]


class _Tree:
    """The arrays of the algorithm; a node's subtree is placed before the node itself."""

    def __init__(self, parents: Sequence[int]) -> None:
        count = len(parents)
        self.children: list[list[int]] = [[] for _ in parents]
        self.index = [0] * count  # among its siblings
        for node, above in enumerate(parents):
            if above >= 0:
                self.index[node] = len(self.children[above])
                self.children[above].append(node)
        self.parents = parents
        self.prelim = [0.0] * count
        self.mod = [0.0] * count
        self.shift = [0.0] * count
        self.change = [0.0] * count
        self.thread = [-1] * count
        self.ancestor = list(range(count))

    def place_children(self, node: int) -> None:
        """Place the children of a node beside each other, and the node above them."""
        children = self.children[node]
        if not children:
            return
        default = children[0]
        for left, child in pairwise(children):
            middle = self.prelim[child]  # over its own children
            self.prelim[child] = self.prelim[left] + 1
            if self.children[child]:
                self.mod[child] = self.prelim[child] - middle
            default = self._apportion(child, left, default)
        self._execute_shifts(children)
        self.prelim[node] = (self.prelim[children[0]] + self.prelim[children[-1]]) / 2

    def _next_left(self, node: int) -> int:
        return self.children[node][0] if self.children[node] else self.thread[node]

    def _next_right(self, node: int) -> int:
        return self.children[node][-1] if self.children[node] else self.thread[node]

    def _apportion(self, child: int, left: int, default: int) -> int:
        """Move a child's subtree to the right until it is clear of its left siblings' subtrees."""
        inner_right = outer_right = child
        inner_left, outer_left = left, self.children[self.parents[child]][0]
        sums = [self.mod[it] for it in (inner_right, outer_right, inner_left, outer_left)]
        while True:
            below_left, below_right = self._next_right(inner_left), self._next_left(inner_right)
            if below_left < 0 or below_right < 0:
                break
            inner_left, inner_right = below_left, below_right
            outer_left, outer_right = self._next_left(outer_left), self._next_right(outer_right)
            self.ancestor[outer_right] = child
            shift = self.prelim[inner_left] + sums[2] - self.prelim[inner_right] - sums[0] + 1
            if shift > 0:
                known = self.ancestor[inner_left]
                sibling = self.parents[known] == self.parents[child]
                self._move(known if sibling else default, child, shift)
                sums[0] += shift
                sums[1] += shift
            for place, node in enumerate((inner_right, outer_right, inner_left, outer_left)):
                sums[place] += self.mod[node]
        if below_left >= 0 and self._next_right(outer_right) < 0:
            self.thread[outer_right] = below_left
            self.mod[outer_right] += sums[2] - sums[1]
        if below_right >= 0 and self._next_left(outer_left) < 0:
            self.thread[outer_left] = below_right
            self.mod[outer_left] += sums[0] - sums[3]
            default = child
        return default

    def _move(self, left: int, right: int, shift: float) -> None:
        """Move the subtree of `right`, and by shares those between it and `left`."""
        between = self.index[right] - self.index[left]
        self.change[right] -= shift / between
        self.shift[right] += shift
        self.change[left] += shift / between
        self.prelim[right] += shift
        self.mod[right] += shift

    def _execute_shifts(self, children: list[int]) -> None:
        shift = change = 0.0
        for child in reversed(children):
            self.prelim[child] += shift
            self.mod[child] += shift
            change += self.change[child]
            shift += self.shift[child] + change
