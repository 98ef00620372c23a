"""One iteration of a graph search: select, expand, simulate, and the two rules of backup.

It is written once. It works on mutable tables, which are lists and dictionaries in one engine, and
in the others evolvers of persistent tables, converted back after each iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias, cast

from attrs import define, frozen

from fmcts._arguments import shown
from fmcts._arithmetic import logarithm_of
from fmcts._engines.expansion import LIMITLESS, NO_STEP, Step, opened, step_to
from fmcts._engines.graph.nodes import ROOT, Edge, Entry
from fmcts._engines.plan import Plan, fresh_of, plan_of
from fmcts._engines.selection import Choose
from fmcts._promises import checked_moves
from fmcts.errors import GameError
from fmcts.game import Player
from fmcts.search import NO_COLUMNS, Columns, Node, Search, Transpositions

Path: TypeAlias = list[tuple[int, int]]
"""The states from the root down: the number of each, and the place taken."""


class FullError(Exception):
    """Raised when the iteration needs more states than allowed. Its changes are discarded."""


@frozen
class Fixed:
    """The values that are constant during a search. `limit` is the most states it may have."""

    plan: Plan
    fresh: Callable[[Any, Sequence[Any]], Columns] | None
    rule: Transpositions
    limit: float


def fixed_of(root: Node, search: Search) -> Fixed:
    """Return the values that are constant during this search."""
    limit = LIMITLESS if search.max_nodes is None else search.max_nodes
    plan = plan_of(search, root.state, adapted=chooser)
    return Fixed(plan, fresh_of(search), cast('Transpositions', search.transpositions), limit)


@define
class Open:
    """A graph that can be written to."""

    entries: Any  # a list, or an evolver of a persistent vector
    numbers: Any  # by the state
    fixed: Fixed
    log: Sequence[float]


class Child(NamedTuple):
    """A tried move, as a choice among moves reads it."""

    move: Any
    visits: int
    value: float
    entry: Entry
    player: Player

    @property
    def columns(self) -> Columns:
        """No columns: methods with columns of children cannot search a graph."""
        return NO_COLUMNS

    @property
    def reward(self) -> float:
        """The sum of the visits' rewards."""
        return self.entry.reward(self.player, self.visits) if self.visits else 0.0


class Chooser(NamedTuple):
    """The chooser's view of the state itself, for the side to move."""

    mover: Any
    state: Any
    moves: tuple[Any, ...]
    visits: int
    reward: float
    columns: Columns


def seen(entry: Entry, entries: Sequence[Entry], rule: Transpositions) -> list[Child | None]:
    """Return the moves as a choice among them reads them, `None` for an untried one.

    Their visits are how often each was chosen here, and their values the current values of the
    states they lead to, whoever visited them. By the naive rule the visits are the states' too.
    """
    player, by_states = entry.state.player, rule == 'naive'
    children: list[Child | None] = []
    for_x = player is Player.X
    for edge in entry.places or (None,) * len(entry.moves):
        if edge is None:
            children.append(None)
            continue
        child = entries[edge.to]
        visits = child.visits if by_states else edge.visits
        value = (child.for_x if for_x else child.for_o) if visits else 0.0
        children.append(Child(edge.move, visits, value, child, player))
    return children


def chooser(choose: Choose) -> Choose:
    """Return how a choice is made at an entry of the graph, which comes last."""

    def chosen(entry: Entry, _places: Any, _log_visits: float, graph: Open) -> int:
        state, visits = entry.state, entry.visits
        player = state.player
        reward = entry.reward(player, visits)
        here = Chooser(player, state, entry.moves, visits, reward, entry.columns)
        log, count = graph.log, visits + graph.fixed.plan.log_offset
        log_visits = log[count] if count < len(log) else logarithm_of(count)
        return choose(here, seen(entry, graph.entries, graph.fixed.rule), log_visits)

    return chosen


def select(
    graph: Open, number: int, path: Path, draw: Callable[[int], int], forced: int | None = None
) -> tuple[int, Step]:
    """Descend to the first state that is finished, or where a move is to be tried.

    `path` is extended. The last value is the step to the move to try; `forced` is the index of the
    first move to take, if it is not chosen.
    """
    plan, place = graph.fixed.plan, 0
    while True:
        entry = graph.entries[number]
        moves, places = entry.moves, entry.places
        if not moves:
            return number, NO_STEP
        if forced is None and places and all(places):
            place = plan.choose(entry, places, 0.0, graph) if len(moves) > 1 else 0
        else:
            if forced is None:
                chances = plan.chances and plan.chances(entry, places, graph)
                step = plan.step(entry, places, 0.0, graph, draw(chances) if chances else 0)
            else:
                step, forced = step_to(forced, places), None
            place, made = step
            if made:
                return number, step
        path.append((number, place))
        number = places[place].to


def expand(graph: Open, number: int, step: Step) -> None:
    """Try the move of the step, or every move."""
    entry, (place, made) = graph.entries[number], step
    if not entry.places:
        checked_moves(entry.state)
    moves, places = entry.moves, opened(entry)
    for each in range(len(moves)) if made > 1 else (place,):
        if places[each] is None:
            places[each] = Edge(moves[each], lead(graph, number, moves[each]), 0)
    graph.entries[number] = graph.entries[number]._replace(places=tuple(places))


def lead(graph: Open, number: int, move: Any) -> int:
    """Return the number of the state that the move leads to, which is new or already known.

    :raises FullError: it is new, and one too many.
    :raises GameError: the state that the move is played in follows from it.
    """
    entries = graph.entries
    above = entries[number]
    state = above.state.play(move)
    try:
        to = graph.numbers[state]
    except KeyError:
        to = len(entries)
        if to >= graph.fixed.limit:
            raise FullError from None
        moves = state.moves or checked_moves(state)
        fresh = graph.fixed.fresh
        columns = fresh(state, moves) if fresh else NO_COLUMNS
        entries.append(Entry(state, moves, columns, above.level + 1))
        graph.numbers[state] = to
    else:
        raise_levels(entries, to, number)
    if graph.fixed.rule == 'naive':
        entry = entries[to]
        entries[to] = entry._replace(parents=(*entry.parents, number))
    return to  # type: ignore[no-any-return]


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
                'cannot (a count of the plies in the state prevents it)'
            )
        entries[below] = entry._replace(level=level)
        stack.extend((edge.to, level + 1) for edge in entry.edges)


def simulate(graph: Open, number: int, draw: Callable[[int], int]) -> Any:
    """Return a playout's reward for X from the state; a finished one's result, without a draw."""
    entry = graph.entries[number]
    if not entry.moves:
        return graph.fixed.plan.ended([], entry)[0]
    return graph.fixed.plan.playout([], entry, draw)[0]


def iterate(graph: Open, draw: Callable[[int], int], forced: int | None) -> None:
    """Run one iteration: down to a state where no iteration has ended, and back up.

    After a move to a state that is already known, the descent continues from there (by the naive
    rule, as in its source, there is a playout from the known state).

    :raises FullError: there is no room for a state that it needs.
    """
    path: Path = []
    number, step = select(graph, ROOT, path, draw, forced)
    while graph.entries[number].moves:
        expand(graph, number, step)
        place, _ = step
        path.append((number, place))
        number = graph.entries[number].places[place].to
        if graph.fixed.rule == 'naive' or not graph.entries[number].visits:
            break
        number, step = select(graph, number, path, draw)
    credit = CREDITING[graph.fixed.rule]
    credit(graph, path, number, simulate(graph, number, draw))


# ---- the two rules of backup ----


def credited(entry: Entry, visits: int, total: float) -> Entry:
    """Return the entry with these visits and this total, and the values that follow."""
    state, moves, columns, level, own, worth, _, _, _, _, places, parents = entry
    if moves:
        for_x, for_o = total / visits, (visits - total) / visits
    else:  # exactly, even if a sum of it is rounded
        for_x, for_o = worth, 1.0 - worth
    return Entry(  # faster than `_replace`
        state, moves, columns, level, own, worth, visits, total, for_x, for_o, places, parents
    )


def recomputed(entry: Entry, entries: Sequence[Entry]) -> Entry:
    """Return the entry with its derived fields recomputed from the states of its edges.

    Its visits are its own plus the visits of its edges; its total is its own reward plus, for each
    edge, the visits times the value of the state it leads to. The function is idempotent, so a
    state can be updated through several parents.
    """
    visits, total = entry.own, entry.own * entry.worth
    for edge in entry.places:
        if edge and edge.visits:
            _, to, chosen = edge
            visits += chosen
            child = entries[to]
            total += child.total if chosen == child.visits else chosen * child.for_x
    return credited(entry, visits, total)


def sound(graph: Open, path: Path, number: int, for_x: float) -> None:
    """Count each edge of the path once more, and recompute the states on it, from below.

    States beside the path, which may lead to one on it too, are recomputed when they are passed.
    """
    entries = graph.entries
    entry = entries[number]
    entries[number] = recomputed(entry._replace(own=entry.own + 1, worth=for_x), entries)
    for above, place in reversed(path):
        entries[above] = recomputed(chosen_again(entries[above], place), entries)


def naive(graph: Open, path: Path, number: int, for_x: float) -> None:
    """Add the score upwards from each parent: every state gets it once for each way up to it."""
    entries = graph.entries
    for above, place in path:
        entries[above] = chosen_again(entries[above], place)
    entry = entries[number]
    entries[number] = entry._replace(own=entry.own + 1, worth=for_x)
    for above, ways in ways_up(entries, number).items():
        entry = entries[above]
        entries[above] = credited(entry, entry.visits + ways, entry.total + ways * for_x)


def chosen_again(entry: Entry, place: int) -> Entry:
    """Return the entry with one more visit of its edge at that place."""
    places = [*entry.places]
    move, to, visits = places[place]  # type: ignore[misc] # there is an edge
    places[place] = Edge(move, to, visits + 1)
    return entry._replace(places=tuple(places))


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
    for lower in sorted(above, key=lambda one: entries[one].level, reverse=True):
        for parent in entries[lower].parents:
            above[parent] += above[lower]
    return above


CREDITING: Final[Mapping[str, Callable[[Open, Path, int, float], None]]] = MappingProxyType(
    {'sound': sound, 'naive': naive}
)
"""The rules by the names that `Search.transpositions` accepts."""
