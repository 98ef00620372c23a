"""Update the columns of a node in backup, in the engines in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from fmcts._engines.deriving import deriving
from fmcts._engines.outcomes import Played, note_played
from fmcts._engines.selection import name_of
from fmcts.game import Player, key_of
from fmcts.search._columns import Columns
from fmcts.search._description import Search
from fmcts.search._functions import numbers_of
from fmcts.search.derived import placed
from fmcts.search.memory import Remembered, check_key
from fmcts.search.methods.method import Method, edge_type, row_of

__all__ = ['Update', 'update_of']

Update: TypeAlias = Callable[[Any, Sequence[Any], Any, Any, float, Played | None], Columns]
"""`update(node, children, below, parent, for_x, played)`: its columns after one more iteration.

`children` are its current children, and `below` the one through which the iteration went (`None`:
it ended here). `parent` is `None` for the root. The iteration was worth `for_x` to X; `played` are
the moves played below the node, to which its own is added.
"""


def update_of(search: Search, root_player: Player) -> Update:
    """Return how a search updates its columns; `root_player` is to move at the root."""
    method = search.method
    own_of = _own_update(method, 'update')
    moves_of = _table_update(method) if method.reference else _rows_update(method)
    above_end = _own_update(method, 'update_above_end') if method.heeds_ends else None
    count = len(method.columns)
    derived = [deriving(each, at, method.columns) for each, at in placed(count, search.derived)]

    def update(
        node: Any,
        children: Sequence[Any],
        below: Any,
        parent: Any,
        for_x: float,
        played: Played | None,
    ) -> Columns:
        names, own, rows, memory, table = node.columns
        gained = for_x if node.mover is Player.X else 1.0 - for_x
        if count:
            kept = own[:count]
            if above_end is not None and below is not None and not below.moves:
                kept = above_end(node, kept, for_x if root_player is Player.X else 1.0 - for_x)
            own = (*own_of(node, kept, gained), *own[count:])
        if derived:
            own = own[:count]
            for derive in derived:
                own += derive(node, children, below, for_x)
        if played is not None:
            rows, table = moves_of(node, for_x, played)
            if parent is not None:
                note_played(played, parent.state, node.mover, node.move)
        return Columns(names, own, rows, memory, table)

    return update


def _own_update(
    method: Method, name: str
) -> Callable[[Any, tuple[float, ...], float], tuple[float, ...]]:
    """Return `update(node, numbers, reward)`, which calls the method's function of that name."""
    edge = edge_type(method.own_names)
    new = _new_numbers(method, name, edge, len(method.columns))

    def update(node: Any, numbers: tuple[float, ...], reward: float) -> tuple[float, ...]:
        return new(float(node.visits), node.reward, node.value, *numbers, reward)

    return update


def _new_numbers(
    method: Method, name: str, row: Any, count: int
) -> Callable[..., tuple[float, ...]]:
    called = f'{name} of {name_of(method)}'
    return numbers_of(getattr(method, name), row, called, count=count, more=1)


Rows: TypeAlias = tuple[Sequence[float], ...]


def _rows_update(
    method: Method,
) -> Callable[[Any, float, Played], tuple[Rows, Remembered | None]]:
    """Return `update(node, for_x, played)`: rows of the node's moves, and its table."""
    new = _new_numbers(method, 'update_move', row_of(method.names), len(method.move_columns))

    def update(node: Any, for_x: float, played: Played) -> tuple[Rows, Remembered | None]:
        state, player = node.state, node.state.player
        reward = for_x if player is Player.X else 1.0 - for_x
        rows = [list(row) for row in node.columns.moves]
        for index, move in enumerate(node.moves):
            if (player, key_of(state, move)) in played:
                numbers = new(*(row[index] for row in rows), reward)
                for row, number in zip(rows, numbers, strict=True):
                    row[index] = number
        return tuple(map(tuple, rows)), None

    return update


def _table_update(
    method: Method,
) -> Callable[[Any, float, Played], tuple[Rows, Remembered | None]]:
    count = len(method.move_columns)
    new = _new_numbers(method, 'update_move', row_of(method.names), count)
    absent = (0.0,) * count

    def update(node: Any, for_x: float, played: Played) -> tuple[Rows, Remembered | None]:
        table = node.columns.table
        entries = {**table.entries}
        for place in played:  # in any order: no entry depends on another
            player, key = place
            if place not in entries:
                check_key(node.state, key, name_of(method))
            mine = for_x if player is Player.X else 1.0 - for_x
            numbers = new(*entries.get(place, absent), mine)
            if numbers == absent:
                entries.pop(place, None)
            else:
                entries[place] = numbers
        return (), Remembered(table.name, entries)

    return update
