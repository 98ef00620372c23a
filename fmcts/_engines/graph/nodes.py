"""The graph as a value: two tables, seen as a tree whose nodes are made when read; its digest.

The digest is of a canonical serialisation, the same in every engine. It is UTF-8 text, version 1,
with one line for each of:

- the header: `fmcts-graph-1`, the rule (`sound` or `naive`), and the names of the columns that
  moves have, if any;
- then every state, in the order in which a walk from the root meets them (preorder, moves in
  canonical order, each state once): numbers with a space between,

    - the side to move, `X` or `O`; how many moves there are, at the root those to choose among (0:
      the game is over); how many iterations ended at the state, and what each was worth to X; its
      visits, and the sum of their rewards for X;
    - for each move that was tried, a triple with colons between: the index of the move, the place
      of the state that it leads to in this order (the root: 0), how often it was chosen;
    - the numbers of its columns, column by column;

- then, when the root was to choose among only some of its legal moves, the indices of these.

Whole numbers are in decimals, all others as Python's `float.hex` writes them. The digest is the
first 32 bytes of BLAKE2b, in hexadecimal, as that of a tree is (`fmcts.search._digest`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, starmap
from typing import Any, Final, NamedTuple, cast

from attrs import frozen

from fmcts.errors import GameError
from fmcts.game import Player
from fmcts.search import (
    Columns,
    MutableNode,
    Node,
    Search,
    Transpositions,
    children_by_move,
    digests,
)

ROOT: Final = 0
"""The number of the root's state."""

X: Final = Player.X  # an attribute of an enumeration takes longer to read


class Edge(NamedTuple):
    """A move that was tried: the number of the state it leads to, and how often it was chosen."""

    move: Any
    to: int
    visits: int


class Entry(NamedTuple):
    """The statistics of one state. Rewards are for X, because a state may have several movers.

    `moves` are the legal ones in canonical order (at the root perhaps only some). `places` has the
    edge of each, `None` for an untried move; it is empty before the first. `columns` are the
    method's columns of the moves. `level` is higher than at any state that leads here. `own`
    counts the iterations that ended here: at most one, except in a finished state, and `worth` is
    the reward of each (by the naive rule any number everywhere, and the last reward). `visits` and
    `total` are of all iterations, the sum of their rewards (see `recomputed`), and `for_x` and
    `for_o` the resulting value for either player: the mean, or the exact reward of a finished
    state. `parents`, which only `naive` stores, has the numbers of the states that lead here, one
    for each edge.
    """

    state: Any
    moves: tuple[Any, ...]
    columns: Columns
    level: int
    own: int = 0
    worth: float = 0.0
    visits: int = 0
    total: float = 0.0
    for_x: float = 0.0
    for_o: float = 0.0
    places: tuple[Edge | None, ...] = ()
    parents: tuple[int, ...] = ()

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The moves that were tried, in the order of `moves`."""
        return tuple(filter(None, self.places))

    def worth_to(self, player: Player) -> float:
        """Return the state's value to a player; 0 before the first visit."""
        return self.for_x if player is X else self.for_o

    def reward(self, player: Player, chosen: int) -> float:
        """Return the reward of `chosen` of its visits to a player; of all, exactly `total`."""
        if chosen == self.visits:
            return self.total if player is X else chosen - self.total
        return chosen * self.worth_to(player)


@frozen(eq=False, repr=False)
class Graph:
    """A graph under search: a value in every engine, so that an old one never changes.

    `entries` has the statistics of each state, by its number; `numbers` has the number of each.
    Their type depends on the engine: persistent tables, or lists that nobody writes to any more.
    `iterations` is the number of iterations in the graph. `move` led to the root, and `mover`
    played it, as in `MutableNode`.
    """

    rule: Transpositions
    entries: Sequence[Entry]
    numbers: Mapping[Any, int]
    iterations: int
    move: Any
    mover: Player


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
            stack.extend(edge.to for edge in reversed(entries[number].edges))


def cut_out(graph: Graph, number: int, move: Any, mover: Player) -> Graph:
    """Return the graph at and below a state, which `move` of `mover` led to.

    All other states are left out, so that later results follow from what the digest names.
    """
    entries = graph.entries
    new_of = {old: new for new, old in enumerate(below(entries, number))}
    renumbered = tuple(
        entry._replace(
            places=tuple(edge and edge._replace(to=new_of[edge.to]) for edge in entry.places),
            parents=tuple(new_of[parent] for parent in entry.parents if parent in new_of),
        )
        for entry in map(entries.__getitem__, new_of)
    )
    numbers = {entry.state: new for new, entry in enumerate(renumbered)}
    return Graph(graph.rule, renumbered, numbers, renumbered[ROOT].visits, move, mover)


# ---- seen as a tree ----


class _GraphDraft(MutableNode):
    """A draft of a `GraphNode`: the state of that `number` in the `graph`."""

    __slots__ = ('graph', 'number')

    graph: Graph
    number: int


# The slot for the children: empty, and then the tuple of them.
_places: Final[Any] = vars(MutableNode)['places']


class GraphNode(Node, _GraphDraft):
    """A state of a graph, as reached by one move: its children are made when they are read.

    `visits`, `reward` and `value` are of that move: how often it was chosen, and the state's value
    to its player (see `Node`), whoever visited it. `entry` has the statistics of the state itself.
    The same state, reached by another move, is another node; everything below is unfolded at every
    place, and so may have far more nodes than the graph has states. `walk` and `count` go by
    states, and so do equality, digest and pickles.
    """

    __slots__ = ()

    @property
    def entry(self) -> Entry:
        """The statistics of the state, by all moves that lead to it."""
        return self.graph.entries[self.number]

    @property
    def transpositions(self) -> Transpositions:
        """The rule for backing up the graph."""
        return self.graph.rule

    @property
    def iterations(self) -> int:
        """The number of iterations in the graph; below the root, the visits."""
        return self.graph.iterations if self.number == ROOT else self.visits

    @property
    def places(self) -> tuple[Node | None, ...]:
        """The state that each of `moves` leads to, or `None`; empty before the first."""
        try:
            return _places.__get__(self)  # type: ignore[no-any-return]
        except AttributeError:
            made = tuple(edge and self._below(edge) for edge in self.entry.places)
            _places.__set__(self, made)
            return made

    def child(self, move: object) -> Node | None:
        """Return the node that `move` leads to, or `None` if it was not tried; make no other."""
        return next((self._below(edge) for edge in self.entry.edges if edge.move == move), None)

    def _below(self, edge: Edge) -> GraphNode:
        graph, (move, to, chosen) = self.graph, edge
        visits = graph.entries[to].visits if graph.rule == 'naive' else chosen
        return _node(graph, to, move, self.state.player, visits)

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
        # A row has only the edges that there are, as in earlier versions.
        entries = tuple((*entry[:10], entry.edges, entry.parents) for entry in graph.entries)
        known = (graph.rule, graph.iterations, graph.move, graph.mover)
        return _unpickled, (self.facts(), self.number, known, entries)


def _node(graph: Graph, number: int, move: Any, mover: Player, visits: int) -> GraphNode:
    """Return the node of that number, with the `visits` by `move` of `mover`."""
    entry, draft = graph.entries[number], object.__new__(_GraphDraft)
    draft.graph, draft.number = graph, number
    draft.move, draft.mover, draft.state, draft.moves = move, mover, entry.state, entry.moves
    draft.visits, draft.columns, draft.losses = visits, entry.columns, 0
    draft.reward = entry.reward(mover, visits) if visits else 0.0
    draft.value = entry.worth_to(mover) if visits else 0.0
    draft.__class__ = GraphNode  # as `freeze_in_place` does
    return draft  # type: ignore[return-value]


def root_node(graph: Graph) -> GraphNode:
    """Return the root of a graph."""
    return _node(graph, ROOT, graph.move, graph.mover, graph.entries[ROOT].visits)


def graph_of(root: Node, search: Search) -> Graph:
    """Return the graph of a root: its own, or one of a single state if it was not searched.

    :raises GameError: its state cannot be looked up, as it has no hash.
    """
    if isinstance(root, GraphNode):
        return root.graph
    state, rule = root.state, cast('Transpositions', search.transpositions)
    try:
        numbers = {state: ROOT}
    except TypeError as error:
        raise GameError(
            f'the game {type(state).__name__} has states without a hash ({error}): '
            'a search with transpositions finds them by it'
        ) from None
    entry = Entry(state, root.moves, root.columns, 0)
    return Graph(rule, (entry,), numbers, 0, root.move, root.mover)


def _unpickled(
    facts: tuple[Any, ...],
    number: int,
    known: tuple[Transpositions, int, Any, Player],
    rows: tuple[tuple[Any, ...], ...],
) -> GraphNode:
    """Return the unpickled node, with the graph that it belongs to.

    `facts` are those of the node; those of earlier versions begin with the same five.
    """
    rule, iterations, move, mover = known
    entries = tuple(
        entry._replace(places=children_by_move(entry.moves, entry.places))
        for entry in starmap(Entry, rows)
    )
    numbers = {entry.state: at for at, entry in enumerate(entries)}
    graph = Graph(rule, entries, numbers, iterations, move, mover)
    return _node(graph, number, facts[0], facts[1], facts[4])


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
                    was = _node(before.graph, edge.to, edge.move, after.mover, chosen)
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
    lines = [' '.join((HEADER, graph.rule, *root.columns.names.moves))]
    lines += [_line(entries[each], places) for each in places]
    legal = root.state.moves
    if len(root.moves) < len(legal):
        lines.append(' '.join(str(legal.index(move)) for move in root.moves))
    return ''.join(f'{line}\n' for line in lines).encode()


def _line(entry: Entry, places: Mapping[int, int]) -> str:
    """Return the line of one state."""
    numbers = (
        str(entry.state.player),
        str(len(entry.moves)),
        str(entry.own),
        float(entry.worth).hex(),
        str(entry.visits),
        float(entry.total).hex(),
    )
    edges = [
        f'{index}:{places[edge.to]}:{edge.visits}'
        for index, edge in enumerate(entry.places)
        if edge
    ]
    columns = (float(number).hex() for number in chain.from_iterable(entry.columns.moves))
    return ' '.join((*numbers, *edges, *columns))


@digests.digest.register
def _digest(node: GraphNode) -> str:
    """Return the digest of the graph at and below the node."""
    return digests.name_of(serialise(node.graph, node.number))
