"""The in-place engine: thaw, loop, freeze. Local mutation behind a pure interface.

It is the counterpart of the ST-monad version of the Haskell articles: the tree and the generator
are thawed once, mutated in place, and frozen once at the end. Nobody outside sees a change, so the
function is as pure as the reference engine, and equal to it to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Generic, Self, cast

from attrs import define

from fmcts._engines.expansion import LIMITLESS, NO_STEP, Step, filled, room_left
from fmcts._engines.plan import Found, Plan, freeze_columns, plan_of, thaw_columns
from fmcts.game import Player, checked_moves
from fmcts.rng import Draws, thaw as thaw_rng
from fmcts.rng._protocol import R
from fmcts.search._analysis import MoveStats, stats_along
from fmcts.search._arithmetic import logarithms
from fmcts.search._description import Search
from fmcts.search._tree import MutableNode, Node, freeze_in_place
from fmcts.search.schedules import Forced, Line

X = Player.X

Path = list[MutableNode]


def thaw(root: Node) -> MutableNode:
    """Return a copy of the tree that can be written to, with children in lists."""
    copy = root.mutable_copy(root.children)
    copy.columns = thaw_columns(root.columns)
    unfinished = [copy]
    while unfinished:
        draft = unfinished.pop()
        draft.children = [child.mutable_copy(child.children) for child in draft.children]
        unfinished.extend(draft.children)
    return copy


def freeze(root: MutableNode) -> Node:
    """Freeze the tree's nodes in place and return it; nothing may write to it any more."""
    root.columns = freeze_columns(root.columns)
    unfinished = [root]
    while unfinished:
        draft = unfinished.pop()
        unfinished.extend(draft.children)
        draft.children = tuple(draft.children)
        freeze_in_place(draft)
    return cast('Node', root)


def select(
    root: MutableNode, plan: Plan, log: Sequence[float], draws: Draws
) -> tuple[Path, MutableNode, Step]:
    """Descend to a node that is finished, or needs a child; the step says which child.

    The path has each node above it.
    """
    path: Path = []
    node, choose, offset, stops = root, plan.choose, plan.log_offset, plan.stops_unvisited
    while moves := node.moves:
        children, count = node.children, len(moves)
        if stops and path and not node.visits:
            break
        if len(children) == count:
            log_visits = log[offset + node.visits]
            place = choose(node, children, log_visits, path) if count > 1 else 0
        else:
            chances = plan.chances and plan.chances(node, children, path)
            drawn = draws.draw(chances) if chances else 0
            log_visits = log[offset + node.visits]
            index, place, made = plan.step(node, children, log_visits, path, drawn)
            if made:
                return path, node, (index, place, made)
        path.append(node)
        node = children[place]
    return path, node, NO_STEP


def expand(node: MutableNode, step: Step, plan: Plan) -> MutableNode:
    """Give `node` the child of the step, or one for every move; return the one to simulate."""
    index, place, made = step
    moves, children = node.moves, node.children
    if not children:  # done here and not for each leaf, most of which never get children
        checked_moves(node.state)
    if made > 1:
        children[:] = filled(moves, children, partial(plan.leaf, node))
    else:
        children.insert(place, plan.leaf(node, moves[index]))
    return children[place]  # type: ignore[no-any-return]


def simulate(path: Path, node: MutableNode, plan: Plan, draws: Draws) -> Found:
    """Return a playout's reward from `node`; a finished node's result, without a draw."""
    if not node.moves:
        return plan.ended(path, node)
    return plan.playout(path, node, draws.draw)


def backup(path: Path, node: MutableNode, for_x: float, trace: Any, plan: Plan) -> None:
    """Add one visit and its reward to `node` and everything above it."""
    for_o, update = 1.0 - for_x, plan.update
    below = None
    while True:
        if update:
            parent = path[-1] if path else None
            node.columns = update(node, node.children, below, parent, for_x, trace)
            below = node
        node.visits += 1
        node.reward += for_x if node.mover is X else for_o
        node.value = node.reward / node.visits
        if not path:
            return
        node = path.pop()


def verbs(plan: Plan) -> tuple[Any, Any]:
    """Return `select` and `backup`, or what the plan has in their place."""
    if plan.verbs is None:
        return select, backup
    return plan.verbs.select_in_place, plan.verbs.backup_in_place or backup


@define
class InPlace(Generic[R]):
    """A running search: an advance mutates the tree and the generator in place."""

    tree: MutableNode
    draws: Draws
    plan: Plan
    room: float
    ended: bool = False

    @property
    def visits(self) -> int:
        """The visits of the root."""
        return self.tree.visits

    def advance(self, iterations: int, forced: Forced = None) -> Self:
        """Return the session itself, after `iterations` more iterations."""
        tree, draws, plan, room = self.tree, self.draws, self.plan.forcing(forced), self.room
        log, bounded = logarithms(tree.visits + iterations), room < LIMITLESS
        select, backup = verbs(plan)
        for _ in range(iterations):
            if plan.finished and plan.finished(tree):
                self.ended = True
                break
            rng: Any = draws.freeze() if bounded else None
            path, node, step = select(tree, plan, log, draws)
            end, made = node, step[2]
            children = [*end.children] if bounded else None
            if made <= room:
                if made:
                    path.append(node)
                    node = expand(node, step, plan)
                for_x, trace, states = simulate(path, node, plan, draws)
                if states is not None:
                    made += states.made
            if made > room:  # nothing else was written so far
                self.draws, end.children, self.ended = thaw_rng(rng), children, True
                break
            if states is not None:
                plan.extend(node, states)
            backup(path, node, for_x, trace, plan)
            room -= made
        self.room = room
        return self

    def stats(self, line: Line = ()) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves, or of those at the end of a line."""
        return stats_along(self.tree, line)

    def finish(self) -> tuple[Node, R]:
        """Return the tree, and the generator to use next; nothing may be mutated any more."""
        return freeze(self.tree), cast('R', self.draws.freeze())


def begin(root: Node, rng: R, search: Search) -> InPlace[R]:
    """Return the search of that root, before its first iteration."""
    plan = plan_of(search, root.state, in_place=True)
    return InPlace(thaw(root), thaw_rng(rng), plan, room_left(root, search.max_nodes))
