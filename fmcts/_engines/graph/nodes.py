"""The graph as a value: two tables, seen as a tree whose nodes are made when read; its digest.

The digest is of a canonical serialisation, the same in every engine. It is UTF-8 text, version 1,
with one line for each of:

- in a game with rewards or other players than X and O, `fmcts-players-1` and how many there are;
- the header: `fmcts-graph-1`, the rule (`sound` or `naive`), and the names of the columns that
  states and moves have, if any;
- then every state, in the order in which a walk from the root meets them (preorder, moves in
  canonical order, each state once): numbers with a space between,

    - the side to move, `X` or `O`, or its place among the players; how many moves there are, at the
      root those to choose among (0: the game is over); how many iterations ended at the state, and
      what each was worth to X, or to each player; its visits, and the sum of their rewards, alike;
    - for each move that was tried, a triple with colons between: the index of the move, the place
      of the state that it leads to in this order (the root: 0), how often it was chosen;
    - the numbers of its own columns, and then of its moves', column by column;

- then, when the root was to choose among only some of its legal moves, the indices of these.

Whole numbers are in decimals, all others as Python's `float.hex` writes them. The digest is the
first 32 bytes of BLAKE2b, in hexadecimal, as that of a tree is (`fmcts.search._digest`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple, cast

from attrs import frozen

from fmcts._promises import check_hash
from fmcts.game import has_rewards, players_of
from fmcts.search import (
    Columns,
    Node,
    OnDemandDraft,
    OnDemandNode,
    Search,
    Transpositions,
    digests,
)
from fmcts.search.normalising import RANGE

ROOT: Final = 0
"""The number of the root's state."""


class Rewards(tuple[float, ...]):
    """A number for each player, added and multiplied like a vector."""

    __slots__ = ()

    def __add__(self, other: tuple[float, ...]) -> Rewards:  # type: ignore[override] # of tuples
        return Rewards([one + two for one, two in zip(self, other, strict=True)])

    def __rmul__(self, factor: float) -> Rewards:  # type: ignore[override] # as above
        return Rewards([factor * one for one in self])

    def __truediv__(self, count: int) -> Rewards:
        return Rewards([one / count for one in self])


class Edge(NamedTuple):
    """A move that was tried: the number of the state it leads to, and how often it was chosen.

    `gained` is what each player got for it, in a search with rewards on the way. It belongs to the
    move and not to the state, which another move may reach for other rewards.
    """

    move: Any
    to: int
    visits: int
    gained: Rewards | None = None

    def brought(self, child: Entry) -> Any:
        """Return the sum of what its visits were worth, from the current value of its state."""
        chosen, gained = self.visits, self.gained
        total = child.total if chosen == child.visits else chosen * child.mean
        return total if gained is None else chosen * gained + child.factor * total

    def reward(self, child: Entry, seat: int) -> float:
        """Return that sum for one player."""
        if not self.visits:
            return 0.0
        if self.gained is None:
            return child.reward(seat, self.visits)
        return self.brought(child)[seat]  # type: ignore[no-any-return]

    def value(self, child: Entry, seat: int) -> float:
        """Return the mean for one player; 0 before the first visit."""
        if not self.visits:
            return 0.0
        if self.gained is None:
            return child.values[seat]
        return self.brought(child)[seat] / self.visits  # type: ignore[no-any-return]


class Entry(NamedTuple):
    """The statistics of one state, whose player has the number `seat`.

    Rewards are for X, because a state may have several movers, or `Rewards` of all players. They
    are of what follows the state: what a move to it brings belongs to the edge (as in UCD: A.
    Saffidine, T. Cazenave and J. Méhat, 2012). `factor` is that of what follows it, and `made` how
    many moves of players lead to it, where a horizon counts them.

    `moves` are the legal ones in canonical order (at the root perhaps only some). `places` has the
    edge of each, `None` for an untried move; it is empty before the first. `columns` are the
    method's columns of the moves, and perhaps the range of the values below (see `normalising`).
    `level` is higher than at any state that leads here. `own` counts the iterations that ended
    here: at most one, except in a finished state or at the horizon, and `worth` is the reward of
    each (by the naive rule any number everywhere, and the last reward). `visits` and `total` are of
    all iterations, the sum of their rewards (see `recomputed`), `mean` is their mean, exact in a
    finished state, and `values` has it for each player. `parents`, which only `naive` stores, has
    the numbers of the states that lead here, one for each edge.
    """

    state: Any
    moves: tuple[Any, ...]
    columns: Columns
    level: int
    seat: int
    factor: float = 1.0
    made: int = 0
    own: int = 0
    worth: Any = 0.0
    visits: int = 0
    total: Any = 0.0
    mean: Any = 0.0
    values: tuple[float, ...] = ()
    places: tuple[Edge | None, ...] = ()
    parents: tuple[int, ...] = ()

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The moves that were tried, in the order of `moves`."""
        return tuple(filter(None, self.places))

    @property
    def key(self) -> Any:
        """What the state is looked up by: with a horizon its value depends on the moves left."""
        return (self.state, self.made) if self.made else self.state

    def reward(self, seat: int, chosen: int) -> float:
        """Return the reward of `chosen` of its visits to a player; of all, exactly `total`."""
        if chosen != self.visits:
            return chosen * self.values[seat]
        if isinstance(self.total, Rewards):
            return self.total[seat]
        return chosen - self.total if seat else self.total  # type: ignore[no-any-return]


@frozen(eq=False, repr=False)
class Graph:
    """A graph under search: a value in every engine, so that an old one never changes.

    `entries` has the statistics of each state, by its number; `numbers` has the number of each, or
    is `None` until a search needs it. Their type depends on the engine: persistent tables, lists
    that nobody writes to any more, or numbers of which entries are made when they are read.
    `iterations` is the number of iterations in the graph. `move` led to the root, and `mover`
    played it, as in `MutableNode`. `players` is the number of players who have rewards of their
    own, 0 if a reward is one number.
    """

    rule: Transpositions
    entries: Sequence[Entry]
    numbers: Mapping[Any, int] | None
    iterations: int
    move: Any
    mover: Any
    players: int = 0


def below(entries: Sequence[Entry], number: int) -> Iterator[int]:
    """Yield the numbers of the states at and below that one, each once.

    They are in preorder, moves in canonical order: on a tree it is its preorder.
    """
    met: set[int] = set()
    stack = [number]
    while stack:
        number = stack.pop()
        if number not in met:
            met.add(number)
            yield number
            # Reversed, because a stack gives the last first: this is preorder in the order of
            # moves.
            stack.extend(edge.to for edge in reversed(entries[number].edges))


def cut_out(graph: Graph, number: int, move: Any, mover: Any) -> Graph:
    """Return the graph at and below a state, which `move` of `mover` led to.

    All other states are left out, so that later results follow from what the digest names.
    """
    entries = graph.entries
    new_of = {old: new for new, old in enumerate(below(entries, number))}
    before = entries[number].made
    renumbered = tuple(
        entry._replace(
            made=entry.made - before,
            places=tuple(edge and edge._replace(to=new_of[edge.to]) for edge in entry.places),
            parents=tuple(new_of[parent] for parent in entry.parents if parent in new_of),
        )
        for entry in map(entries.__getitem__, new_of)
    )
    visits = renumbered[ROOT].visits
    return Graph(graph.rule, renumbered, None, visits, move, mover, graph.players)


# ---- seen as a tree ----


_new: Final = object.__new__


class GraphNode(OnDemandNode):
    """A state of a graph, as reached by one move: its children are made when they are read.

    `visits`, `reward` and `value` are of that move: how often it was chosen, and the state's value
    to its player (see `Node`), whoever visited it. `entry` has the statistics of the state itself.
    The same state, reached by another move, is another node; everything below is unfolded at every
    place, and so may have far more nodes than the graph has states. `walk` and `count` go by
    states, and so do equality, digest and pickles. Its source is the graph, the edge, and the place
    of its mover among the players.
    """

    __slots__ = ()

    @property
    def number(self) -> int:
        """The number of the state in the graph."""
        return self.edge.to

    @property
    def entry(self) -> Entry:
        """The statistics of the state, by all moves that lead to it."""
        graph, edge, _ = self.source
        return graph.entries[edge.to]  # type: ignore[no-any-return]

    # Looked up when they are read: one is made for each move of a node whose places are.
    losses = 0
    graph: Graph = property(lambda self: self.source[0])  # type: ignore[assignment]
    edge: Edge = property(lambda self: self.source[1])  # type: ignore[assignment]
    seat: int = property(lambda self: self.source[2])  # type: ignore[assignment]
    move: Any = property(lambda self: self.edge.move)
    mover: Any = property(lambda self: players_of(self.state)[self.seat])
    state: Any = property(lambda self: self.entry.state)
    moves: Any = property(lambda self: self.entry.moves)
    columns: Any = property(lambda self: self.entry.columns)
    reward: Any = property(
        lambda self: self.edge._replace(visits=self.visits).reward(self.entry, self.seat)
    )

    @property
    def transpositions(self) -> Transpositions:
        """The rule for backing up the graph."""
        return self.graph.rule

    @property
    def iterations(self) -> int:
        """The number of iterations in the graph; below the root, the visits."""
        return self.graph.iterations if self.number == ROOT else self.visits

    def made_places(self) -> tuple[Node | None, ...]:
        """Return the state that each of `moves` leads to, or `None`; empty before the first."""
        graph, entry = self.graph, self.entry
        seat = entry.seat
        return tuple([edge and _node(graph, edge, seat) for edge in entry.places])

    def child(self, move: object) -> Node | None:
        """Return the node that `move` leads to, or `None` if it was not tried; make no other."""
        entry = self.entry
        edge = next((edge for edge in entry.edges if edge.move == move), None)
        return edge and _node(self.graph, edge, entry.seat)

    def walk(self, depth: int | None) -> Iterator[Node]:
        """Yield every state at and below this one, once, where preorder meets it first."""
        highest: dict[int, int] = {}
        stack: list[tuple[GraphNode, int]] = [(self, 0)]
        while stack:
            node, level = stack.pop()
            before = highest.get(node.number)
            if before is None:
                yield node
            elif depth is None or before <= level:
                continue
            highest[node.number] = level  # met before, but further down, where the walk ended
            if level != depth:
                stack.extend((cast('GraphNode', child), level + 1) for child in node.children[::-1])

    def count(self) -> int:
        """Return the number of states at and below this one."""
        entries = self.graph.entries
        return len(entries) if self.number == ROOT else sum(1 for _ in below(entries, self.number))

    def count_edges(self) -> int:
        """Return the number of moves tried at and below this state."""
        entries = self.graph.entries
        return sum(len(entries[number].edges) for number in below(entries, self.number))

    def as_root(self) -> Node:
        """Return the state as a root, with its statistics and only the states below it.

        Its visits are those by every move that led to it.
        """
        if self.number == ROOT:
            return self
        return root_node(cut_out(self.graph, self.number, self.move, self.mover))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GraphNode):
            return False if isinstance(other, Node) else NotImplemented
        # The states follow from the node's state and the serialised moves.
        one, two = (
            (node.facts(), node.iterations, serialise(node.graph, node.number))
            for node in (self, other)
        )
        return self is other or one == two

    __hash__ = Node.__hash__

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        graph = self.graph
        known = (graph.rule, graph.iterations, graph.move, graph.mover, graph.players)
        return _unpickled_2, (self.edge, self.seat, self.visits, known, tuple(graph.entries))


def _node(graph: Any, edge: Edge, seat: int, visits: int | None = None) -> GraphNode:
    """Return the node that an edge leads to, a move of the player at `seat`, with these visits.

    By default they are the edge's, or the state's by the naive rule.
    """
    entry, draft = graph.entries[edge.to], _new(OnDemandDraft)
    if visits is None:
        visits = entry.visits if graph.rule == 'naive' else edge.visits
    draft.source = graph, edge, seat
    draft.visits = visits
    draft.value = edge._replace(visits=visits).value(entry, seat)
    draft.__class__ = GraphNode  # as `freeze_in_place` does
    return draft  # type: ignore[return-value]


def root_node(graph: Graph) -> GraphNode:
    """Return the root of a graph."""
    root = graph.entries[ROOT]
    seat = players_of(root.state).index(graph.mover)
    return _node(graph, Edge(graph.move, ROOT, root.visits), seat)


def entry_of(state: Any, moves: tuple[Any, ...], columns: Columns, level: int, count: int) -> Entry:
    """Return the entry of a state without visits, where `count` players have their own rewards."""
    seat = players_of(state).index(state.player)
    if columns.own:  # the range of the values below, which `engine.widen` folds
        columns = columns._replace(own=columns.own._make(RANGE.first))
    if not count:
        return Entry(state, moves, columns, level, seat)
    nothing = Rewards((0.0,) * count)
    return Entry(state, moves, columns, level, seat, worth=nothing, total=nothing)


def graph_of(root: Node, search: Search) -> Graph:
    """Return the graph of a root: its own, or one of a single state if it was not searched.

    :raises GameError: its state cannot be looked up, as it has no hash.
    """
    if isinstance(root, GraphNode):
        return root.graph
    state, rule = root.state, cast('Transpositions', search.transpositions)
    check_hash(state, 'a search with transpositions')
    players = len(players_of(state)) if has_rewards(state) else 0
    entry = entry_of(state, root.moves, root.columns, 0, players)
    return Graph(rule, (entry,), {state: ROOT}, 0, root.move, root.mover, players)


def _unpickled_2(
    edge: Edge,
    seat: int,
    visits: int,
    known: tuple[Transpositions, int, Any, Any, int],
    entries: tuple[Entry, ...],
) -> GraphNode:
    """Return the unpickled node, with the graph that it belongs to."""
    rule, iterations, *more = known
    return _node(Graph(rule, entries, None, iterations, *more), edge, seat, visits)


# ---- what an iteration changed ----


def passed(before: GraphNode | None, after: GraphNode) -> Iterator[tuple[Node | None, GraphNode]]:
    """Yield the states that one iteration passed, from the root down, before and after it.

    A state that it made was `None`.
    """
    was = before
    while True:
        yield was, after
        then = was.entry.places if was else ()
        for index, edge in enumerate(after.entry.places):
            old = then[index] if then else None
            chosen = old.visits if old else 0
            if edge and edge.visits > chosen:
                after = cast('GraphNode', after.child(edge.move))
                was = None
                if before and edge.to < len(before.graph.entries):
                    same = edge._replace(visits=chosen)
                    was = _node(before.graph, same, after.seat, chosen)
                break
        else:
            return


def new_states(
    before: GraphNode | None, after: GraphNode
) -> Iterator[tuple[tuple[Any, ...], GraphNode]]:
    """Yield the states that only the later graph has, once, with the moves that lead there."""
    known = len(before.graph.entries) if before else 0
    met: set[int] = set()
    waiting: list[tuple[tuple[Any, ...], GraphNode]] = [((), after)]
    while waiting:
        line, node = waiting.pop()
        if node.number in met:
            continue
        met.add(node.number)
        if node.number >= known:
            yield line, node
        children = cast('tuple[GraphNode, ...]', node.children)
        waiting.extend([((*line, child.move), child) for child in children[::-1]])


# ---- its digest ----

HEADER: Final = 'fmcts-graph-1'


def serialise(graph: Graph, number: int = ROOT) -> bytes:
    """Return the canonical serialisation of the graph at and below the state of that number."""
    entries = graph.entries
    places = {old: new for new, old in enumerate(below(entries, number))}
    root = entries[number]
    players = digests.line_of_players(graph.players).decode()
    names = root.columns.names
    lines = [players + ' '.join((HEADER, graph.rule, *names.own, *names.moves))]
    lines += [_line(entries[each], places) for each in places]
    legal = root.state.moves
    if len(root.moves) < len(legal):
        lines.append(' '.join(str(legal.index(move)) for move in root.moves))
    return ''.join(f'{line}\n' for line in lines).encode()


def _line(entry: Entry, places: Mapping[int, int]) -> str:
    """Return the line of one state."""
    several = isinstance(entry.total, Rewards)
    worth, total = (it if several else (it,) for it in (entry.worth, entry.total))
    numbers = (
        str(entry.seat) if several else 'XO'[entry.seat],
        str(len(entry.moves)),
        str(entry.own),
        *(float(number).hex() for number in worth),
        str(entry.visits),
        *(float(number).hex() for number in total),
    )
    edges = [
        f'{index}:{places[edge.to]}:{edge.visits}'
        for index, edge in enumerate(entry.places)
        if edge
    ]
    rows = entry.columns.own, *entry.columns.moves
    columns = (float(number).hex() for number in chain.from_iterable(rows))
    return ' '.join((*numbers, *edges, *columns))


@digests.digest.register
def _digest(node: GraphNode) -> str:
    """Return the digest of the graph at and below the node."""
    return digests.name_of(serialise(node.graph, node.number))
