"""Path copying: what the engines that return new nodes share.

Nothing here draws a number, so it is the same however an engine threads its generator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from fmcts.game import Player, checked_moves
from fmcts.search.columns import NONE
from fmcts.search.expansion import filled, place_of
from fmcts.search.memory import Remembered, entries_of
from fmcts.search.plan import Plan, along, recalling
from fmcts.search.schedules import Forced, line_of
from fmcts.search.tree import MutableNode, Node, freeze_in_place

Path: TypeAlias = list[tuple[Node, tuple[Node, ...], int]]
"""The nodes from the root down, each with its children and the position of the one that leads on.

The children are those of the node, or those that an expansion gives it: `backup` makes the node
that has them, so a new child costs one new parent and not two.
"""

X: Final = Player.X
_new: Final = object.__new__


def select(
    root: Node,
    plan: Plan,
    log: Sequence[float],
    forced: Forced = None,
    above: Path | None = None,
) -> tuple[Path, Node, int | None]:
    """Descend to the first node that is finished, or where a child is to be made.

    Last comes the index of the move to make it for, where the choice fell on one without a child.
    `forced` is the index of the root's move to take, when it is not to be chosen, or a line of
    such; `above` is the path to the node that the descent goes on from, when that is not the root.
    """
    path: Path = [] if above is None else above
    node, whole, counted = root, plan.whole, plan.counted
    choose = along(plan, plan.choose, partial(_from_below, path))
    for index in () if forced is None else line_of(forced):
        place = place_of(index, node.moves, node.children)
        if place is None:
            return path, node, index
        path.append((node, node.children, place))
        node = node.children[place]
    while moves := node.moves:
        children = node.children
        width = len(moves)
        if len(children) == width:
            position = choose(node, children, log[counted + node.visits]) if width > 1 else 0
        elif whole:
            break
        else:
            index = choose(node, children, log[counted + node.visits]) if width > 1 else 0
            place = place_of(index, moves, children)
            if place is None:
                return path, node, index
            position = place
        path.append((node, children, position))
        node = children[position]
    return path, node, None


def _from_below(path: Path) -> Iterator[Node]:
    return (node for node, _, _ in reversed(path))


def go_on(
    path: Path, node: Node, plan: Plan, log: Sequence[float]
) -> tuple[Path, Node, int | None]:
    """Descend from a node past its untried moves: as `select` from the best of its children."""
    children = node.children
    choose = along(plan, plan.go_on, partial(_from_below, path))
    position = choose(node, children, log[plan.counted + node.visits])
    path.append((node, children, position))
    return select(children[position], plan, log, above=path)


def first_unvisited(path: Path, node: Node) -> tuple[Path, Node]:
    """The path to the first node without visits, where it leads through any below its root."""
    while len(path) > 1 and not path[-1][0].visits:
        node = path.pop()[0]
    return path, node


# The moves of a node are checked when it gets its first child: looking at those of every leaf would
# take a twentieth of the time of a search, and most leaves never have children.


def with_leaf(node: Node, move: Any, place: int, plan: Plan) -> tuple[Node, ...]:
    """The children of `node` and the one that `move` leads to, before those from `place` on."""
    children = node.children
    if not children:
        checked_moves(node.state)
    return (*children[:place], leaf(node, move, plan), *children[place:])


def with_leaves(node: Node, plan: Plan) -> tuple[Node, ...]:
    """A child of `node` for every move."""
    if not node.children:
        checked_moves(node.state)
    return tuple(filled(node.moves, node.children, lambda move: leaf(node, move, plan)))


def leaf(node: Any, move: Any, plan: Plan, state: Any = None) -> Node:
    """The child of `node` that `move` leads to (to `state`, if that is known), not visited yet."""
    if state is None:
        state = node.state.play(move)
    moves = state.moves or checked_moves(state)  # an end; a state with moves has its turn above
    columns = plan.fresh(state, moves) if plan.fresh else NONE
    return freeze_in_place(
        MutableNode(move, node.state.player, state, moves, 0, 0.0, 0.0, (), columns)
    )


def backup(path: Path, node: Node, outcome: Any, plan: Plan) -> Node:
    """A new root: `node` and everything above it with one visit and its reward more."""
    for_x, played = outcome if plan.traces else (outcome, None)
    for_o = 1.0 - for_x
    update = plan.update
    children, below = node.children, None
    while True:
        visits = node.visits + 1
        gained = for_x if node.mover is X else for_o
        total = node.reward + gained
        # `freeze_in_place(MutableNode(...))`, written out: two calls fewer a node of a path.
        new: Any = _new(MutableNode)
        new.move = node.move
        new.mover = node.mover
        new.state = node.state
        new.moves = node.moves
        new.visits = visits
        new.reward = total
        new.value = total / visits
        new.children = children
        if update:
            parent = path[-1][0] if path else None
            new.columns = update(node, children, below, parent, for_x, played)
        else:
            new.columns = NONE
        new.__class__ = Node
        if not path:
            return new  # type: ignore[no-any-return]
        below = new
        node, children, position = path.pop()
        siblings = [*children]
        siblings[position] = new
        children = tuple(siblings)


def knowing(root: Node, path: Path, node: Node, plan: Plan) -> Plan:
    """The plan of an iteration that led to `node`, where playouts remember: what the root knows."""
    nodes = [*(each for each, _, _ in path), node]
    return recalling(plan, entries_of(plan.memories, root.columns.memory), nodes)


def backup_and_remember(root: Node, path: Path, node: Node, ended: Any, plan: Plan) -> Node:
    """A new root as `backup` makes it, with what `root` remembers and this iteration besides.

    `ended` is what it was worth, and all its moves.
    """
    outcome, line = ended
    for_x = outcome.for_x if plan.traces else outcome
    known = entries_of(plan.memories, root.columns.memory)
    memory = tuple(
        Remembered(each.name, each.after(known[each.name], line, for_x)) for each in plan.memories
    )
    grown = backup(path, node, outcome, plan)
    draft = grown.mutable_copy(grown.children)
    draft.columns = grown.columns._replace(memory=memory)
    return freeze_in_place(draft)
