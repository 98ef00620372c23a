"""The log of a search: the leaf and the outcome of each iteration, in a few bytes.

The log determines the visits and rewards of every node at any iteration: the outcomes of leaves,
added up to the root, without a search, the rules of the game, or a generator. So a program in
another language can show every version and check its digest. In a game with chance the moves of a
node where chance moves are its outcomes, so the log contains what was drawn in the tree.

Nodes are numbered in order of creation, the root as 0: first the nodes of the initial tree, then
those of each iteration; nodes made together are numbered level by level, in move order.

As JSON (`Log.to_json`) a log is an object with a list for each column, in which a leaf is written
as the number of nodes made since: 0 for the newest, which most leaves are.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple, TypeAlias

import attrs
from attrs import frozen

from fmcts._arguments import as_whole, shown
from fmcts._engines import graph as graphs, returns_of
from fmcts.game import has_rewards, is_plain, players_of
from fmcts.search import NO_COLUMNS, Node, Search, Transpositions, digests

Outcome: TypeAlias = float | tuple[float, ...]
"""The worth of an iteration: to X, or in a game with rewards to each of the players."""


CODES: Final = {
    **dict.fromkeys(('leaves', 'made', 'parents', 'indexes', 'moves'), 'I'),
    'outcomes': 'd',
    'movers': 'B',
    'visits': 'q',
    'rewards': 'd',
}
"""The types of the columns as arrays."""


# ---- graphs ----


class Legal(NamedTuple):
    """The facts of a root that its statistics need."""

    moves: Sequence[int]


@frozen
class Sharing:
    """The further parts of a log in which equal states are one node.

    Its nodes are moves that were tried, numbered in order: several may lead to one state, which has
    the number of the first of them. A leaf has several ways to it, so the log has the path of every
    iteration.

    `rule` is `Search.transpositions`. For each node: `states`, the first node that led to its
    state; `sides`, the side to move there, 0 for X and 1 for O, or the player's index. For each
    iteration: `paths`, the indices of its moves. `begun` has the numbers of the nodes of the
    initial graph: how often the move was chosen, and of its state `own`, `worth`, `visits` and
    `total` (see the engine's `Entry`). `first` is the number of iterations in it.
    """

    rule: Transpositions
    states: Sequence[int]
    sides: Sequence[int]
    paths: Sequence[tuple[int, ...]]
    begun: Sequence[tuple[int, int, Any, int, Any]]
    first: int = 0

    def graph(self, log: Any, count: int) -> graphs.Graph:
        """Return the graph of a log after `count` of its iterations.

        An entry has the number of its state's first node, and its moves are their indices.
        """
        entries: list[Any] = [None] * log.nodes_at(log.first + count)
        as_worth: Any = graphs.Rewards if log.several else float
        for node, (chosen, own, worth, visits, total) in enumerate(self.begun):
            self._reach(log, entries, node, chosen)
            entry = entries[node]
            if entry and visits:
                entry = entry._replace(own=own, worth=as_worth(worth))
                entries[node] = graphs.credited(entry, visits, as_worth(total))
        size, credit = log.before, graphs.CREDITING[self.rule]
        steps = zip(self.paths[:count], log.outcomes, log.made, strict=False)
        for path, outcome, made in steps:
            for node in range(size, size + made):
                self._reach(log, entries, node, 0)
            size += made
            way, number = [], 0
            for index in path:
                way.append((number, index))
                number = entries[number].places[index].to
            credit(entries, way, number, as_worth(outcome))
        players = log.players if log.several else 0
        return graphs.Graph(self.rule, entries, {}, log.first + count, None, None, players)

    def _reach(self, log: Any, entries: list[Any], node: int, chosen: int) -> None:
        """Add a move, and the state that it leads to, if it is the first that does."""
        state = self.states[node]
        if state == node:
            some = () if node else log.root_moves
            legal = Legal(range(max(len(some), *some) + 1) if some else ())
            moves: Any = some or range(log.moves[node])
            entry = graphs.Entry(legal, moves, NO_COLUMNS, 0, self.sides[node])
            if log.several:
                nothing = graphs.Rewards((0.0,) * log.players)
                entry = entry._replace(worth=nothing, total=nothing)
            entries[node] = entry._replace(factor=log.returns[node][0]) if log.returns else entry
        if not node:
            return
        above, index = log.parents[node], log.indexes[node]
        entry = entries[above]
        places = [*(entry.places or (None,) * len(entry.moves))]
        gained = graphs.Rewards(log.returns[node][1:]) if log.returns else None
        places[index] = graphs.Edge(index, state, chosen, gained)
        entries[above] = entry._replace(places=tuple(places))
        graphs.raise_levels(entries, state, above)
        if self.rule == 'naive':
            entries[state] = entries[state]._replace(parents=(*entries[state].parents, above))

    def numbers(self, log: Any, count: int) -> tuple[array[int], array[float]]:
        """Return the visits and rewards of a log's nodes, as in the tree view of the graph."""
        entries, visits, rewards = self.graph(log, count).entries, array('q'), array('d')
        for node, mover in zip(range(len(entries)), log.movers, strict=False):
            entry = entries[self.states[node]]
            edge = graphs.Edge(None, 0, entry.visits)
            if node and self.rule == 'sound':
                edge = entries[log.parents[node]].places[log.indexes[node]]
            visits.append(edge.visits)
            rewards.append(edge.reward(entry, mover))
        return visits, rewards


# ---- the log ----


@frozen(repr=False)
class Log:
    """The iterations of a search as columns of numbers.

    For each iteration: `leaves`, the node where it ended; `outcomes`, its reward for X; `made`, the
    number of nodes that it made. If `several` is true, an outcome is a tuple with the reward of
    each player.

    For each node: `parents`, the number of its parent, which is smaller (0 for the root);
    `indexes`, the index of its move at the parent; `moves`, the number of its moves in the end;
    `movers`, the side that moved there, 0 for X and 1 for O, or the player's index. The first nodes
    are the initial tree, whose `visits` and `rewards` are stored as well. `root_moves` are the
    indices of the moves to choose among, if not all legal moves. `columns`: whether the search has
    statistics besides visits and rewards, or proposals, which the log does not contain. `players`:
    their number in a game with chance, rewards or other players than two, otherwise 0. `graph` has
    what a search with `transpositions` needs besides; its nodes are moves, of which several lead to
    one state. `returns`, in a search with rewards on the way, has for each node the factor of what
    follows it, and then what each player gained by reaching it; the outcome is what followed the
    leaf.
    """

    leaves: Sequence[int]
    outcomes: Sequence[Any]
    made: Sequence[int]
    parents: Sequence[int]
    indexes: Sequence[int]
    moves: Sequence[int]
    movers: Sequence[int]
    visits: Sequence[int]
    rewards: Sequence[float]
    root_moves: tuple[int, ...] = ()
    columns: bool = False
    players: int = 0
    several: bool = False
    graph: Sharing | None = None
    returns: Sequence[tuple[float, ...]] = ()

    @property
    def before(self) -> int:
        """The number of nodes in the initial tree."""
        return len(self.visits)

    @property
    def first(self) -> int:
        """The number of iterations in the initial tree."""
        return self.graph.first if self.graph else self.visits[0]

    @property
    def last(self) -> int:
        """The iterations of the last version."""
        return self.first + len(self.leaves)

    def nodes_at(self, iteration: int) -> int:
        """Return the number of nodes of the tree after `iteration` iterations.

        :raises ValueError: there is no such version.
        """
        return self.before + sum(self.made[: self._count(iteration)])

    def at(self, iteration: int) -> tuple[array[int], array[float]]:
        """Return the visits of each node after `iteration` iterations, and the sums of rewards.

        Rewards are for the side that moved to the node, as in `Node.reward`.

        :raises ValueError: there is no such version.
        """
        count = self._count(iteration)
        if self.graph:
            return self.graph.numbers(self, count)
        new = self.nodes_at(iteration) - self.before
        visits = array('q', [*self.visits, *[0] * new])
        rewards = array('d', [*self.rewards, *[0.0] * new])
        movers, gained = self.movers, self.gained
        # Iteration after iteration, since sums of doubles depend on the order.
        for leaf, outcome in zip(self.leaves[:count], self.outcomes[:count], strict=True):
            for node, worth in self.climb(leaf, outcome):
                visits[node] += 1
                rewards[node] += gained(worth, movers[node])
        return visits, rewards

    def climb(self, leaf: int, outcome: Any) -> Iterator[tuple[int, Any]]:
        """Yield the nodes from a leaf up to the root, each with what the iteration was worth."""
        node, parents, returns = leaf, self.parents, self.returns
        while node:
            if returns:
                factor, *gained = returns[node]
                pairs = zip(gained, outcome, strict=True)
                outcome = tuple([one + factor * more for one, more in pairs])
            yield node, outcome
            node = parents[node]
        yield 0, outcome

    def gained(self, outcome: Any, seat: int) -> float:
        """Return the reward of a player, given by number, for an outcome."""
        if self.several:
            return outcome[seat]  # type: ignore[no-any-return]
        return 1.0 - outcome if seat else outcome  # type: ignore[no-any-return]

    def digest(self, iteration: int | None = None) -> str:
        """Return the digest of a version, by default the last one.

        It is that of `Analysis.digest`, unless the search keeps `columns`: then it is the digest of
        the same tree with visits and rewards alone.

        :raises ValueError: there is no such version.
        """
        if self.graph:
            count = len(self.leaves) if iteration is None else self._count(iteration)
            return digests.name_of(graphs.serialise(self.graph.graph(self, count)))
        visits, rewards = self.at(self.last if iteration is None else iteration)
        below: list[list[int]] = [[] for _ in visits]
        for node in range(1, len(visits)):
            below[self.parents[node]].append(node)
        parts, waiting = [digests.line_of_players(self.players), digests.HEADER], [0]
        while waiting:
            node = waiting.pop()
            # Last first: `waiting` is a stack, and nodes are written in preorder.
            children = sorted(below[node], key=self.indexes.__getitem__, reverse=True)
            facts = self.indexes[node], self.movers[node], self.moves[node], len(children)
            parts.append(digests.NODE.pack(*facts, visits[node], rewards[node]))
            waiting += children
        return digests.name_of(b''.join((*parts, *map(digests.INDEX.pack, self.root_moves))))

    def to_json(self) -> dict[str, Any]:
        """Return the log as an object for JSON."""
        found = attrs.asdict(self, recurse=False)
        graph = found.pop('graph')
        lists = {name: [*it] for name, it in found.items() if not isinstance(it, int)}
        sizes = accumulate(self.made, initial=self.before)
        next(sizes)
        # Counted back from the newest node: mostly 0, which packs into almost nothing.
        leaves = [size - 1 - leaf for size, leaf in zip(sizes, self.leaves, strict=True)]
        # Halves, as most outcomes are, need no decimal point.
        outcomes = [int(it) if it in (0, 1) else it for it in self.outcomes]
        columns = {**found, **lists, 'leaves': leaves, 'outcomes': outcomes}
        return {**columns, 'graph': attrs.asdict(graph)} if graph else columns

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Log:
        """Return the log in an object of JSON.

        :raises Exception: it is not such an object; a log that contradicts itself has no digest.
        """
        sizes = accumulate(found['made'], initial=len(found['visits']))
        next(sizes)
        leaves = [size - 1 - back for size, back in zip(sizes, found['leaves'], strict=True)]
        # Else `climb` would not end.
        if any(parent >= max(node, 1) for node, parent in enumerate(found['parents'])):
            raise ValueError('a node was made before its parent')
        columns: dict[str, Any] = {**found, 'leaves': leaves}
        for name, code in CODES.items():
            if name == 'outcomes' and found['several']:
                columns[name] = [*map(tuple, columns[name])]
            else:
                columns[name] = array(code, columns[name])
        graph = found.get('graph')
        if graph:
            paths = [*map(tuple, graph['paths'])]
            begun = [
                tuple(tuple(it) if isinstance(it, list) else it for it in row)
                for row in graph['begun']
            ]
            columns['graph'] = Sharing(**{**graph, 'paths': paths, 'begun': begun})
        returns = [*map(tuple, found.get('returns', ()))]
        return cls(**{**columns, 'root_moves': tuple(found['root_moves']), 'returns': returns})

    def _count(self, iteration: int) -> int:
        return checked_iteration(iteration, self.first, self.last) - self.first

    def __hash__(self) -> int:
        return hash((self.last, len(self.parents), *self.leaves[-20:]))

    def __repr__(self) -> str:
        return f'<Log of iterations {self.first} to {self.last}, {len(self.parents)} nodes>'


def checked_iteration(iteration: object, first: int, last: int) -> int:
    """Return the number of a version.

    :raises ValueError: there is no such version.
    """
    number = as_whole(iteration)
    if isinstance(number, bool) or not isinstance(number, int) or not first <= number <= last:
        raise ValueError(
            f'iteration must be a whole number from {first} to {last}, not {shown(iteration)}'
        )
    return number


class LogWriter:
    """A log while it is written, version after version.

    `outcomes` takes the outcome of each iteration, before `add` takes its version.
    """

    def __init__(self, root: Node, search: Search) -> None:
        players = players_of(root.state)
        self.root = self.tree = root
        self.seats = {player: number for number, player in enumerate(players)}
        self.players = 0 if is_plain(root.state) else len(players)
        self.several = has_rewards(root.state)
        self.outcomes: Any = [] if self.several else array('d')
        self.leaves, self.made = array('I'), array('I')
        self.parents, self.indexes, self.moves = array('I'), array('I'), array('I')
        self.movers = array('B')
        self.visits, self.rewards = array('q'), array('d')  # as the nodes were when numbered
        self.below: list[dict[int, int]] = []  # the numbers of each node's children, by index
        self.counting = returns_of(search, root.state)
        self.returns: list[tuple[float, ...]] = []
        self._number(root, 0, 0)
        self._add(None, root)
        self.before = len(self.parents)

    def _number(self, node: Node, parent: int, index: int) -> int:
        self.parents.append(parent)
        self.indexes.append(index)
        self.moves.append(len(node.moves))
        self.movers.append(self.seats[node.mover])
        self.visits.append(node.visits)
        self.rewards.append(node.reward)
        if self.counting:
            count, state = self.counting, node.state
            self.returns.append((count.factor(state), *count.gained(state)))
        self.below.append({})
        return len(self.parents) - 1

    def _add(self, before: Node | None, after: Node) -> int:
        """Number the nodes that only the later version has, and return where its iteration ended.

        An iteration visits one child of each node on its way; others that changed are new, or had
        their statistics derived again.
        """
        leaf = 0
        changed: list[tuple[Node | None, Node, int]] = [(before, after, 0)]
        for was, node, number in changed:  # grows as it goes, level by level
            numbers, then = self.below[number], was.places if was else ()
            self.moves[number] = len(node.moves)  # another may have been proposed
            for index, child in enumerate(node.places):
                old = then[index] if index < len(then) else None
                if child is None or old is child:
                    continue
                place = numbers.get(index)
                if place is None:
                    place = numbers[index] = self._number(child, number, index)
                changed.append((old, child, place))
                if number == leaf and child.visits > (old.visits if old else 0):
                    leaf = place
        return leaf

    def add(self, tree: Node) -> None:
        """Add the version that follows the last one."""
        size = len(self.parents)
        self.leaves.append(self._add(self.tree, tree))
        self.made.append(len(self.parents) - size)
        self.tree = tree

    def log(self) -> Log:
        """Return the log of the versions that were added."""
        root, tree = self.root, self.tree
        legal, proposed = root.state.moves, tree.columns.proposed is not None
        return Log(
            self.leaves[:],
            self.outcomes[: len(self.leaves)],  # an iteration without room for its nodes has one
            self.made[:],
            self.parents[:],
            self.indexes[:],
            self.moves[:],
            self.movers[:],
            self.visits[: self.before],
            self.rewards[: self.before],
            ()
            if proposed or len(root.moves) == len(legal)
            else tuple(map(legal.index, root.moves)),
            proposed or bool(tree.columns.names or tree.columns.memory),
            self.players,
            self.several,
            returns=self.returns[:],
        )


class GraphWriter(LogWriter):
    """The log of a graph while it is written. `root` is its first version, seen as a tree."""

    def __init__(self, root: graphs.GraphNode, search: Search) -> None:
        self.first_of: dict[int, int] = {}  # from a state's number in the graph to its first node
        self.number_of: dict[int, int] = {}  # and back
        self.states: list[int] = []
        self.sides: list[int] = []
        self.paths: list[tuple[int, ...]] = []
        super().__init__(root, search)
        self.paths.clear()  # the initial graph has none
        self.begun = [*map(self._numbers, range(len(self.states)))]

    def _number(self, node: Any, parent: int, index: int) -> int:
        number = super()._number(node, parent, index)
        if node.edge.gained is not None:  # by this move; its state may have been reached by others
            self.returns[-1] = (node.entry.factor, *node.edge.gained)
        if self.first_of.setdefault(node.number, number) == number:
            self.number_of[number] = node.number
        self.states.append(self.first_of[node.number])
        self.sides.append(self.seats[node.state.player])
        return number

    def _add(self, before: Any, after: Any) -> int:
        path = [after] if before is None else [now for _, now in graphs.passed(before, after)]
        for node in path:  # grows, level by level, for the initial graph
            above = self.first_of[node.number]
            below = self.below[above]
            for index, child in enumerate(node.places):
                if child is not None and index not in below:
                    number = below[index] = self._number(child, above, index)
                    if before is None and self.states[number] == number:
                        path.append(child)
        if before is None:
            return 0
        line = tuple(above.moves.index(node.move) for above, node in pairwise(path))
        self.paths.append(line)
        return self.below[self.first_of[path[-2].number]][line[-1]] if line else 0

    def _numbers(self, node: int) -> tuple[int, int, Any, int, Any]:
        """Return the numbers of a node of the initial graph; see `Sharing.begun`."""
        entries: Any = self.root.graph.entries  # type: ignore[attr-defined]
        entry, chosen = entries[self.number_of[self.states[node]]], 0
        if node:
            above = entries[self.number_of[self.parents[node]]]
            chosen = above.places[self.indexes[node]].visits
        return chosen, entry.own, entry.worth, entry.visits, entry.total

    def log(self) -> Log:
        """Return the log of the versions that were added."""
        graph: graphs.Graph = self.root.graph  # type: ignore[attr-defined]
        columns = self.states[:], self.sides[:], self.paths[:], self.begun
        return attrs.evolve(super().log(), graph=Sharing(graph.rule, *columns, graph.iterations))


def log_of_trail(root: Node, last: Node, trail: Any, search: Search) -> Log:
    """Return the log of a search from the trail that machine code recorded.

    `root` is the tree before the first iteration, `last` the tree after the last, and `trail` a
    `fmcts._linked.trail.Trail`.
    """
    writer = LogWriter(root, search)
    writer.tree = last
    for name in ('parents', 'indexes', 'moves', 'movers', 'leaves', 'outcomes', 'made'):
        column: array[Any] = getattr(writer, name)
        column.frombytes(getattr(trail, name).astype(column.typecode).tobytes())
    return writer.log()
