"""A tree as the compiled engine leaves it: numbers in an array; frozen nodes are made on demand."""

from __future__ import annotations

from typing import Any, cast

from attrs import frozen

from fmcts.rules import IntegerRules, rules_of
from fmcts.search.columns import NONE, Columns
from fmcts.search.compiled.arena import Arena
from fmcts.search.compiled.columns import column
from fmcts.search.compiled.layout import BELOW, HALVES, ROOT, VISITS, cell
from fmcts.search.compiled.preorder import digest
from fmcts.search.compiled.structure import Structure
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
    structure: Structure

    def top(self) -> Node:
        """The root with its children, without what lies below them."""
        return self._nodes(children_only=True)

    def tree(self) -> Node:
        """The root of the whole frozen tree."""
        return self._nodes(children_only=False)

    def digest(self) -> str:
        """The digest of the whole tree, from the numbers."""
        rules = cast('IntegerRules', rules_of(self.root.state))  # or there would be no arena
        return digest(self.arena, self.root, rules, self.structure)

    def count(self) -> int:
        """The number of nodes, the root included."""
        return self.arena.nodes

    def _nodes(self, *, children_only: bool) -> Node:
        """Frozen nodes, in the same order as they would have been made by another engine."""
        words = memoryview(
            cast('Any', self.arena.words)
        )  # read as Python integers, faster than numpy's
        root = self._draft(self.root, words, ROOT, 1, 0)
        unsealed = [root]
        waiting = [(root, self.arena.first)]
        while waiting:
            parent, block = waiting.pop()
            total, state, mover = words[block], parent.state, parent.state.player
            for index, move in enumerate(parent.moves):
                if words[cell(block, total, VISITS, index)] < 0:
                    continue
                after = state.play(move)
                like = Draft(move, mover, after, after.moves, 0, 0.0, 0.0, ())
                child = self._draft(like, words, block, total, index)
                parent.children.append(child)
                below = words[cell(block, total, BELOW, index)]
                unsealed.append(child)
                if below > 0 and not children_only:
                    waiting.append((child, below))
        for draft in unsealed:
            draft.children = tuple(draft.children)
            seal(draft)
        return root  # type: ignore[return-value]

    def _draft(self, like: Draft, words: Any, block: int, total: int, index: int) -> Draft:
        """A draft with the statistics of a child, in other respects as `like`."""
        visits = words[cell(block, total, VISITS, index)]
        if self.structure.real:
            reward = _real(words, column(block, total, self.structure.reward_row, index))
        else:
            reward = words[cell(block, total, HALVES, index)] / 2
        value = reward / visits if visits else 0.0
        columns = (
            self._columns(like, words, block, total, index) if self.structure.method.names else NONE
        )
        return Draft(
            like.move, like.mover, like.state, like.moves, visits, reward, value, [], columns
        )

    def _columns(self, like: Draft, words: Any, block: int, total: int, index: int) -> Columns:
        """The columns of a child: its own beside its siblings', those of its moves in its block."""
        method, own = self.structure.method, self.structure.own
        below = words[cell(block, total, BELOW, index)]
        rows: Any
        if below > 0:
            count = len(like.moves)
            rows = (
                tuple(_real(words, column(below, count, own + row, move)) for move in range(count))
                for row in range(len(method.move_columns))
            )
        else:
            rows = method.first_rows(like.state, like.moves)
        numbers = (_real(words, column(block, total, row, index)) for row in range(own))
        return Columns(method.names, tuple(numbers), tuple(rows))


def _real(words: Any, place: int) -> float:
    """The double that two integers hold."""
    return float(words[place : place + 2].cast('B').cast('d')[0])
