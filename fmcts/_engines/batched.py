"""Searches with a network: descents are collected until a batch is full, and judged by one call.

A descent leaves a virtual loss on its way, a visit without reward for who moved to each node, so
that the next descent takes another (G. Chaslot, M. Winands and J. van den Herik, "Parallel
Monte-Carlo tree search", 2008). A batch ends when it has `Search.batch` descents, when the visits
of the root become a multiple of that number, or when a descent meets a node that is waiting for the
network already; that descent is dropped. Up to `Search.collisions` such descents do not end the
batch: their losses stay until it is backed up, so that the next goes elsewhere. Then the losses are
taken back, the network is called once, and the descents are backed up in their order. With a batch
of 1 it is the search with `prior` and `evaluate`.

By path copying the losses are written to a second tree, which is forgotten; in place they are
written to the nodes of a path, and taken back. Such a search draws nothing but outcomes where
chance moves, on the way down; a descent that is dropped at the end of a batch gives its draws back.
`monadic` runs it as `persistent` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from operator import itemgetter
from typing import Any, Final, NamedTuple, Self, TypeAlias

from attrs import define, evolve, field, frozen

from fmcts._arithmetic import logarithms
from fmcts._engines import chance, inplace, persistent
from fmcts._engines.driver import Session
from fmcts._engines.expansion import opened, room_left
from fmcts._engines.inplace import InPlace
from fmcts._engines.outcomes import Path
from fmcts._engines.persistent import Persistent
from fmcts._engines.plan import Plan, plan_of
from fmcts._engines.selection import Choose, reads_parent_value
from fmcts.errors import EngineError
from fmcts.game import chances_of
from fmcts.rng import R, thaw as thaw_rng
from fmcts.search import (
    NO_COLUMNS,
    ColumnNames,
    Columns,
    MutableNode,
    Node,
    Search,
    freeze_in_place,
)
from fmcts.search.networks import Answer, Answering, Network, answers_of
from fmcts.search.proposals import Width
from fmcts.search.schedules import Forced

_new: Final = object.__new__


class Waiting(Columns):
    """The columns of a node that waits for the network: its `moves` are the legal moves.

    The node itself has no moves yet, so that descents end there.
    """

    __slots__ = ()


def waits(node: Any) -> bool:
    """Return whether a node waits for the network."""
    return type(node.columns) is Waiting


@frozen
class Batches:
    """The values that a search with a network needs in addition to its `plan`.

    A new node of a game that is not over is `Waiting`.
    """

    plan: Plan
    network: Network
    size: int
    collisions: int
    names: ColumnNames
    own: tuple[float, ...]
    width: Width | None = None

    def most(self, visits: int, iterations: int) -> int:
        """Return how many descents a batch may have after `visits`, with `iterations` left."""
        return min(iterations, self.size - visits % self.size)

    def open(self, node: MutableNode, answer: Answer) -> None:
        """Give a node that waits its moves and columns, with what the network says of it."""
        if node.moves:
            self._widen(node, answer)
            return
        node.moves, proposed = node.columns.moves, None
        if answer.moves is not None:
            node.moves, proposed = answer.moves, len(answer.moves)
        priors = answer.priors or (0.0,) * len(node.moves)  # outcomes have none
        rows = (priors,)[: len(self.names.moves)]
        node.columns = Columns(self.names, self.own, rows, proposed=proposed)

    def _widen(self, node: MutableNode, answer: Answer) -> None:
        """Give a node the moves that were proposed when it was asked of again.

        Its priors become the means of those of all proposals.
        """
        more: Any = answer.moves
        known, before, new = node.moves, node.columns.proposed, len(more)
        node.moves = (*known, *(move for move in more if move not in known))
        node.places = (*opened(node), *[None] * (len(node.moves) - len(opened(node))))
        rows = node.columns.moves
        if rows:
            sums = dict.fromkeys(node.moves, 0.0)
            for moves, priors, weight in ((known, rows[0], before), (more, answer.priors, new)):
                for move, prior in zip(moves, priors, strict=True):
                    sums[move] += weight * prior
            rows = (tuple(number / (before + new) for number in sums.values()),)
        node.columns = node.columns._replace(moves=rows, proposed=before + new)

    def is_due(self, _path: Path, node: Any) -> bool:
        """Return whether the network is to propose more moves of a node."""
        made = node.columns.proposed
        return type(made) is int and bool(self.width and self.width.has_room(made, node.visits + 1))


def answers(network: Network, asked: Sequence[tuple[Any, Any]]) -> Iterator[Answer]:
    """Return what the network says of these states, each with its legal moves, by one call."""
    return iter(answers_of(network, *zip(*asked, strict=True)) if asked else ())


def asked_of(nodes: Iterable[Any]) -> list[tuple[Any, Any]]:
    """Return the states of the nodes that wait for the network, each with its legal moves."""
    return [
        (node.state, () if chances_of(node.state) else node.columns.moves)
        for node in nodes
        if waits(node)
    ]


def batches_of(
    search: Search,
    root: Any,
    *,
    in_place: bool = False,
) -> Batches:
    """Return how a search with a network runs, for the game of the state `root`.

    :raises EngineError: it asks again for proposals, which is not done in place.
    """
    names = search.columns
    own, listed = (0.0,) * len(names.own), not isinstance(search.network, Answering)
    ended = Columns(names, own, ((),) * len(names.moves)) if names else NO_COLUMNS

    def leaf(node: Any, move: Any) -> Any:
        above = node.state
        state = above.play(move)
        moves = chance.options_at(state, listed=listed)
        columns = ended if state.over else Waiting(names, own, moves)
        child = MutableNode(move, above.player, state, (), 0, 0.0, 0.0, (), columns)
        return child if in_place else freeze_in_place(child)

    def adapted(choose: Choose) -> Choose:
        if not (reads_parent_value(search.method) or search.normalised):
            return choose
        return lambda node, places, log_visits, path: choose(
            node, places, log_visits, None, node.losses, path[0][0] if path else node
        )

    plan = evolve(plan_of(search, root, in_place=in_place, adapted=adapted), leaf=leaf)
    network: Any = search.network
    width = search.proposals if isinstance(search.proposals, Width) else None
    if width and in_place:
        raise EngineError(
            'the engine inplace does not ask again for proposals; use one of: persistent, monadic'
        )
    batches = Batches(plan, network, search.batch, search.collisions, names, own, width)
    return evolve(batches, plan=evolve(plan, stops=batches.is_due)) if width else batches


def lose(node: MutableNode) -> None:
    """Write a visit without reward to a node."""
    node.losses += 1
    node.visits += 1
    node.value = node.reward / node.visits


def take_back(node: MutableNode) -> None:
    """Take back what `lose` wrote."""
    node.losses -= 1
    node.visits -= 1
    node.value = node.reward / node.visits if node.visits else 0.0


@contextmanager
def keeping(session: Session) -> Iterator[None]:
    """Note in an error of the network the session that it ends, for who runs it to finish."""
    try:
        yield
    except Exception as error:
        vars(error)['searched'] = session
        raise


# ---- by path copying ----


class Descent(NamedTuple):
    """The moves of a descent, and the node where it ended, as it was before it.

    `tree` is what it descended: the tree with the losses of the descents before it that are not
    backed up yet; `after` has its own losses too, and `rng` is the generator after it.
    """

    moves: tuple[Any, ...]
    node: Node
    tree: Node
    after: Node
    rng: Any


class Credited(NamedTuple):
    """A descent that was backed up: the tree after it, and what it was worth to X.

    `answer` is what the network says of its end, `None` if the game is over there.
    """

    tree: Node
    descent: Descent
    answer: Answer | None
    for_x: float


def with_losses(node: Node, places: Sequence[Node | None], losses: int) -> Node:
    """Return a node with other places, and that many losses in place of its own."""
    visits = node.visits - node.losses + losses
    new: Any = _new(MutableNode)  # as in `persistent.backup`
    new.move = node.move
    new.mover = node.mover
    new.state = node.state
    new.moves = node.moves
    new.visits = visits
    new.reward = node.reward
    new.value = node.reward / visits
    new.places = places
    new.columns = node.columns
    new.losses = losses
    new.__class__ = Node
    return new  # type: ignore[no-any-return]


def waiting_again(node: Node) -> Node:
    """Return a node as it is while the network is asked for more of its moves."""
    draft = node.mutable_copy(node.places)
    draft.moves, draft.losses = (), node.losses
    draft.columns = Waiting(node.columns.names, node.columns.own, node.moves)
    return freeze_in_place(draft)


def lost(path: Path, node: Node) -> Node:
    """A new root: `node` and everything above it with a visit without reward."""
    places = node.places
    while True:
        new = with_losses(node, places, node.losses + 1)
        if not path:
            return new
        node, places, place = path.pop()
        siblings = [*places]
        siblings[place] = new
        places = tuple(siblings)


def gather(  # noqa: PLR0913 - all that a descent needs
    root: Node,
    plan: Plan,
    log: Sequence[float],
    most: int,
    room: float,
    collisions: int,
    rng: Any,
    *,
    explained: bool = True,
) -> tuple[list[Descent], Node, float, bool]:
    """Descend up to `most` times.

    Return the descents, the tree with their losses, the room left, and whether the search ended.
    `log` has logarithms for these descents, and for `collisions` that are dropped. Unless
    they are to be `explained`, descents do not keep the trees that they met: the collector of
    garbage would walk over old paths again and again.
    """
    gathered: list[Descent] = []
    while len(gathered) < most:
        path, node, step, after_draws = persistent.select(root, plan, log, rng)
        place, made = step
        if made > room:
            return gathered, root, room, True
        if made:
            places = persistent.expand(node, step, plan)
            path.append((node, places, place))
            node = places[place]
        elif waits(node):
            if collisions == 0:
                break
            root, collisions, rng = lost(path, node), collisions - 1, after_draws
            continue
        elif node.moves:  # due to be asked of again
            node = waiting_again(node)
        moves = tuple(places[place].move for _, places, place in path)
        after, room, rng = lost(path, node), room - made, after_draws
        met: Any = root if explained else None
        root = after
        gathered.append(Descent(moves, node, met, root if explained else met, rng))
    return gathered, root, room, False


def credit(root: Node, descent: Descent, answer: Answer | None, batches: Batches) -> Credited:
    """The tree after the descent was backed up; its last node is new where it waited."""
    path: Path = []
    node, plan = root, batches.plan
    for move in descent.moves:
        places, place = opened(node), node.moves.index(move)
        if places[place] is None:  # it is the last, and new
            places[place] = freeze_in_place(descent.node.mutable_copy(()))
        path.append((node, places, place))
        node = places[place]
    if answer is None:
        for_x = plan.ended(path, node)[0]
    else:
        for_x, draft = answer.for_x, node.mutable_copy(node.places)
        batches.open(draft, answer)
        node = freeze_in_place(draft)
    return Credited(persistent.backup(path, node, for_x, None, plan), descent, answer, for_x)


def credited(root: Node, gathered: Sequence[Descent], batches: Batches) -> Iterator[Credited]:
    """The descents of a batch after their backups, in order; the network is called once."""
    given = answers(batches.network, asked_of(descent.node for descent in gathered))
    for descent in gathered:
        answer = next(given) if waits(descent.node) else None
        found = credit(root, descent, answer, batches)
        root = found.tree
        yield found


def grow(
    root: Node, rng: R, batches: Batches, room: float, iterations: int, forced: Forced = None
) -> Iterator[tuple[Node, R, float, bool]]:
    """Yield the trees after one, two, three... batches, `iterations` iterations in all.

    Each comes with the generator to use next, the room left, and whether the search has ended.
    """
    plan, goal = batches.plan.forcing(forced), root.visits + iterations
    log: Sequence[float] = ()
    ended = False
    while root.visits < goal and not ended:
        if plan.finished and plan.finished(root):
            yield root, rng, room, True
            return
        most = batches.most(root.visits, goal - root.visits)
        reach = root.visits + most + batches.collisions + 1
        if len(log) < reach + 1:
            log = logarithms(reach)
        gathered, _, room, ended = gather(root, plan, log, most, room, batches.collisions, rng)
        for each in credited(root, gathered, batches):
            root, rng = each.tree, each.descent.rng
        yield root, rng, room, ended


@frozen
class ByBatches(Persistent[R]):
    """A running search as a value."""

    batches: Batches = field(kw_only=True)

    def advance(self, iterations: int, forced: Forced = None) -> ByBatches[R]:
        """Return the session after one batch, of at most `iterations` iterations."""
        with keeping(self):
            stream = grow(self.tree, self.rng, self.batches, self.room, iterations, forced)
            tree, rng, room, ended = next(stream)
        return evolve(self, tree=tree, rng=rng, room=room, ended=ended)


# ---- in place ----

Flown: TypeAlias = tuple[Path, MutableNode, Any]
"""The path of a descent, the node where it ended, and the generator after it."""


def gather_in_place(
    root: MutableNode,
    plan: Plan,
    log: Sequence[float],
    most: int,
    room: float,
    collisions: int,
    rng: Any,
) -> tuple[list[Flown], float, bool]:
    """Descend up to `most` times: paths with their ends, the room left, and whether it ended.

    The losses of all of them stay in the tree, those of `collisions` that were dropped do not.
    """
    gathered: list[Flown] = []
    dropped: list[MutableNode] = []
    ended = False
    while len(gathered) < most:
        draws = thaw_rng(rng) if plan.rolls else None  # nothing else draws
        path, node, step = inplace.select(root, plan, log, draws)  # type: ignore[arg-type]
        place, made = step
        if made > room:
            ended = True
            break
        if made:
            places = inplace.expand(node, step, plan)
            path.append((node, places, place))
            node = places[place]
        collides = not made and waits(node)
        if collides and collisions == 0:
            break
        nodes = [*map(itemgetter(0), path), node]
        for each in nodes:
            lose(each)
        rng = draws.freeze() if draws else rng
        if collides:
            dropped += nodes
            collisions -= 1
        else:
            gathered.append((path, node, rng))
            room -= made
    for each in dropped:
        take_back(each)
    return gathered, room, ended


@define
class ByBatchesInPlace(InPlace[R]):
    """A running search."""

    batches: Batches = field(kw_only=True)
    gathered: list[Flown] = field(factory=list, kw_only=True)

    def advance(self, iterations: int, forced: Forced = None) -> Self:
        """Return the session itself after one batch, of at most `iterations` iterations."""
        states = self.collect(self.visits + iterations, forced)
        with keeping(self):
            given = self.answered(self.batches.network, [states])[0]
        self.credit(given)
        return self

    def collect(self, goal: int, forced: Forced = None) -> list[tuple[Any, Any]]:
        """Descend for one batch, with `goal` visits as the end.

        Return the states to judge, each with its legal moves.

        `credit` must come next.
        """
        tree, batches, plan = self.tree, self.batches, self.plan.forcing(forced)
        self.gathered = []
        if plan.finished and plan.finished(tree):
            self.ended = True
            return []
        most = batches.most(tree.visits, goal - tree.visits)
        log = logarithms(goal + batches.collisions)
        rng = self.draws.freeze() if plan.rolls else None
        self.gathered, self.room, self.ended = gather_in_place(
            tree, plan, log, most, self.room, batches.collisions, rng
        )
        for path, node, _ in self.gathered:
            for each in (*map(itemgetter(0), path), node):
                take_back(each)
        return asked_of(node for _, node, _ in self.gathered)

    def credit(self, answers: Sequence[Answer]) -> None:
        """Back up the batch, with what the network says of each of the states."""
        batches, given = self.batches, iter(answers)
        plan = batches.plan
        for path, node, rng in self.gathered:
            if waits(node):
                answer = next(given)
                batches.open(node, answer)
                for_x = answer.for_x
            else:
                for_x = plan.ended(path, node)[0]
            inplace.backup(path, node, for_x, None, plan)
            if plan.rolls:
                self.draws = thaw_rng(rng)

    @staticmethod
    def answered(network: Network, batches: Sequence[list[tuple[Any, Any]]]) -> list[list[Answer]]:
        """Return what the network says of several batches of states: one call, if there are any."""
        given = answers(network, [*chain.from_iterable(batches)])
        return [[*islice(given, len(batch))] for batch in batches]

    def finish(self) -> tuple[Node, R]:
        """Return the tree without what was not backed up, and the generator to use next."""
        for path, end, _ in self.gathered:
            if not end.visits:
                above = path[-1][0]
                above.places = [None if child is end else child for child in above.places]
                if not any(above.places):
                    above.places = []
        return super().finish()


def begin(engine: str, root: Node, rng: Any, search: Search) -> Session:
    """Return the search of that root, batch by batch, by the engine of that name."""
    room = room_left(root, search.max_nodes)
    if engine != 'inplace':
        batches = batches_of(search, root.state)
        return ByBatches(root, rng, batches.plan, room, batches=batches)
    batches = batches_of(search, root.state, in_place=True)
    tree, draws = inplace.thaw(root), thaw_rng(rng)
    return ByBatchesInPlace(tree, draws, batches.plan, room, batches=batches)
