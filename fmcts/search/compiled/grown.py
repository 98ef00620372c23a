"""A tree as the compiled engine leaves it: numbers in an array; frozen nodes are made on demand."""

from __future__ import annotations

from typing import Any, cast

from attrs import frozen

from fmcts.rules import IntegerRules, rules_of
from fmcts.search.compiled.arena import Arena
from fmcts.search.compiled.layout import BELOW, HALVES, ROOT, VISITS, cell
from fmcts.search.compiled.preorder import digest
from fmcts.search.tree import Draft, Node, seal

__all__ = ['GrownArena']


@frozen(eq=False)
class GrownArena:
    """The outcome of a compiled search; see `fmcts.search.analysis.Grown`.

    `root` is the root before the search: its state, moves and mover are those of the grown tree.
    Nobody writes to the arena any more.
    """

    root: Node
    arena: Arena

    def top(self) -> Node:
        """The root with its children, without what lies below them."""
        return self._nodes(children_only=True)

    def tree(self) -> Node:
        """The root of the whole frozen tree."""
        return self._nodes(children_only=False)

    def digest(self) -> str:
        """The digest of the whole tree, from the numbers."""
        rules = cast('IntegerRules', rules_of(self.root.state))  # or there would be no arena
        return digest(self.arena, self.root, rules)

    def count(self) -> int:
        """The number of nodes, the root included."""
        return self.arena.nodes

    def _nodes(self, *, children_only: bool) -> Node:
        """Frozen nodes, in the same order as they would have been made by another engine."""
        words = memoryview(
            cast('Any', self.arena.words)
        )  # read as Python integers, faster than numpy's
        root = self._draft(self.root, words, cell(ROOT, 1, VISITS, 0), 1)
        unsealed = [root]
        waiting = [(root, self.arena.first)]
        while waiting:
            parent, block = waiting.pop()
            total, state, mover = words[block], parent.state, parent.state.player
            begin = cell(block, total, VISITS, 0)
            for index, move in enumerate(parent.moves):
                place = begin + index
                if words[place] < 0:
                    continue
                after = state.play(move)
                like = Draft(move, mover, after, after.moves, 0, 0.0, 0.0, ())
                child = self._draft(like, words, place, total)
                parent.children.append(child)
                below = words[place + (BELOW - VISITS) * total]
                unsealed.append(child)
                if below > 0 and not children_only:
                    waiting.append((child, below))
        for draft in unsealed:
            draft.children = tuple(draft.children)
            seal(draft)
        return root  # type: ignore[return-value]

    @staticmethod
    def _draft(like: Draft, words: Any, place: int, total: int) -> Draft:
        """A draft with the statistics at `place`, in other respects as `like`."""
        visits = words[place]
        reward = words[place + (HALVES - VISITS) * total] / 2
        value = reward / visits if visits else 0.0
        return Draft(like.move, like.mover, like.state, like.moves, visits, reward, value, [])
