"""Graph searches: the select, expand and simulate of trees, and one of two rules of backup.

An iteration is written once. It writes to mutable tables: in `persistent` and `monadic` these are
evolvers of tables of `pyrsistent`, which share their common parts (entries are in a vector, in
which replacing some copies a few short arrays, and numbers in a hash map); in `inplace` a list and
a dictionary, copied once at the start.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias, cast

from attrs import define, evolve, field, frozen

from fmcts._arguments import shown
from fmcts._arithmetic import logarithm_of, logarithms
from fmcts._engines.chance import options_at
from fmcts._engines.driver import Session
from fmcts._engines.expansion import LIMITLESS, NO_STEP
from fmcts._engines.graph.nodes import (
    ROOT,
    Edge,
    Entry,
    Graph,
    GraphNode,
    Rewards,
    below,
    entry_of,
    graph_of,
    root_node,
)
from fmcts._engines.graph.ways import Way, state_node, way_of
from fmcts._engines.inplace import select, simulate
from fmcts._engines.persistent import Persistent, expand
from fmcts._engines.plan import Plan, plan_of
from fmcts.errors import GameError
from fmcts.game import chances_of
from fmcts.rng import Draws, R, thaw
from fmcts.search import NO_COLUMNS, Node, Search, Transpositions
from fmcts.search.normalising import RANGE
from fmcts.search.schedules import Forced

LIBRARY: Final = 'pyrsistent'

Path: TypeAlias = list[tuple[int, int]]
"""The states from the root down: the number of each, and the place taken."""

Places: TypeAlias = tuple[Edge | None, ...]

LONGEST: Final = 1 << 18
"""The longest table of logarithms: by the naive rule counts soon exceed any memory."""


class FullError(Exception):
    """Raised when the iteration needs more states than allowed. Its changes are discarded."""


@define
class Open:
    """A graph that can be written to. `limit` is the most states that it may have."""

    entries: Any  # a list, or an evolver of a persistent vector
    numbers: Any  # by the state
    rule: Transpositions
    players: int
    plan: Plan
    limit: float = LIMITLESS
    log: Any = ()  # the logarithm of each count


class Logarithms:
    """The logarithm of each count: a state may have more visits than there were iterations.

    It may by the naive rule, and in a part of a graph, where some came by moves from outside of it.
    """

    def __init__(self, iterations: int) -> None:
        self.table = logarithms(min(iterations, LONGEST))

    def __getitem__(self, count: int) -> float:
        return self.table[count] if count < len(self.table) else logarithm_of(count)


def is_cut(_path: object, node: Any) -> bool:
    """Return whether a state is at the horizon, by the moves that led to it when it was met."""
    return node.entry.made >= node.graph.plan.returns.most and not chances_of(node.state)


def leaf(node: Any, move: Any) -> Way:
    """Return the way of a move that is tried to its state, which is new or already known.

    :raises FullError: it is new, and one too many.
    :raises GameError: the state that the move is played in follows from it.
    """
    graph, above = node.graph, node.entry
    entries, returns = graph.entries, graph.plan.returns
    state, gained, made = above.state.play(move), None, 0
    if returns:
        gained = Rewards(returns.gained(state))
        made = returns.most < LIMITLESS and above.made + (not chances_of(above.state))
    key = (state, made) if made else state
    try:
        to = graph.numbers[key]
    except KeyError:
        to = len(entries)
        if to >= graph.limit:
            raise FullError from None
        moves = state.moves or options_at(state)
        fresh = graph.plan.fresh
        columns = fresh(state, moves) if fresh else NO_COLUMNS
        entry = entry_of(state, moves, columns, above.level + 1, graph.players)
        if returns:
            entry = entry._replace(factor=returns.factor(state), made=int(made))
        entries.append(entry)
        graph.numbers[key] = to
    else:
        raise_levels(entries, to, node.number)
    if graph.rule == 'naive':
        entry = entries[to]
        entries[to] = entry._replace(parents=(*entry.parents, node.number))
    return way_of(graph, Edge(move, to, 0, gained), above.seat)


def raise_levels(entries: Any, number: int, above: int) -> None:
    """Raise the levels of a state and all below it, so that they exceed the level `above`.

    In most games transpositions are at the same distance from the root, and nothing changes.

    :raises GameError: the state above is one of those below, so it can come again.
    """
    stack = [(number, entries[above].level + 1)]
    while stack:
        below, level = stack.pop()
        entry = entries[below]
        if entry.level >= level:
            continue
        if below == above:
            state = entry.state
            raise GameError(
                f'the game {type(state).__name__} has a state that can come again: '
                f'{shown(state, 80)}; a search with transpositions needs a game whose states '
                'cannot (a count of the plies in the state prevents it or, with rewards, a horizon)'
            )
        entries[below] = entry._replace(level=level)
        stack.extend((edge.to, level + 1) for edge in entry.edges)


def iterate(graph: Open, draws: Draws) -> None:
    """Run one iteration: down to a state where no iteration has ended, and back up.

    After a move to a state that is already known, the descent continues from there (by the naive
    rule, as in its source, there is a playout from the known state).

    :raises FullError: there is no room for a state that it needs.
    """
    entries, plan = graph.entries, graph.plan
    path: list[Any] = []
    node: Any = state_node(graph, ROOT)
    while True:
        path, node, step = select(node, plan, graph.log, draws, above=path)
        if step == NO_STEP:
            break
        places, (place, _) = expand(node, step, plan), step
        edges = tuple([way and way.edge for way in places])
        entries[node.number] = entries[node.number]._replace(places=edges)
        path.append((node, places, place))
        node = state_node(graph, edges[place].to)
        if graph.rule == 'naive' or not node.visits:
            break
    worth = simulate(path, node, plan, draws)[0]
    line = [(above.number, place) for above, _, place in path]
    worth = Rewards(worth) if graph.players else worth
    CREDITING[graph.rule](entries, line, node.number, worth)
    if node.columns.own:
        widen(entries, line)


# ---- the two rules of backup ----


def credited(entry: Entry, visits: int, total: Any, places: Places = ()) -> Entry:
    """Return the entry with these visits, total and places, if any, and the values that follow."""
    state, moves, columns, level, seat, factor, made, own, worth, *_, before, parents = entry
    mean = total / visits if moves else worth  # exactly, even if a sum of it is rounded
    values: tuple[float, ...]
    if isinstance(mean, Rewards):
        values = mean
    else:
        values = mean, (visits - total) / visits if moves else 1.0 - worth
    facts = state, moves, columns, level, seat, factor, made, own, worth
    # Faster than `_replace`.
    return Entry(*facts, visits, total, mean, values, places or before, parents)


def recomputed(entry: Entry, entries: Sequence[Entry], places: Places = ()) -> Entry:
    """Return the entry with these places, if any, and what follows from the states they lead to.

    Its visits are its own plus the visits of its edges; its total is its own reward plus, for each
    edge, the visits times what the move brings and the value of the state it leads to. The function
    is idempotent, so a state can be updated through several parents.
    """
    visits, total = entry.own, entry.own * entry.worth
    for edge in places or entry.places:
        if edge and edge.visits:
            _, to, chosen, gained = edge
            visits += chosen
            child = entries[to]
            # Without a product where all of its visits came this way: a graph without
            # transpositions then has the floats of a tree.
            if gained is None:  # `edge.brought(child)`, inlined
                total += child.total if chosen == child.visits else chosen * child.mean
            else:
                total += edge.brought(child)
    return credited(entry, visits, total, places)


def sound(entries: Any, path: Path, number: int, worth: Any) -> None:
    """Count each edge of the path once more, and recompute the states on it, from below.

    States beside the path, which may lead to one on it too, are recomputed when they are passed.
    """
    entry = entries[number]
    entries[number] = recomputed(entry._replace(own=entry.own + 1, worth=worth), entries)
    for above, place in reversed(path):
        entry = entries[above]
        entries[above] = recomputed(entry, entries, chosen_again(entry.places, place))


def naive(entries: Any, path: Path, number: int, worth: Any) -> None:
    """Add the score upwards from each parent: every state gets it once for each way up to it."""
    for above, place in path:
        entry = entries[above]
        entries[above] = entry._replace(places=chosen_again(entry.places, place))
    entry = entries[number]
    entries[number] = entry._replace(own=entry.own + 1, worth=worth)
    for above, ways in ways_up(entries, number).items():
        entry = entries[above]
        entries[above] = credited(entry, entry.visits + ways, entry.total + ways * worth)


def chosen_again(places: Places, place: int) -> Places:
    """Return the places with one more visit of the edge at that one."""
    changed = [*places]
    move, to, visits, gained = changed[place]  # type: ignore[misc] # there is an edge
    changed[place] = Edge(move, to, visits + 1, gained)
    return tuple(changed)


def ways_up(entries: Any, number: int) -> Mapping[int, int]:
    """Return by how many ways the parents lead from a state to each one above it; 1 to itself."""
    above = {number: 0}
    stack = [number]
    while stack:
        for parent in entries[stack.pop()].parents:
            if parent not in above:
                above[parent] = 0
                stack.append(parent)
    above[number] = 1
    # Deepest first: the ways to a state are complete before they are added to its parents.
    for lower in sorted(above, key=lambda one: entries[one].level, reverse=True):
        for parent in entries[lower].parents:
            above[parent] += above[lower]
    return above


def widen(entries: Any, path: Path) -> None:
    """Fold what an iteration saw into the ranges of values of the states on its path."""
    for above, place in reversed(path):
        entry = entries[above]
        edge = entry.places[place]
        child = entries[edge.to]
        value, (least, most) = edge.value(child, entry.seat), child.columns.own
        own = entry.columns.own._make(RANGE.fold(entry.columns.own, Seen(value, least, most)))
        entries[above] = entry._replace(columns=entry.columns._replace(own=own))


class Seen(NamedTuple):
    """What is folded into the range of a state: the value of its move, and the range below."""

    value: float
    least: float
    most: float


CREDITING: Final[Mapping[str, Callable[[Any, Path, int, Any], None]]] = MappingProxyType(
    {'sound': sound, 'naive': naive}
)
"""The rules by the names that `Search.transpositions` accepts."""


# ---- as rows ----


def rows_of(graph: Graph) -> dict[str, Any]:
    """Return a graph as an object for JSON, from which `graph_of_rows` makes it again.

    It has the `rule`, the `iterations`, the `discount`, whether the moves before a horizon are
    `counted`, and for each of the `states`, in preorder, the numbers of its entry: `own`, `worth`,
    `visits`, `total`, the index of each tried move with how often it was chosen, and the columns.
    """
    entries = graph.entries
    states = [
        (
            *(entry.own, entry.worth, entry.visits, entry.total),
            [(index, edge.visits) for index, edge in enumerate(entry.places) if edge],
            entry.columns.own,
            [*map(list, entry.columns.moves)],
        )
        for entry in map(entries.__getitem__, below(entries, ROOT))
    ]
    return {
        'rule': graph.rule,
        'iterations': graph.iterations,
        'discount': min(entry.factor for entry in entries),
        'counted': any(entry.made for entry in entries),
        'states': states,
    }


def graph_of_rows(root: Node, found: Mapping[str, Any]) -> GraphNode:
    """Return the graph that grew from a root without visits, with states by the game's rules.

    :param found: as `rows_of` returned it. The columns are named as those of `root`.
    """
    horizon = 1 if found['counted'] else None
    search = Search(transpositions=found['rule'], discount=found['discount'], horizon=horizon)
    graph = graph_of(root, search)
    entries, numbers, players = [*graph.entries], {root.state: ROOT}, graph.players
    plan = plan_of(search, root.state)
    opened = Open(entries, numbers, graph.rule, players, plan)
    as_worth: Any = Rewards if players else float
    # The walk reads the places of a state once its row was filled in.
    for number, row in zip(below(entries, ROOT), found['states'], strict=True):
        own, worth, visits, total, edges, mine, of_moves = row
        moves, columns = entries[number].moves, root.columns
        places: list[Edge | None] = [None] * len(moves) if edges else []
        for index, chosen in edges:
            edge = leaf(state_node(opened, number), moves[index]).edge
            places[index] = edge._replace(visits=chosen)
        columns = columns._replace(own=columns.own._make(mine), moves=tuple(map(tuple, of_moves)))
        entry = entries[number]._replace(columns=columns, own=own, places=tuple(places))
        if visits:
            entry = credited(entry._replace(worth=as_worth(worth)), visits, as_worth(total))
        entries[number] = entry
    return root_node(
        evolve(graph, entries=entries, numbers=numbers, iterations=found['iterations'])
    )


# ---- running it ----


@frozen
class GraphSession(Persistent[R]):
    """A running search, whose `tree` is the graph seen from its root.

    In place the tables of the graph are mutated; else it is a value.
    """

    in_place: bool = field(kw_only=True)

    @property
    def graph(self) -> Graph:
        """The graph."""
        return cast('GraphNode', self.tree).graph

    @property
    def visits(self) -> int:
        """The number of iterations in the graph."""
        return self.graph.iterations

    def advance(self, iterations: int, forced: Forced = None) -> GraphSession[R]:
        """Return the session after `iterations` more iterations."""
        graph, draws, (entries, numbers) = self.graph, thaw(self.rng), self._tables()
        log, plan = Logarithms(graph.iterations + iterations), self.plan.forcing(forced)
        opened = Open(entries, numbers, graph.rule, graph.players, plan, self.room, log)
        for done in range(iterations):
            try:
                iterate(opened, draws)
            except FullError:  # the tables have a part of it: those before it are made again
                return evolve(self.advance(done, forced), ended=True)
        if not self.in_place:
            entries, numbers = entries.persistent(), numbers.persistent()
        iterations += graph.iterations
        grown = evolve(graph, entries=entries, numbers=numbers, iterations=iterations)
        return evolve(self, tree=root_node(grown), rng=cast('R', draws.freeze()))

    def _tables(self) -> tuple[Any, ...]:
        """Return tables to write to; copies, where an iteration may have to be undone."""
        tables: Any = self.graph.entries, self.graph.numbers
        if not self.in_place:
            return tuple(table.evolver() for table in tables)
        return tables if self.room == LIMITLESS else tuple(table.copy() for table in tables)


def unsupported(_root: Node, _rng: Any, search: Search) -> str | None:
    """Return why an engine with persistent tables cannot run this search; `None` if it can."""
    if search.transpositions is None or importlib.util.find_spec(LIBRARY):
        return None
    return f'transpositions without {LIBRARY}: install fmcts[graph]'


def begin(engine: str, root: Node, rng: Any, search: Search) -> Session:
    """Return the graph search of that root by that engine, before its first iteration."""
    graph, plan = graph_of(root, search), plan_of(search, root.state)
    plan = evolve(plan, leaf=leaf, stops=plan.stops and is_cut)
    numbers: Any = graph.numbers
    if numbers is None:
        numbers = {entry.key: number for number, entry in enumerate(graph.entries)}
    tables: tuple[Any, Any] = graph.entries, numbers
    if engine == 'inplace':
        tables = [*graph.entries], dict(numbers)
    else:
        from pyrsistent import PVector, pmap, pvector  # noqa: PLC0415 - an optional extra

        if not isinstance(graph.entries, PVector):
            tables = pvector(graph.entries), pmap(numbers)
    tree = root_node(evolve(graph, entries=tables[0], numbers=tables[1]))
    limit = LIMITLESS if search.max_nodes is None else search.max_nodes
    return GraphSession(tree, rng, plan, limit, in_place=engine == 'inplace')
