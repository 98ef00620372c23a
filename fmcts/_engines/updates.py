"""Update the columns of a node in backup, in the engines in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from fmcts._engines.deriving import deriving
from fmcts._engines.outcomes import Trace
from fmcts._engines.selection import name_of
from fmcts.game import Player, chances_of, key_of
from fmcts.search import Columns, Search, numbers_of
from fmcts.search.derived import placed
from fmcts.search.memory import Learning, Place, Remembered, learning
from fmcts.search.methods.method import Method, edge_type

Update: TypeAlias = Callable[[Any, Sequence[Any], Any, Any, float, Trace | None], Columns]
"""`update(node, places, below, parent, for_x, trace)`: its columns after one more iteration.

`places` has the children that it has by now, and `below` is the one of them through which the
iteration went (`None`: it ended here). `parent` is `None` for the root. The iteration was worth
`for_x` to X; the moves of the `trace` are those played from the node on, and then from the one
above it.
"""


def update_of(search: Search, root_player: Player) -> Update | None:
    """Return how a search updates its columns; `root_player` is to move at the root.

    `None` if no column changes: a prior stays as it is.
    """
    method = search.method
    if not (method.columns or search.derived or method.table):
        return None
    own_of = _own_update(method, 'update')
    update_table = _table_update(method)
    above_end = _own_update(method, 'update_above_end') if method.updates_above_ends else None
    count = len(method.columns)
    derived = [deriving(each, at, method.columns) for each, at in placed(count, search.derived)]

    def update(
        node: Any,
        places: Sequence[Any],
        below: Any,
        parent: Any,
        for_x: float,
        trace: Trace | None,
    ) -> Columns:
        names, own, rows, memory, table = node.columns
        gained = for_x if node.mover is Player.X else 1.0 - for_x
        if count:
            columns = own[:count]
            if (
                above_end is not None
                and below is not None
                and not (below.moves or chances_of(node.state))
            ):
                columns = above_end(
                    node, columns, for_x if root_player is Player.X else 1.0 - for_x
                )
            own = (*own_of(node, columns, gained), *own[count:])
        if derived:
            own = own[:count]
            for derive in derived:
                own += derive(node, places, below, for_x)
        if update_table is not None and trace is not None:
            rows, table = update_table(node, for_x, trace.played)
            if parent is not None:
                trace.climb()
        return Columns(names, own, rows, memory, table)

    return update


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


Rows: TypeAlias = tuple[Sequence[float], ...]
TableUpdate: TypeAlias = Callable[[Any, float, set[Place]], tuple[Rows, Remembered | None]]
"""`update(node, for_x, played)`: the rows and the table of a node after these moves from it on."""


def _table_update(method: Method) -> TableUpdate | None:
    table = method.table
    if table is None:
        return None
    change = learning(table)
    if table.scope == 'ancestor':
        return partial(_updated_by_key, change)
    return partial(_updated_by_move, change, len(method.move_columns))


def _updated_by_key(
    change: Learning, node: Any, for_x: float, played: set[Place]
) -> tuple[Rows, Remembered | None]:
    _, _, rows, _, table = node.columns
    return rows, Remembered(table.name, change.after(table.entries, played, for_x))


def _updated_by_move(
    change: Learning, first: int, node: Any, for_x: float, played: set[Place]
) -> tuple[Rows, Remembered | None]:
    state, player = node.state, node.state.player
    reward = for_x if player is Player.X else 1.0 - for_x
    others, rows = node.columns.moves[:first], [list(row) for row in node.columns.moves[first:]]
    for index, move in enumerate(node.moves):
        if (player, key_of(state, move)) in played:
            numbers = change.new(*(row[index] for row in rows), reward)
            for row, number in zip(rows, numbers, strict=True):
                row[index] = number
    return (*others, *map(tuple, rows)), None
