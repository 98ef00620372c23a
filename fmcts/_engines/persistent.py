"""The reference engine: path copying. Each iteration returns a new root and changes nothing.

It is the counterpart of the pure functions of the Haskell articles: the generator is passed and
returned by hand, and a tree is a value. The other engines make the same trees to the bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, Generic

from attrs import frozen

from fmcts._arithmetic import logarithms
from fmcts._engines.expansion import NO_STEP, Step, opened, room_left
from fmcts._engines.outcomes import Found, Path
from fmcts._engines.plan import Plan, plan_of
from fmcts._promises import checked_moves
from fmcts.game import Player
from fmcts.rng import R, thaw
from fmcts.search import MoveStats, MutableNode, Node, Search, stats_along
from fmcts.search.schedules import Forced, Line

X: Final = Player.X
_new: Final = object.__new__


def select(root: Node, plan: Plan, log: Sequence[float], rng: R) -> tuple[Path, Node, Step, R]:
    """Descend to a node that is finished, or needs a child; the step says which child.

    The path has each node above it, with its places and the one taken. The last value is the
    generator to use next.
    """
    path: Path = []
    node, choose, rolls, due = root, plan.choose, plan.rolls, plan.due
    offset, stops, made = plan.log_offset, plan.stops, 0
    while moves := node.moves:
        places = node.places
        if stops and stops(path, node):
            break
        if due and (step := due(path, node)):
            # A frozen node cannot get a move: the path goes on through a copy that has it.
            node, place, made = step
        # Where chance moves, an outcome is drawn by its weight even if each has a child by now.
        elif places and all(places) and not (rolls and rolls(node.state)):
            log_visits = log[offset + node.visits]
            # An only move is not scored, as no rule may exclude it.
            place = choose(node, places, log_visits, path) if len(moves) > 1 else 0
        else:
            drawn, chances = 0, plan.chances and plan.chances(node, places, path)
            if chances:
                drawn, rng = rng.uniform(0, chances - 1)
            log_visits = log[offset + node.visits]
            place, made = plan.step(node, places, log_visits, path, drawn)
        if made:
            return path, node, (place, made), rng
        path.append((node, places, place))
        node = places[place]
    return path, node, NO_STEP, rng


def expand(node: Node, step: Step, plan: Plan) -> tuple[Any, ...]:
    """Return the places of `node` with the new child of the step, or with one for every move."""
    place, made = step
    if not node.places:  # done here and not for each leaf, most of which never get children
        checked_moves(node.state, listed=not node.columns.proposed)
    moves, places = node.moves, opened(node)
    for each in range(len(moves)) if made > 1 else (place,):
        if places[each] is None:
            places[each] = plan.leaf(node, moves[each])
    return tuple(places)


def simulate(path: Path, node: Node, plan: Plan, rng: R) -> tuple[Found, R]:
    """Return a playout's reward from `node`; a finished node's result, without a draw."""
    if not node.moves:
        return plan.ended(path, node), rng
    draws = thaw(rng)
    found = plan.playout(path, node, draws.draw)
    return found, draws.freeze()  # type: ignore[return-value]


def backup(path: Path, node: Node, worth: Any, trace: Any, plan: Plan) -> Node:
    """Return a new root: `node` and everything above it with one more visit and its reward."""
    seats, update, returns = plan.seats, plan.update, plan.returns
    # Subtracted once and not at each node: all engines then add the very same float.
    for_o = 0.0 if seats else 1.0 - worth
    places, below = node.places, None
    while True:
        visits, mover = node.visits + 1, node.mover
        if returns and path:
            worth = returns.of(node.state, worth)
        gained = worth[seats[mover]] if seats else worth if mover is X else for_o
        total = node.reward + gained
        # `freeze_in_place(MutableNode(...))`, inlined: saves two calls for each node of a path.
        new: Any = _new(MutableNode)
        new.move = node.move
        new.mover = mover
        new.state = node.state
        new.moves = node.moves
        new.visits = visits
        new.reward = total
        new.value = total / visits
        new.places = places
        new.losses = 0
        if update:
            new.columns = update(node, places, below, path, worth, trace)
        else:
            new.columns = node.columns
        new.__class__ = Node
        if not path:
            return new  # type: ignore[no-any-return]
        below = new
        node, places, place = path.pop()
        siblings = [*places]
        siblings[place] = new
        places = tuple(siblings)


def grow(
    root: Node,
    rng: R,
    plan: Plan,
    room: float,
    forced: Forced = None,
    log: Sequence[float] = (),
) -> Iterator[tuple[Node, R, float]]:
    """Yield the trees after one, two, three... iterations, each with its generator.

    `room` is how many nodes may be added, and last comes how many still may. The stream ends before
    the iteration that would need more, and when nothing is left to find out, else never. `forced`
    is the index of the root's move to take, or a line of such, when it is not to be chosen. `log`
    are logarithms of counts; if they are too few, a longer table is made.
    """
    plan = plan.forcing(forced)
    while not (plan.finished and plan.finished(root)):
        if len(log) < root.visits + 2:
            log = logarithms(root.visits + 1)
        path, node, step, after = select(root, plan, log, rng)
        place, made = step
        if made:
            if made > room:
                return
            places = expand(node, step, plan)
            path.append((node, places, place))
            node = places[place]
        (worth, trace, states), after = simulate(path, node, plan, after)
        if states is not None:
            made += states.made
            if made > room:
                return
            node = plan.extend(node, states)
        root, rng, room = backup(path, node, worth, trace, plan), after, room - made
        yield root, rng, room


@frozen
class Persistent(Generic[R]):
    """A running search as a value: an advance changes nothing and returns another value."""

    tree: Node
    rng: R
    plan: Plan
    room: float
    ended: bool = False

    @property
    def visits(self) -> int:
        """The visits of the root."""
        return self.tree.visits

    def advance(self, iterations: int, forced: Forced = None) -> Persistent[R]:
        """Return the session after `iterations` more iterations."""
        tree, rng, room = self.tree, self.rng, self.room
        stream = grow(tree, rng, self.plan, room, forced)
        for tree, rng, room in islice(stream, iterations):  # noqa: B007 - the last one is wanted
            pass
        ended = tree.visits < self.visits + iterations
        return Persistent(tree, rng, self.plan, room, ended)

    def stats(self, line: Line = ()) -> tuple[MoveStats[Any], ...]:
        """Return the statistics of the root's moves, or of those at the end of a line."""
        return stats_along(self.tree, line)

    def finish(self) -> tuple[Node, R]:
        """Return the tree, and the generator to use next."""
        return self.tree, self.rng


def begin(root: Node, rng: R, search: Search) -> Persistent[R]:
    """Return the search of that root, before its first iteration."""
    return Persistent(root, rng, plan_of(search, root.state), room_left(root, search.max_nodes))
