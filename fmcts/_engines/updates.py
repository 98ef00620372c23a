"""Update the columns of a node in backup, in the engines in Python."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from attrs import evolve

from fmcts._engines.choosers import EDGE
from fmcts._engines.outcomes import Path, Trace, judge_of
from fmcts._engines.returns import gain_of, returns_of, rewards_by_player
from fmcts._engines.selection import name_of
from fmcts._expressions import Formula, Style, symbols, text_of, trace, written
from fmcts._promises import limits_of
from fmcts.game import chances_of, key_of
from fmcts.search import ColumnNames, Columns, Search, numbers_of
from fmcts.search.derived import Derived, Place, placed
from fmcts.search.memory import Remembered, learning
from fmcts.search.methods.method import Method, edge_type
from fmcts.search.resolution import EXACT

Update: TypeAlias = Callable[[Any, Sequence[Any], Any, Path, Any, Trace | None], Columns]
"""`update(node, places, below, path, worth, trace)`: its columns after one more iteration.

`places` has the children that it has by now, and `below` is the one of them through which the
iteration went (`None`: it ended here). `path` has the nodes above. The iteration gave `worth`
(see `returns.gain_of`); the moves of the `trace` are those played from the node on, and then from
the one above it.
"""


def update_of(search: Search, root: Any) -> Update | None:
    """Return how a search updates its columns, in the game of the state `root`.

    `None` if no column changes: a prior stays as it is.
    """
    method = search.method
    if not (method.columns or search.derived or method.table):
        return None
    gain, root_player, made, new = gain_of(root), root.player, Columns._make, tuple.__new__
    own_of = _own_update(method, 'update')
    update_table = _table_update(method, root)
    above_end = _own_update(method, 'update_above_end') if method.updates_above_ends else None
    count = len(method.columns)
    derived = [
        deriving(each, at, search, root) for each, at in placed(count, _statistics(search, root))
    ]

    def update(
        node: Any,
        places: Sequence[Any],
        below: Any,
        path: Path,
        worth: Any,
        trace: Trace | None,
    ) -> Columns:
        names, own, rows, memory, table, own_rng = node.columns
        named = type(own)
        gained = gain(worth, node.mover)
        if count:
            columns = own[:count]
            if (
                above_end is not None
                and below is not None
                and not (below.moves or chances_of(node.state))
            ):
                columns = above_end(node, columns, gain(worth, root_player))
            own = (*own_of(node, columns, gained), *own[count:])
        if derived:
            # Each statistic is stored after those before it, in the order of the schema.
            own = own[:count]
            for derive in derived:
                own += derive(node, places, below, path, worth)
        if update_table is not None and trace is not None:
            rows, table = update_table(node, trace.following, trace.played)
            # What the node above learns from was reached by this node's move too.
            trace.following = worth
            if path:
                trace.climb()
        return made((names, new(named, own), rows, memory, table, own_rng))

    return update


def _statistics(search: Search, root: Any) -> Sequence[Derived]:
    """Return the derived statistics of a search, with what may be gained in its game."""
    if search.resolution is not EXACT:
        return search.derived
    return (*search.method.derived, evolve(EXACT, most=limits_of(root)[1]))


def _own_update(
    method: Method, name: str
) -> Callable[[Any, tuple[float, ...], float], tuple[float, ...]]:
    """Return `update(node, numbers, reward)`, which calls the method's function of that name."""
    edge = edge_type(method.own_names)
    called = f'{name} of {name_of(method)}'
    new = numbers_of(getattr(method, name), edge, called, count=len(method.columns), more=1)

    def update(node: Any, numbers: tuple[float, ...], reward: float) -> tuple[float, ...]:
        return new(float(node.visits), node.reward, node.value, *numbers, reward)

    return update


def _table_update(
    method: Method, root: Any
) -> Callable[[Any, Any, set[Any]], tuple[Any, Any]] | None:
    """Return `update(node, following, played)`: its rows and table after these moves from it on.

    They are worth what followed the node, as the value of a move is.
    """
    table = method.table
    if table is None:
        return None
    change, first = learning(table), len(method.move_columns)
    rewards_of, gain = rewards_by_player(root), gain_of(root)

    def by_key(node: Any, following: Any, played: set[Any]) -> tuple[Any, Any]:
        kept = node.columns.table
        entries = change.after(kept.entries, played, rewards_of(following))
        return node.columns.moves, Remembered(kept.name, entries, players=kept.players)

    def by_move(node: Any, following: Any, played: set[Any]) -> tuple[Any, Any]:
        state, player, columns = node.state, node.state.player, node.columns.moves
        if chances_of(state):
            return columns, None
        reward = gain(following, player)
        rows = [list(row) for row in columns[first:]]
        for index, move in enumerate(node.moves):
            if (player, key_of(state, move)) in played:
                numbers = change.new(*(row[index] for row in rows), reward)
                for row, number in zip(rows, numbers, strict=True):
                    row[index] = number
        return (*columns[:first], *map(tuple, rows)), None

    return by_key if table.scope == 'ancestor' else by_move


# ---- derived statistics ----

Numbers: TypeAlias = tuple[float, ...]

Derive: TypeAlias = Callable[[Any, Sequence[Any], Any, Path, Any], Numbers]
"""`derive(node, places, below, path, worth)`: the numbers of a node after one more iteration.

The arguments are those of `Update`.
"""


Above: TypeAlias = Callable[[Any, Sequence[Any], Any], Numbers]
"""`above(node, places, below)`: the numbers of a node above the leaf."""


def deriving(derived: Derived, at: int, search: Search, root: Any) -> Derive:
    """Return a function that computes a statistic stored in own columns from index `at` on.

    The method's columns are stored from index 0 on.

    :raises MethodError: (the function) one of its functions does not return such a tuple.
    """
    last, knows_leaves, columns = (
        at + len(derived.names),
        derived.knows_leaves,
        search.method.columns,
    )
    called = f'{{}} of {type(derived).__name__}'.format
    end, leaf = (
        numbers_of(getattr(derived, name), None, called(name), count=len(derived.names), more=1)
        for name in ('end', 'leaf')
    )
    above = _above(derived, at, columns)
    judge = derived.heuristic and judge_of('the heuristic', derived.heuristic, root)
    expected, gain = _expected(derived, at, search, end), gain_of(root)
    returns = returns_of(search, root) if derived.averaged else None

    def returned(node: Any, numbers: Numbers) -> Numbers:
        """Return the value of a node, from that of what follows it."""
        if not returns or not (knows_leaves or any(numbers)):  # else nothing is known
            return numbers
        return end(*returns.of(node.state, numbers))

    def derive(node: Any, places: Sequence[Any], below: Any, path: Path, worth: Any) -> Numbers:
        if below is not None and (knows_leaves or any(below.columns.own[at:last])):
            chances = derived.averaged and chances_of(node.state)
            numbers = expected(node, places, chances) if chances else above(node, places, below)
            return returned(node, numbers) if path else numbers
        if below is not None or (node.moves and not knows_leaves):
            return node.columns.own[at:last]  # type: ignore[no-any-return]
        if judge and node.moves and not (returns and returns.stops(path, node)):
            return returned(node, leaf(gain(judge(node.state), node.mover)))
        return (leaf if node.moves else end)(gain(worth, node.mover))

    return derive


def _expected(derived: Derived, at: int, search: Search, end: Callable[[float], Numbers]) -> Above:
    """Return `expected(node, places, chances)`: the mean of the outcomes by weight.

    Outcomes that are proposed count by their visits, as they are drawn (see `chance.rolling`).
    """
    knows_leaves, given = derived.knows_leaves, search.proposing
    drawn = given is not None and given.outcomes is not None

    def expected(node: Any, places: Sequence[Any], chances: Any) -> Numbers:
        weights = (
            [child.visits if child else 0 for child in places]
            if drawn
            else [it for _, it in chances]
        )
        total, value = 0, 0.0
        for child, weight in zip(places, weights, strict=True):
            number = child.columns.own[at] if child else 0.0
            if child and (child.visits if knows_leaves else number):
                total += weight
                value += weight * number
        value /= total
        return end(value if node.mover is node.state.player else 1.0 - value)

    return expected


def _above(derived: Derived, at: int, columns: tuple[str, ...]) -> Above:
    """Return `above(node, places, below)`: the numbers of a node that has these children.

    If the statistic is `running`, they continue from its numbers with the child visited.
    """
    count, last, first = len(columns), at + len(derived.names), tuple(map(float, derived.first))
    knows_leaves, edge = derived.knows_leaves, edge_type(ColumnNames((*columns, *derived.names)))
    made = None if derived.running else _written(derived, edge, (*range(count), *range(at, last)))
    if made is not None:
        return made
    called = f'{{}} of {type(derived).__name__}'.format
    fold = numbers_of(
        lambda child, *seen: derived.fold(seen, child),
        edge,
        called('fold'),
        count=len(first),
        more=len(first),
    )
    above = numbers_of(
        lambda there, *seen: derived.node(seen, there),
        Place,
        called('node'),
        count=last - at,
        more=len(first),
    )

    def folded(child: Any, seen: Numbers) -> Numbers:
        own = child.columns.own
        statistics = float(child.visits), child.reward, child.value
        return fold(*statistics, *own[:count], *own[at:last], *seen)

    def running(node: Any, _places: Sequence[Any], below: Any) -> Numbers:
        return folded(below, node.columns.own[at:last] if node.visits else first)

    def by_calls(node: Any, places: Sequence[Any], _below: Any) -> Numbers:
        seen, complete = first, 0
        for child in filter(None, places):
            if child.visits if knows_leaves else any(child.columns.own[at:last]):
                complete += 1
                seen = folded(child, seen)
        return above(complete == len(node.moves), node.mover is node.state.player, *seen)

    return running if derived.running else by_calls


def _written(derived: Derived, edge: Any, places: tuple[int, ...]) -> Above | None:
    """Return `above` with both formulas in its loop; `None` if one cannot be traced.

    `places` are those of the method's columns and then of its own.
    """
    first = tuple(map(float, derived.first))
    seen = tuple(f'seen{place}' for place in range(len(first)))
    own = tuple(f'own{place}' for place in places)
    fields = symbols((*EDGE, *own), whole=EDGE[:1])
    fold = trace(derived.fold, symbols(seen), edge(*fields), count=len(first))
    place: Any = Place._make(symbols(Place._fields))
    node = trace(derived.node, symbols(seen), place, count=len(derived.names))
    if fold is None or node is None:
        return None
    known = () if derived.knows_leaves else own[-len(derived.names) :]
    make = _maker(fold.shape, node.shape, seen, places, known)
    return make(*first, *fold.numbers, *node.numbers)  # type: ignore[no-any-return]


@functools.lru_cache(maxsize=256)
def _maker(
    fold: Formula,
    node: Formula,
    seen: tuple[str, ...],
    places: tuple[int, ...],
    known: tuple[str, ...],
) -> Any:
    """Return a function that makes `above` from the numbers in `first`, and in both formulas.

    It is one Python function, the loop over the children with both formulas in it. A child is
    folded if one of the numbers `known` is not 0; without any, if it has visits.
    """
    own = {f'own{place}': f'child.columns.own[{place}]' for place in places}
    reads = {**{name: f'child.{name}' for name in EDGE}, **own}
    used = {step[1] for step in fold.steps if step[0] == 'symbol'}.union(known or EDGE[:1])
    read = [f'{name} = {text}' for name, text in reads.items() if name in used]
    first = [f'first{place}' for place in range(len(seen))]

    def body(style: Style) -> list[str]:
        each = text_of(fold, {*seen, *reads}, style=style, prefix='a')
        above = text_of(node, (), style=style, prefix='b')
        return [
            f'{_tuple(seen)} = {_tuple(first)}',
            'count = 0',
            *each.before,
            'for child in filter(None, places):',
            *(f'    {line}' for line in read),
            f'    if {" or ".join(known or EDGE[:1])}:',
            '        count += 1',
            *(f'        {line}' for line in each.within),
            f'        {_tuple(seen)} = {_tuple(each.results)}',
            'complete = count == len(node.moves)',
            'same = node.mover is node.state.player',
            *above.before,
            f'return {_tuple([f"float({it})" for it in above.results])}',
        ]

    numbers = [*first, *fold.variables('a'), *node.variables('b')]
    return written(numbers, 'node, places, below', body)


def _tuple(texts: Sequence[str]) -> str:
    return f'({"".join(f"{text}, " for text in texts)})'
