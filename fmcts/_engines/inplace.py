"""The in-place engine: thaw, loop, freeze. Local mutation behind a pure interface.

It is the counterpart of the ST-monad version of the Haskell articles: the tree and the generator
are thawed once, mutated in place, and frozen once at the end. Nobody outside sees a change, so the
function is as pure as the reference engine, and equal to it to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Self, cast

from attrs import define

from fmcts._arithmetic import logarithms
from fmcts._engines.expansion import LIMITLESS, NO_STEP, Step, opened, room_left
from fmcts._engines.outcomes import Found, Path
from fmcts._engines.plan import Plan, plan_of
from fmcts._promises import checked_moves
from fmcts.game import Player
from fmcts.rng import Draws, R, thaw as thaw_rng
from fmcts.search import MoveStats, MutableNode, Node, Search, freeze_in_place, stats_along
from fmcts.search.schedules import Forced, Line

X = Player.X


def thaw(root: Node) -> MutableNode:
    """Return a copy of the tree that can be written to, with places in lists."""
    copy = root.mutable_copy(root.places)
    unfinished = [copy]
    while unfinished:
        draft = unfinished.pop()
        draft.places = [child and child.mutable_copy(child.places) for child in draft.places]
        unfinished.extend(draft.children)
    return copy


def freeze(root: MutableNode) -> Node:
    """Freeze the tree's nodes in place and return it; nothing may write to it any more."""
    unfinished = [root]
    while unfinished:
        draft = unfinished.pop()
        unfinished.extend(draft.children)
        draft.places = tuple(draft.places)
        freeze_in_place(draft)
    return cast('Node', root)


def select(
    root: MutableNode,
    plan: Plan,
    log: Sequence[float],
    draws: Draws,
    room: float = LIMITLESS,
    above: Sequence[Any] = (),
) -> tuple[Path, MutableNode, Step]:
    """Descend to a node that is finished, or needs a child; the step says which child.

    The path has each node above it, with its places and the one taken; it begins with the path
    `above` the root. `room` as in `advance`.
    """
    path: Path = [*above]
    node, choose, rolls, due = root, plan.choose, plan.rolls, plan.due
    offset, stops, made = plan.log_offset, plan.stops, 0
    while moves := node.moves:
        places = node.places
        if stops and stops(path, node):
            break
        if due and (step := due(path, node, room)):
            node, place, made = step
        elif places and all(places) and not (rolls and rolls(node.state)):
            log_visits = log[offset + node.visits]
            place = choose(node, places, log_visits, path) if len(moves) > 1 else 0
        else:
            chances = plan.chances and plan.chances(node, places, path)
            drawn = draws.draw(chances) if chances else 0
            log_visits = log[offset + node.visits]
            place, made = plan.step(node, places, log_visits, path, drawn)
        if made:
            return path, node, (place, made)
        path.append((node, places, place))
        node = places[place]
    return path, node, NO_STEP


def expand(node: MutableNode, step: Step, plan: Plan) -> list[Any]:
    """Give `node` the child of the step, or one for every move, and return its places."""
    place, made = step
    if not node.places:  # done here and not for each leaf, most of which never get children
        checked_moves(node.state, listed=not node.columns.proposed)
        node.places = opened(node)
    moves, places = node.moves, node.places
    for each in range(len(moves)) if made > 1 else (place,):
        if places[each] is None:
            places[each] = plan.leaf(node, moves[each])
    return places  # type: ignore[no-any-return]


def simulate(path: Path, node: MutableNode, plan: Plan, draws: Draws) -> Found:
    """Return a playout's reward from `node`; a finished node's result, without a draw."""
    if not node.moves:
        return plan.ended(path, node)
    return plan.playout(path, node, draws.draw)


def backup(path: Path, node: MutableNode, worth: Any, trace: Any, plan: Plan) -> None:
    """Add one visit and its reward to `node` and everything above it."""
    seats, update, returns = plan.seats, plan.update, plan.returns
    for_o = 0.0 if seats else 1.0 - worth
    below = None
    while True:
        mover = node.mover
        if returns and path:
            worth = returns.of(node.state, worth)
        gained = worth[seats[mover]] if seats else worth if mover is X else for_o
        if update:
            # Before the counts change: an update reads the node as it was, as where paths are
            # copied.
            node.columns = update(node, node.places, below, path, worth, trace)
            below = node
        node.visits += 1
        node.reward += gained
        node.value = node.reward / node.visits
        if not path:
            return
        node, _, _ = path.pop()


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
        for _ in range(iterations):
            if plan.finished and plan.finished(tree):
                self.ended = True
                break
            # The iteration that finds no room is as if it had never begun: its draws do not count.
            rng: Any = draws.freeze() if bounded else None
            path, node, step = select(tree, plan, log, draws, room)
            end, before, (place, made) = node, [*node.places] if bounded else None, step
            if made <= room:
                if made:
                    places = expand(node, step, plan)
                    path.append((node, places, place))
                    node = places[place]
                worth, trace, states = simulate(path, node, plan, draws)
                if states is not None:
                    made += states.made
            if made > room:  # nothing else was written so far
                self.draws, end.places, self.ended = thaw_rng(rng), before, True
                break
            if states is not None:
                plan.extend(node, states)
            backup(path, node, worth, trace, plan)
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
