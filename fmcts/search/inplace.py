"""The in-place engine: thaw, loop, freeze. Local mutation behind a pure face.

It stands where the ST-monad version of the Haskell articles stands: the tree and the generator are
thawed once, mutated where they lie, and frozen once at the end. Nobody outside sees a change, so
the function is as pure as the reference engine, and equal to it to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Self, TypeVar, cast

from attrs import define

from fmcts.game import Player, checked_moves
from fmcts.rng import Draws, Rng, thaw as thaw_rng
from fmcts.search.analysis import MoveStats, stats_along
from fmcts.search.chains import Chain, write_chain
from fmcts.search.columns import NONE
from fmcts.search.description import Search
from fmcts.search.expansion import (
    LIMITLESS,
    added,
    before,
    filled,
    first_untried,
    lacks_room,
    place_of,
    room_left,
    untried,
    untried_left,
)
from fmcts.search.jumping import can_jump
from fmcts.search.memory import Known, Remembered, entries_of
from fmcts.search.plan import Plan, along, ended, plan_of, recalling, settled
from fmcts.search.schedules import Forced, Line, line_of
from fmcts.search.scoring import logarithms
from fmcts.search.tree import MutableNode, Node, freeze_in_place

R = TypeVar('R', bound=Rng)

X = Player.X


def thaw(root: Node) -> MutableNode:
    """A copy of the tree that can be written to; children stand in lists."""
    copy = root.mutable_copy(root.children)
    unfinished = [copy]
    while unfinished:
        draft = unfinished.pop()
        draft.children = [child.mutable_copy(child.children) for child in draft.children]
        unfinished.extend(draft.children)
    return copy


def freeze(root: MutableNode) -> Node:
    """The same tree, in place, as frozen nodes; nothing may write to it any more."""
    unfinished = [root]
    while unfinished:
        draft = unfinished.pop()
        unfinished.extend(draft.children)
        draft.children = tuple(draft.children)
        freeze_in_place(draft)
    return cast('Node', root)


def select(
    root: MutableNode,
    plan: Plan,
    log: Sequence[float],
    forced: Forced = None,
    above: list[MutableNode] | None = None,
) -> tuple[list[MutableNode], int | None]:
    """Descend to the first node that is finished, or where a child is to be made.

    Last comes the index of the move to make it for, where the choice fell on one without a child.
    `forced` is as `advance` has it; `above` is the path to the node that the descent goes on from,
    when that is not the root.
    """
    node, whole, counted, path = root, plan.whole, plan.counted, above or [root]
    choose = along(plan, plan.choose, lambda: reversed(path))
    place: int | None
    for index in () if forced is None else line_of(forced):
        place = place_of(index, node.moves, node.children)
        if place is None:
            return path, index
        node = node.children[place]
        path.append(node)
    while moves := node.moves:
        children, width = node.children, len(moves)
        if len(children) == width:
            place = choose(node, children, log[counted + node.visits]) if width > 1 else 0
        elif whole:
            break
        else:
            index = choose(node, children, log[counted + node.visits]) if width > 1 else 0
            place = place_of(index, moves, children)
            if place is None:
                return path, index
        node = children[place]
        path.append(node)
    return path, None


def descend(
    path: list[MutableNode], index: int | None, plan: Plan, log: Sequence[float], draws: Draws
) -> int | None:
    """Let a descent jump (see `jumping`), or end without visits (`chains`); as `select`."""
    node = path[-1]
    while plan.jumps and untried_left(node) and can_jump(node, plan.settling):
        children = node.children
        if draws.draw(len(node.moves) + 1) < len(children):
            break
        log_visits = log[plan.counted + node.visits]
        place = along(plan, plan.go_on, lambda: reversed(path))(node, children, log_visits)
        path.append(children[place])
        _, index = select(path[-1], plan, log, above=path)
        node = path[-1]
    while plan.chains and len(path) > 2 and not path[-2].visits:
        path.pop()
    return index


def expand(node: MutableNode, plan: Plan, index: int | None, draws: Draws) -> MutableNode:
    """Give `node` a new child (`full`: all of them); the child to simulate.

    `index` is that of its move, where selection has chosen it.
    """
    children: list[MutableNode] = node.children
    moves = node.moves
    if not children:  # see `paths`
        checked_moves(node.state)
    if index is not None:
        place = before(index, moves, children)
        children.insert(place, leaf(node, moves[index], plan))
    elif plan.expansion == 'in-order':
        place = first_untried(moves, children)
        children.insert(place, leaf(node, moves[place], plan))
    else:
        choices = untried(moves, children)
        drawn = draws.draw(len(choices))
        place = choices[drawn]
        if plan.expansion == 'random':
            move, place = moves[place], place - drawn  # so many moves before it are untried
            children.insert(place, leaf(node, move, plan))
        else:
            children[:] = filled(moves, children, lambda move: leaf(node, move, plan))
    return children[place]


def leaf(node: MutableNode, move: Any, plan: Plan) -> MutableNode:
    """The child of `node` that `move` leads to, before its first visit."""
    state = node.state.play(move)
    moves = state.moves or checked_moves(state)  # an end; a state with moves has its turn above
    columns = plan.fresh(state, moves) if plan.fresh else NONE
    return MutableNode(move, node.state.player, state, moves, 0, 0.0, 0.0, [], columns)


def simulate(node: MutableNode, plan: Plan, draws: Draws) -> Any:
    """What a playout from `node` is worth; a finished node's own worth, without a draw."""
    if not node.moves:
        return ended(node.state, plan)
    return plan.playout(node.state, draws.draw)


def iterate(
    root: MutableNode, plan: Plan, log: Sequence[float], forced: Forced, draws: Draws, room: float
) -> int | None:
    """An iteration that draws before it is known how many nodes it makes: how many it made.

    `None`: there is no room for them. Then the tree is as it was, but `draws` has moved on.
    """
    path, index = select(root, plan, log, forced)
    index = descend(path, index, plan, log, draws)
    node, made = path[-1], 0
    parent, before_it = node, list(node.children)
    if node.moves and not (plan.chains and len(path) > 1 and not node.visits):
        made = added(plan.expansion, node.moves, node.children)
        if lacks_room(made, room):
            return None
        node = expand(node, plan, index, draws)
        path.append(node)
    if plan.chains and node.moves:
        chain = Chain(node)
        outcome = plan.playout(node.state, draws.draw, after=chain.play)
        made += chain.made
        if lacks_room(made, room):
            parent.children = before_it
            return None
        write_chain(node, chain.steps, plan)
    else:
        outcome = simulate(node, plan, draws)
    backup(path, outcome, plan)
    return made


def backup(path: list[MutableNode], outcome: Any, plan: Plan) -> None:
    """One visit and its reward more for every node of the path, from the leaf to the root."""
    for_x, played = outcome if plan.traces else (outcome, None)
    for_o = 1.0 - for_x
    update, below = plan.update, None
    for level in range(len(path) - 1, -1, -1):
        node = path[level]
        gained = for_x if node.mover is X else for_o
        if update:
            parent = path[level - 1] if level else None
            node.columns = update(node, node.children, below, parent, for_x, played)
            below = node
        node.visits += 1
        node.reward += gained
        node.value = node.reward / node.visits


def remember(known: Known, plan: Plan, outcome: Any) -> Any:
    """Write the moves of an iteration to the memories; what it was worth without them."""
    outcome, line = outcome
    for_x = outcome.for_x if plan.traces else outcome
    for memory in plan.memories:
        memory.learn(known[memory.name], line, for_x)
    return outcome


@define
class InPlace(Generic[R]):
    """A search under way: an advance mutates tree, generator and memories where they lie."""

    tree: MutableNode
    draws: Draws
    plan: Plan
    room: float
    known: Known
    begun: int  # the visits of the root before the first iteration
    ended: bool = False

    @property
    def visits(self) -> int:
        """The visits of the root."""
        return self.tree.visits

    def advance(self, iterations: int, forced: Forced = None) -> Self:
        """The session itself, after so many more iterations."""
        tree, draws, plan, room, known = self.tree, self.draws, self.plan, self.room, self.known
        bounded, settles = room < LIMITLESS, plan.settling is not None
        log = logarithms(tree.visits + iterations)
        undoes = plan.undoes
        for _ in range(iterations):
            if settles and settled(tree, plan):
                self.ended = True
                break
            if undoes:
                before_it = draws.freeze()
                made = iterate(tree, plan, log, forced, draws, room)
                if made is None:
                    self.draws, self.ended = thaw_rng(before_it), True
                    break
                room -= made
                continue
            path, index = select(tree, plan, log, forced)
            node = path[-1]
            if node.moves:
                if bounded:
                    needed = added(plan.expansion, node.moves, node.children)
                    if needed > room:
                        self.ended = True
                        break
                    room -= needed
                node = expand(node, plan, index, draws)
                path.append(node)
            if known:
                outcome = simulate(node, recalling(plan, known, path), draws)
                backup(path, remember(known, plan, outcome), plan)
            else:
                backup(path, simulate(node, plan, draws), plan)
        self.room = room
        return self

    def stats(self, line: Line = ()) -> tuple[MoveStats[Any], ...]:
        """The statistics of the root's moves, or of those at the end of a line."""
        return stats_along(self.tree, line)

    def finish(self) -> tuple[Node, R]:
        """The tree, and the generator to use next; nothing may be mutated any more."""
        if self.known and self.visits > self.begun:  # else the tree is returned as it was
            memory = tuple(Remembered(name, entries) for name, entries in self.known.items())
            self.tree.columns = self.tree.columns._replace(memory=memory)
        return freeze(self.tree), cast('R', self.draws.freeze())


def begin(root: Node, rng: R, search: Search) -> InPlace[R]:
    """The search of that root, before its first iteration."""
    room = room_left(root, search.max_nodes)
    plan = plan_of(search, root.state)
    kept = entries_of(plan.memories, root.columns.memory)
    known = {name: dict(entries) for name, entries in kept.items()}
    return InPlace(thaw(root), thaw_rng(rng), plan, room, known, root.visits)
