"""Statistics beyond visits and reward: named columns that a method declares and a tree stores.

Every number is a double. A node's own columns describe the node as a child (for example, the sum of
squared rewards). The columns of its moves are stored at the node too, one row for each legal move,
tried or not (for example, a prior). So an update copies only the path. A node's table has numbers
by player and key, of moves in any position, which nodes below look up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from fmcts._arguments import shown
from fmcts.search.memory import Remembered


class ColumnNames(NamedTuple):
    """The names of the columns: of a node as a child, of its moves, and of its table."""

    own: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    table: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.own or self.moves or self.table)


class Columns(NamedTuple):
    """The columns of one node: a number for each of its own, and a row for each of its moves'.

    A row has one number for each of the node's moves, in order. `memory` is what the playouts of a
    search remember (see `fmcts.search.memory`), at the root only. `table` has the numbers of every
    move that has any. `proposed` is `None` if the state lists the moves of the
    node, the generator of its proposals (see `fmcts.search.proposals`), or how many an evaluator
    proposed (see `fmcts.asking`).
    """

    names: ColumnNames = ColumnNames()
    own: tuple[float, ...] = ()
    moves: tuple[Sequence[float], ...] = ()
    memory: tuple[Remembered, ...] = ()
    table: Remembered | None = None
    proposed: Any = None

    def of(self, name: str) -> float:
        """Return the node's own number of that name.

        :raises ValueError: the tree has no such column.
        """
        names = self.names.own
        if name in names:
            return self.own[names.index(name)]
        known = ', '.join(names) or 'none'
        raise ValueError(f'the tree has no column {shown(name)}: its columns are {known}')


NO_COLUMNS: Final = Columns()
"""The columns of a search without further statistics."""
